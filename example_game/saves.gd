extends "part.gd"
## Saves and loads a game with VariantSave: versions, backups, and what a list of slots shows. A spoiled file is told from a
## good one, and the save before it is loaded.

const PATH := "user://example.save"
const GAME := {"name": "Ada", "hp": 80, "position": Vector2(10, 20), "items": [{"id": 7, "count": 2}]}

var _saves := saves()


static func saves() -> VariantSave:
	var saves := VariantSave.new()
	saves.schema = VariantSchema.dict({
		"name": VariantSchema.string().max_chars(16),
		"hp": VariantSchema.int(0, 100),
		"position": VariantSchema.vector2(),
		"items": VariantSchema.array(VariantSchema.dict({
			"id": VariantSchema.int(1, 4096),
			"count": VariantSchema.int(1, 99),
		})).max_size(16),
		# It came with a later version of the game: older saves get its default.
		"mood": VariantSchema.string().optional("calm"),
	})
	saves.version = 2
	saves.rename(1, {"health": "hp"})
	saves.backups = 2
	return saves


## A state of today's version, of which the gate for old saves makes a save to keep: docs/OLD_SAVES.md.
static func sample() -> Variant:
	return GAME.merged({"mood": "brave"})


func play() -> String:
	_saves.remove(PATH)
	DirAccess.remove_absolute(PATH + ".damaged")
	checked.emit("the save is written", _saves.save(PATH, GAME, {"level": 1}) == OK)
	checked.emit("and loads with a default", _loaded() == GAME.merged({"mood": "calm"}))
	checked.emit("the list shows its level", VariantSave.peek(PATH).metadata == {"level": 1})
	checked.emit("the next save is written", _saves.save(PATH, GAME.merged({"hp": 70}, true), {"level": 2}) == OK)
	checked.emit("and is the one that is loaded", _loaded().get("hp") == 70)
	_spoil()
	checked.emit("of a save that was spoiled the backup is loaded", _loaded().get("hp") == 80)
	var reason: String = _saves.get_report().refused[0].message
	checked.emit("what no load takes is not saved", _saves.save(PATH, GAME.merged({"hp": 9000}, true)) == ERR_INVALID_DATA)
	checked.emit("a save of version 1 is brought to today's", _saves.from_bytes(_old_save()) == OK and _saves.data.hp == 5)
	return "saves: spoiled on the disk: %s" % reason


func _loaded() -> Dictionary:
	return _saves.data if _saves.load(PATH) == OK else {}


## The save of a player who did not play for a year.
static func _old_save() -> PackedByteArray:
	var old := GAME.duplicate()
	old.erase("hp")
	return VariantSave.new().to_bytes(old.merged({"health": 5}))


## Damages the save as a failing disk does.
func _spoil() -> void:
	var file := FileAccess.open(PATH, FileAccess.READ_WRITE)
	if file != null:
		file.seek(100)
		file.store_32(0xFFFF_FFFF)
