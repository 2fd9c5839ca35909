@tool
extends RefCounted
## Puts a value in place of another one in encoded bytes, and such bytes into a file. Framing and compression stay as they
## are; the file is the old one or the new one at any moment. It shows nothing.

const NodeText := preload("node_text.gd")
const Unpacked := preload("unpacked.gd")

const ENDING := ".edited"
const LENGTH := 4


## Returns {bytes, error}. `frame` is the value of the stream that the node is in, or the node itself.
static func replace(bytes: PackedByteArray, dialect: int, framing: int, node: Dictionary, frame: Dictionary,
		value: Variant) -> Dictionary:
	var old := NodeText.decode(bytes.slice(node.at, node.end), dialect)
	if node.type < 0 or old.is_empty() or typeof(old[0]) != node.type:
		return _refused("this is no value of its own: edit the value that holds it")
	var codec := VariantCodec.new()
	codec.dialect = dialect
	var part := codec.encode(value)
	if part.is_empty():
		return _refused(codec.get_error_message())
	var edited := bytes.slice(0, node.at) + part + bytes.slice(node.end)
	var end: int = frame.end + part.size() - (node.end - node.at)
	# What the old value passed the new one has to pass: an element of another type than its array declares does not.
	codec.limits = VariantLimits.engine()
	if codec.validate(bytes.slice(frame.at, frame.end)) != OK:
		codec.strictness = VariantCodec.ENGINE
	if codec.validate(edited.slice(frame.at, end)) != OK:
		return _refused(codec.get_error_message())
	if framing != VariantReader.FRAMING_NONE:
		_write_length(edited, frame.at - LENGTH, end - frame.at, framing == VariantReader.FRAMING_U32_BE)
	return {"bytes": edited, "error": ""}


## Returns why the file could not be written, or an empty text. `layer` is what Unpacked says of the file.
static func save(path: String, bytes: PackedByteArray, layer: String) -> String:
	if layer == Unpacked.SAVE_LAYER:
		return "%s is a save, which this panel only shows: `gdvar edit` changes one value of it" % path.get_file()
	var aside := path + ENDING
	var file := _open(aside, layer)
	if file == null:
		return "%s cannot be written (%s)" % [aside.get_file(), error_string(FileAccess.get_open_error())]
	# It answers nothing before Godot 4.4.
	file.store_buffer(bytes)
	var is_written := file.get_error() == OK
	file.close()
	var back := Unpacked.read(FileAccess.get_file_as_bytes(aside), func() -> bool: return false)
	if not is_written or back.bytes != bytes:
		DirAccess.remove_absolute(aside)
		return "%s cannot be written; the file is what it was" % path.get_file()
	if not OS.get_name() in ["Windows", "Web"]:
		FileAccess.set_unix_permissions(aside, FileAccess.get_unix_permissions(path))
	var error := DirAccess.rename_absolute(aside, path)
	if error != OK:
		DirAccess.remove_absolute(aside)
		return "%s cannot be replaced (%s); it is what it was" % [path.get_file(), error_string(error)]
	return ""


static func _open(path: String, layer: String) -> FileAccess:
	for mode in Unpacked.MODES.size():
		if layer.contains("(%s)" % Unpacked.MODES[mode]):
			return FileAccess.open_compressed(path, FileAccess.WRITE, mode)
	return FileAccess.open(path, FileAccess.WRITE)


static func _write_length(bytes: PackedByteArray, at: int, length: int, is_big_endian: bool) -> void:
	bytes.encode_u32(at, length)
	if is_big_endian:
		var reversed := bytes.slice(at, at + LENGTH)
		reversed.reverse()
		for i in LENGTH:
			bytes[at + i] = reversed[i]


static func _refused(why: String) -> Dictionary:
	return {"bytes": PackedByteArray(), "error": why}
