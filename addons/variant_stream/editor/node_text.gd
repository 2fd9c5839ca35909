@tool
extends RefCounted
## Writes the encoded value of a node as text for the clipboard: as JSON, as GDScript or as hexadecimal digits. It builds
## no objects.

enum Form {JSON, GDSCRIPT, HEX}

const NAMES: PackedStringArray = ["Copy as JSON", "Copy as GDScript", "Copy as hexadecimal digits"]


## Returns the text, or an empty one where the bytes have no such form; HEX has one for all bytes.
static func write(bytes: PackedByteArray, dialect: int, form: Form) -> String:
	match form:
		Form.HEX:
			return bytes.hex_encode()
		Form.JSON:
			var own := dialect == VariantStream.GODOT_4
			return VariantStream.to_json(bytes if own else VariantStream.transcode(bytes, dialect, VariantStream.GODOT_4))
	var value := decode(bytes, dialect)
	return var_to_str(value[0]) if not value.is_empty() else ""


## Returns the value alone in an array, since it may be null; the array is empty when the bytes are refused.
static func decode(bytes: PackedByteArray, dialect: int) -> Array:
	var codec := VariantCodec.new()
	codec.dialect = dialect
	return [codec.data] if codec.decode(bytes) == OK else []
