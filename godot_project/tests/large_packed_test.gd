extends "engine_suite.gd"
## Tests large packed arrays that stand alone: the engine makes some of them and we make others, by recent
## speed. Nobody can tell which: bytes, values, errors and limits are equal each time.

## The calls for each type: by then both makers have had their turn, and the slower one once more.
const TURNS := 24
const TYPES: Array[int] = [TYPE_PACKED_BYTE_ARRAY, TYPE_PACKED_INT32_ARRAY, TYPE_PACKED_INT64_ARRAY,
	TYPE_PACKED_FLOAT32_ARRAY, TYPE_PACKED_FLOAT64_ARRAY, TYPE_PACKED_STRING_ARRAY, TYPE_PACKED_VECTOR2_ARRAY,
	TYPE_PACKED_VECTOR3_ARRAY, TYPE_PACKED_COLOR_ARRAY, TYPE_PACKED_VECTOR4_ARRAY]


func test_each_call_gives_the_same() -> void:
	var codec := VariantCodec.new()
	for type in TYPES:
		for bytes_about: int in [64 * 1024, 300_000]:
			var value: Variant = _packed(type, bytes_about)
			var expected := var_to_bytes(value)
			for turn in TURNS:
				var what := "%s of %d bytes, call %d" % [type_string(type), expected.size(), turn]
				check_bytes(codec.encode(value), expected, what)
				check(codec.decode(expected) == OK and typeof(codec.data) == type and codec.data == value, what)
				check(VariantStream.decode(expected) == value, what)


func test_each_call_refuses_the_same() -> void:
	var codec := VariantCodec.new()
	codec.limits = VariantLimits.save_file()
	for type in TYPES:
		var value: Variant = _packed(type, 100_000)
		var bytes := var_to_bytes(value)
		var few := VariantLimits.save_file()
		few.max_output_bytes = bytes.size() - 1
		var closed := VariantLimits.save_file()
		closed.allowed_types = VariantLimits.save_file().allowed_types & ~(1 << type)
		for turn in TURNS:
			var what := "%s, call %d" % [type_string(type), turn]
			codec.limits = VariantLimits.save_file()
			check(codec.decode(bytes.slice(0, -1)) != OK and codec.get_error().code == VariantCodec.INCOMPLETE, what)
			check(codec.decode(bytes + PackedByteArray([0, 0, 0, 0])) != OK
					and codec.get_error().code == VariantCodec.TRAILING_BYTES, what)
			check(codec.decode(bytes) == OK, what)
			codec.limits = closed
			check(codec.decode(bytes) != OK and codec.get_error().code == VariantCodec.TYPE_NOT_ALLOWED, what)
			codec.limits = few
			check(codec.encode(value).is_empty() and codec.get_error().code == VariantCodec.OUTPUT_TOO_LARGE, what)


## Tests that a decoded value is not shared: the next call does not change it, nor does a change of it the
## bytes.
func test_nothing_is_shared() -> void:
	var codec := VariantCodec.new()
	for type in TYPES:
		var bytes := var_to_bytes(_packed(type, 80_000))
		var before := bytes.duplicate()
		for turn in TURNS:
			check(codec.decode(bytes) == OK, type_string(type))
			var value: Variant = codec.data
			value.resize(1)
			check(codec.decode(bytes) == OK and codec.data.size() > 1 and value.size() == 1, type_string(type))
			check_bytes(bytes, before, type_string(type))


func _packed(type: int, bytes: int) -> Variant:
	var value: Variant = type_convert([], type)
	var sample: Variant = type_convert([], type)
	sample.resize(1)
	value.resize(bytes / maxi(1, var_to_bytes(sample).size() - 8) + 1)
	for i: int in value.size():
		match type:
			TYPE_PACKED_STRING_ARRAY:
				value[i] = str(i)
			TYPE_PACKED_VECTOR2_ARRAY:
				value[i] = Vector2(i, 0.5)
			TYPE_PACKED_VECTOR3_ARRAY:
				value[i] = Vector3(i, 0.5, -i)
			TYPE_PACKED_COLOR_ARRAY:
				value[i] = Color(i, 0.5, 0.25, 1)
			TYPE_PACKED_VECTOR4_ARRAY:
				value[i] = Vector4(i, 0.5, -i, 1)
			_:
				value[i] = i % 251
	return value
