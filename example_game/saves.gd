extends "part.gd"
## Saves and loads a game: a save is there as a whole or not at all, and older saves still fit its schema. A
## spoiled file is told from a good one, with the place of the fault, and the previous save is kept.

const PATH := "user://example.save"
const BACKUP := PATH + ".bak"
const GAME := {"name": "Ada", "hp": 80, "position": Vector2(10, 20), "items": [{"id": 7, "count": 2}]}

## The reason why the last load was refused.
var reason := ""

## The schema of a save. "mood" came with a later version of the game: older saves get its default.
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


func save_game(game: Dictionary) -> Error:
	var writer := VariantWriter.new()
	# A damaged save must not take the place of a good backup.
	writer.keep_backup = not _load(PATH).is_empty()
	var error := writer.open_file(PATH)
	if error == OK:
		error = writer.write(game)
	if error != OK:
		# The old save stays.
		writer.discard()
		return error
	return writer.close()


## Loads the newest save that is good; empty when there is none.
func load_game() -> Dictionary:
	var game := _load(PATH)
	return game if not game.is_empty() else _load(BACKUP)


func _load(path: String) -> Dictionary:
	if not FileAccess.file_exists(path):
		return {}
	var codec := VariantCodec.new()
	codec.limits = VariantLimits.save_file()
	codec.schema = _schema
	if codec.decode(FileAccess.get_file_as_bytes(path)) != OK:
		reason = codec.get_error_message()
		return {}
	return codec.data


func play() -> String:
	for old: String in [PATH, BACKUP]:
		DirAccess.remove_absolute(old)
	checked.emit("the save is written", save_game(GAME) == OK)
	checked.emit("the bytes are the engine's", FileAccess.get_file_as_bytes(PATH) == var_to_bytes(GAME))
	checked.emit("an older save gets the default", load_game() == GAME.merged({"mood": "calm"}))
	checked.emit("the next save is written", save_game(GAME.merged({"hp": 70}, true)) == OK)
	checked.emit("and is the one that is loaded", load_game().get("hp") == 70)
	_spoil(var_to_bytes(GAME).slice(0, -4))
	checked.emit("of a save that was cut the backup is loaded", load_game().get("hp") == 80)
	_spoil(var_to_bytes(GAME.merged({"hp": 9000}, true)))
	checked.emit("of a save that was edited as well", load_game().get("hp") == 80)
	return "saves: edited by hand: %s" % reason


## Damages the save as a failing disk does, or a player.
func _spoil(bytes: PackedByteArray) -> void:
	var file := FileAccess.open(PATH, FileAccess.WRITE)
	if file != null:
		file.store_buffer(bytes)
