extends RefCounted
## Defines the save of a hero: its schema, and how it is written, read, damaged and restored. It knows no
## window.

const VERSION := 2
const ITEMS: PackedStringArray = ["rope", "lamp", "sword", "shield", "potion", "map"]
const MOST_ITEMS := 8
const WORLD := Rect2(0, 0, 1000, 1000)

var path: String
var backup_path: String:
	get:
		return path + ".bak"
## The reason why the last read() was refused, as `VariantCodec.get_error()` says it; empty when it was not.
var error := {}
var _codec := VariantCodec.new()
var _old_schema: VariantSchema


func _init(at: String) -> void:
	path = at
	_codec.schema = VariantSchema.dict({
		"version": VariantSchema.literal(VERSION),
		"name": VariantSchema.string().min_chars(1).max_chars(16),
		"hp": VariantSchema.int(0, 100),
		"gold": VariantSchema.int(0, 999_999),
		"at": VariantSchema.vector2().within(WORLD),
		"inventory": VariantSchema.array(VariantSchema.dict({
			"item": VariantSchema.enum(Array(ITEMS)),
			"count": VariantSchema.int(1, 99),
		})).max_size(MOST_ITEMS),
	})
	_codec.limits = VariantLimits.save_file()
	# This is only what the code below relies on. The other schema checks whether the numbers make a hero.
	_old_schema = VariantSchema.dict({
		"name": VariantSchema.string(),
		"hp": VariantSchema.int(),
		"gold": VariantSchema.int(),
		"pos": VariantSchema.vector2(),
		"items": VariantSchema.packed_string_array(),
		"counts": VariantSchema.packed_int32_array(),
	}).open()


static func new_hero() -> Dictionary:
	return {
		"version": VERSION, "name": "Robin", "hp": 80, "gold": 250, "at": Vector2(412, 96),
		"inventory": [
			{"item": "rope", "count": 2}, {"item": "lamp", "count": 1}, {"item": "potion", "count": 5},
		],
	}


## Saves a hero. The file is the old one or the new one at any moment; see docs/STREAMING.md.
func save(hero: Dictionary) -> Error:
	if _codec.encode(hero).is_empty():
		return _refused(_codec.get_error())
	DirAccess.make_dir_recursive_absolute(path.get_base_dir())
	var writer := VariantWriter.new()
	# A damaged save must not push the good backup aside.
	writer.keep_backup = read(path) is Dictionary
	var ended: Error = writer.open_file(path)
	if ended == OK:
		ended = writer.write(hero)
	if ended == OK:
		ended = writer.close()
	error = {} if ended == OK else writer.get_error()
	return ended


## Reads the hero of a file, or returns null and sets `error`.
func read(from: String) -> Variant:
	error = {}
	if not FileAccess.file_exists(from):
		_refused({"message": "there is no " + from.get_file(), "code": 0, "path": "", "byte_offset": -1})
		return null
	if _codec.decode(bytes_of(from)) != OK:
		_refused(_codec.get_error())
	return _codec.data


## Reads no more of a file than the limits allow, and one byte by which the codec knows that there is more.
func bytes_of(from: String) -> PackedByteArray:
	var file := FileAccess.open(from, FileAccess.READ)
	if file == null:
		return PackedByteArray()
	return file.get_buffer(mini(file.get_length(), _codec.limits.max_bytes + 1))


## Damages the file as a failing disk does: it flips all bits of one byte, in place.
func flip(byte: int) -> void:
	var file := FileAccess.open(path, FileAccess.READ_WRITE)
	if file == null:
		return
	file.seek(byte)
	var was := file.get_8()
	file.seek(byte)
	file.store_8(was ^ 0xFF)


## Converts the old game's save to a hero of today, or returns null and sets `error`. In its bytes the types
## have other numbers, so they are no value of Godot 4; the result is checked like any other hero.
func from_godot_3(bytes: PackedByteArray) -> Variant:
	error = {}
	var old: Dictionary = VariantStream.decode_as(VariantStream.GODOT_3, bytes, {})
	if VariantStream.get_last_error():
		_refused(VariantStream.get_last_error())
		return null
	if not _old_schema.is_valid(old):
		_refused(_old_schema.get_error())
		return null
	var hero := {"version": VERSION, "name": old.name, "hp": old.hp, "gold": old.gold, "at": old.pos,
			"inventory": []}
	for i in mini(old.items.size(), old.counts.size()):
		hero.inventory.append({"item": old.items[i], "count": old.counts[i]})
	if _codec.encode(hero).is_empty():
		_refused(_codec.get_error())
		return null
	return hero


func _refused(why: Dictionary) -> Error:
	error = why
	return ERR_INVALID_DATA
