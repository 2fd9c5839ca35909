extends "engine_suite.gd"
## Tests that the first fault in the order of the bytes is the one that is named, whether a limit, the format or a schema finds
## it, and however the bytes come: a codec has all of them, a reader gets them in pieces of every size.

const SEED := 38

var _random := RandomNumberGenerator.new()
## Counts the refusals by who refused.
var _by_schema := 0
var _by_limit := 0


func _init() -> void:
	super()
	_random.seed = SEED


## Tests each order of two faults: a text where an int belongs, and one element too many, too long or too deep.
func test_a_violation_and_a_broken_limit_in_each_order() -> void:
	var schema := VariantSchema.array(VariantSchema.union([VariantSchema.int(), VariantSchema.array(VariantSchema.any())]))
	var limits := VariantLimits.new()
	limits.max_string_bytes = 8
	limits.max_depth = 4
	limits.max_entries = 6
	var many := {1: 1, 2: 2, 3: 3, 4: 4, 5: 5, 6: 6, 7: 7}
	for row: Array in [
		[[1, "no", [2, "longer than eight"]], VariantCodec.WRONG_TYPE], [[1, ["longer than eight"], "no"], VariantCodec.STRING_TOO_LONG],
		[["no", [[[[[]]]]]], VariantCodec.WRONG_TYPE], [[[[[[[]]]]], "no"], VariantCodec.TOO_DEEP],
		[["no", [many]], VariantCodec.WRONG_TYPE], [[[many], "no"], VariantCodec.TOO_MANY_ENTRIES],
	]:
		var code := _agree(var_to_bytes(row[0]), schema, limits, str(row[0]))
		check_same(code, row[1], str(row[0]))


func test_bytes_behind_the_value_and_a_cut_end() -> void:
	var schema := VariantSchema.array(VariantSchema.int())
	for value: Array in [[1, 2.5, 3], [1, 2, 3]]:
		var bytes := var_to_bytes(value)
		_agree(bytes + hex("00000000"), schema, VariantLimits.new(), "%s with bytes behind it" % [value])
		for left in range(4, bytes.size(), 4):
			_agree(bytes.slice(0, left), schema, VariantLimits.new(), "%s cut to %d" % [value, left])


func test_a_schema_that_contradicts_itself_comes_first() -> void:
	var schema := VariantSchema.int(5, 1)
	expect_error("VariantSchema: ")
	var limits := VariantLimits.new()
	limits.max_string_bytes = 2
	check_same(_agree(var_to_bytes(["long"]), schema, limits, "a limit"), VariantCodec.ILL_FORMED_SCHEMA, "a limit")
	check_same(_agree(hex("ff000000"), schema, limits, "no type"), VariantCodec.ILL_FORMED_SCHEMA, "no type")


func test_random_values_schemas_and_limits() -> void:
	for round in 4000 if long else 300:
		var bytes := var_to_bytes(_value(0))
		if _random.randi() % 4 == 0:
			bytes[_random.randi() % bytes.size()] = _random.randi() % 32
		_agree(bytes, _schema(0), _limits(), "round %d: %s" % [round, bytes.hex_encode()])
	check(_by_schema > 50 and _by_limit > 30, "%d by schemas, %d by limits" % [_by_schema, _by_limit])


## Returns the code of the codec's refusal, or 0, after comparing it with what readers say of pieces of 1 to n bytes.
func _agree(bytes: PackedByteArray, schema: VariantSchema, limits: VariantLimits, what: String) -> int:
	var codec := VariantCodec.new()
	codec.limits = limits
	codec.schema = schema
	codec.decode(bytes)
	var wanted := codec.get_error()
	var code: int = wanted.get("code", 0)
	_by_schema += int(_is_of_schema(code))
	_by_limit += int(code > 0 and not _is_of_schema(code))
	var length := PackedByteArray([0, 0, 0, 0])
	length.encode_u32(0, bytes.size())
	var sizes := range(1, 14)
	sizes.append_array([bytes.size() + 3, bytes.size() + 4])
	for size: int in sizes:
		var reader := VariantReader.new()
		reader.codec.limits = limits
		reader.codec.schema = schema
		reader.framing = VariantReader.FRAMING_U32
		var stream := length + bytes
		var got := ERR_UNAVAILABLE
		var at := 0
		while got == ERR_UNAVAILABLE and at < stream.size():
			reader.feed(stream.slice(at, at + size))
			at += size
			got = reader.next()
		var found := reader.get_error()
		for key: String in ["code", "byte_offset", "path"]:
			if found.get(key) != wanted.get(key):
				fail("%s, pieces of %d: the reader has %s, the codec %s" % [what, size, found, wanted])
				return code
		asserts += 1
	return code


func _value(level: int) -> Variant:
	match _random.randi() % (8 if level < 4 else 5):
		0:
			return _random.randi() % 100
		1:
			return 0.5
		2:
			return "t".repeat(_random.randi() % 20)
		3:
			return PackedInt32Array([1, 2, 3])
		4:
			return null
		5:
			return {"a": _value(level + 1), "b": _value(level + 1)}
		_:
			var array := []
			for i in _random.randi() % 7:
				array.append(_value(level + 1))
			return array


func _schema(level: int) -> VariantSchema:
	match _random.randi() % (7 if level < 3 else 4):
		0:
			return VariantSchema.int(0, 50)
		1:
			return VariantSchema.string().max_chars(9)
		2:
			return VariantSchema.any()
		3:
			return VariantSchema.float().nullable()
		4:
			return VariantSchema.dict({"a": _schema(level + 1), "b": _schema(level + 1).optional()})
		5:
			return VariantSchema.union([VariantSchema.array(_schema(level + 1)), VariantSchema.int()])
		_:
			return VariantSchema.array(_schema(level + 1)).max_size(4)


func _limits() -> VariantLimits:
	var limits := VariantLimits.new()
	match _random.randi() % 6:
		0:
			limits.max_values = 1 + _random.randi() % 12
		1:
			limits.max_depth = 1 + _random.randi() % 4
		2:
			limits.max_string_bytes = _random.randi() % 12
		3:
			limits.max_entries = _random.randi() % 5
		4:
			limits.max_heap_bytes = 64 + _random.randi() % 400
		5:
			limits.allowed_types &= ~((1 << TYPE_FLOAT) | (1 << TYPE_PACKED_INT32_ARRAY))
	return limits


func _is_of_schema(code: int) -> bool:
	return code >= VariantCodec.WRONG_TYPE and code <= VariantCodec.CHECK_FAILED
