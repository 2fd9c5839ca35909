extends RefCounted
## Saves: a file that is there as a whole or not at all, loaded under a schema that older saves still fit. A spoiled
## file is told from a good one, with the place that is wrong.

signal checked(what: String, held: bool)

const PATH := "user://example.save"
const SAVE := {"name": "Ada", "hp": 80, "position": Vector2(10, 20), "items": [{"id": 7, "count": 2}]}

## "mood" came with a later version of the game: older saves get its default.
var _schema := VariantSchema.dict({
	"name": VariantSchema.string().max_chars(16),
	"hp": VariantSchema.int(0, 100),
	"position": VariantSchema.vector2(),
	"items": VariantSchema.array(VariantSchema.dict({
		"id": VariantSchema.int(1, 4096),
		"count": VariantSchema.int(1, 99),
	})).max_size(16),
	"mood": VariantSchema.string().optional("calm"),
})


func play() -> String:
	var codec := VariantCodec.new()
	codec.limits = VariantLimits.save_file()
	codec.schema = _schema
	var bytes := codec.encode(SAVE)
	checked.emit("the bytes are the engine's", bytes == var_to_bytes(SAVE))
	var writer := VariantWriter.new()
	writer.open_file(PATH)
	writer.write(SAVE)
	checked.emit("the save is written", writer.close() == OK)
	var saved := FileAccess.get_file_as_bytes(PATH)
	checked.emit("the save is loaded", codec.decode(saved) == OK)
	checked.emit("an older save gets the default", codec.data == SAVE.merged({"mood": "calm"}))
	checked.emit("a save that was cut is refused", codec.decode(saved.slice(0, -4)) != OK)
	var cheated := SAVE.merged({"hp": 9000}, true)
	checked.emit("a save that was edited is refused", codec.validate(var_to_bytes(cheated)) == ERR_INVALID_DATA)
	return "saves: %d bytes; edited by hand: %s" % [saved.size(), codec.get_error_message()]
