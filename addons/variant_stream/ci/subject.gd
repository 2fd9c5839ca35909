extends RefCounted
## Wraps the library under test for the conformance run: ENGINE strictness, engine limits, one reused codec.
## It is the only file of the run that names the library's classes (late_subject.gd where none can), and
## judges nothing.

var _codec := VariantCodec.new()
var _full := VariantCodec.new()


func _init() -> void:
	for codec: VariantCodec in [_codec, _full]:
		codec.strictness = VariantCodec.ENGINE
		codec.limits = VariantLimits.engine()
	_full.full_objects = true


func version() -> String:
	return VariantStream.get_version()


func fallbacks() -> PackedStringArray:
	return VariantStream.get_fallbacks()


## Writes as VariantStream.encode() does, which warns of instance ids that nobody asked for: limits that allow objects ask.
func encode(value: Variant) -> PackedByteArray:
	return _codec.encode(value)


func encode_with_objects(value: Variant) -> PackedByteArray:
	return _full.encode(value)


func encoded_size(value: Variant) -> int:
	return VariantStream.encoded_size(value)


func decode(bytes: PackedByteArray) -> int:
	return _codec.decode(bytes)


func decode_with_objects(bytes: PackedByteArray) -> int:
	return _full.decode(bytes)


func validate(bytes: PackedByteArray) -> int:
	return _codec.validate(bytes)


## Returns the value of the last decode(); validate() may forget it.
func data() -> Variant:
	return _codec.data


func consumed() -> int:
	return _codec.get_consumed()


func error_message() -> String:
	return _codec.get_error_message()
