extends RefCounted
## Does what subject.gd does in a project that was never imported. There GDScript compiles no name of a class
## that came after the engine's start, so every call goes through ClassDB. The methods have the same meaning,
## and are called by name instead of by pointer. Static calls by name came with 4.4.

const STREAM := &"VariantStream"

var _codec: RefCounted = ClassDB.instantiate(&"VariantCodec")
var _full: RefCounted = ClassDB.instantiate(&"VariantCodec")


func _init() -> void:
	for codec: RefCounted in [_codec, _full]:
		codec.strictness = ClassDB.class_get_integer_constant(&"VariantCodec", &"ENGINE")
		codec.limits = ClassDB.instantiate(&"VariantLimits").engine()
	_full.full_objects = true


func version() -> String:
	return ClassDB.call(&"class_call_static", STREAM, &"get_version")


func fallbacks() -> PackedStringArray:
	return ClassDB.call(&"class_call_static", STREAM, &"get_fallbacks")


func encode(value: Variant) -> PackedByteArray:
	return _codec.encode(value)


func encode_with_objects(value: Variant) -> PackedByteArray:
	return _full.encode(value)


func encoded_size(value: Variant) -> int:
	return ClassDB.call(&"class_call_static", STREAM, &"encoded_size", value)


func decode(bytes: PackedByteArray) -> int:
	return _codec.decode(bytes)


func decode_with_objects(bytes: PackedByteArray) -> int:
	return _full.decode(bytes)


func validate(bytes: PackedByteArray) -> int:
	return _codec.validate(bytes)


func data() -> Variant:
	return _codec.data


func consumed() -> int:
	return _codec.get_consumed()


func error_message() -> String:
	return _codec.get_error_message()


func takes(bytes: PackedByteArray) -> bool:
	var codec: RefCounted = ClassDB.instantiate(&"VariantCodec")
	codec.limits = ClassDB.instantiate(&"VariantLimits").engine()
	return codec.validate(bytes) == OK


func verdicts(bytes: PackedByteArray) -> Dictionary:
	var codec: RefCounted = ClassDB.instantiate(&"VariantCodec")
	codec.limits = ClassDB.instantiate(&"VariantLimits").engine()
	var used: RefCounted = ClassDB.instantiate(&"VariantCodec")
	used.limits = codec.limits
	for time in 3:
		used.decode(PackedByteArray([99]))
	var reader: RefCounted = ClassDB.instantiate(&"VariantReader")
	reader.codec.limits = codec.limits
	reader.feed(bytes)
	return {
		"decode()": codec.decode(bytes), "validate()": used.validate(bytes), "decode_into()": codec.decode_into({}, bytes),
		"decode() after refusals": used.decode(bytes), "a reader": reader.next(),
	}


func saves(value: Variant) -> bool:
	var save: RefCounted = ClassDB.instantiate(&"VariantSave")
	save.limits = ClassDB.instantiate(&"VariantLimits").engine()
	var bytes: PackedByteArray = save.to_bytes(value)
	return not bytes.is_empty() and save.from_bytes(bytes) == OK and encode(save.data) == encode(value)
