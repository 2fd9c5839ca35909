extends "suite.gd"
## Tests codecs that read and write packed values: what each call gives, deltas, limits, and errors with path and bit.

const BARE := VariantSchema.BARE


static func _move() -> VariantSchema:
	return VariantSchema.dict({
		"seq": VariantSchema.int(0, 65535),
		"aim": VariantSchema.vector2().within(Rect2(-100, -100, 200, 200)).quantized(0.01),
		"hp": VariantSchema.int(0, 100),
		"items": VariantSchema.array(VariantSchema.int(0, 255)).max_size(8),
	})


static func _codec(schema: VariantSchema) -> VariantCodec:
	var codec := VariantCodec.new()
	codec.schema = schema
	codec.form = VariantCodec.FORM_PACKED
	return codec


func test_each_call_does_what_it_does_with_bytes() -> void:
	var schema := _move()
	var codec := _codec(schema)
	var value := {"seq": 7, "aim": Vector2(1.5, -2.25), "hp": 80, "items": [1, 2, 3]}
	var bytes := codec.encode(value)
	check_same(bytes, schema.pack(value), "the bytes of pack()")
	check(bytes.size() < var_to_bytes(value).size() / 8, "small: %d bytes" % bytes.size())
	check_same(codec.validate(bytes), OK, "validate")
	check_same(codec.data, null, "nothing is built")
	check_same(codec.decode(bytes), OK, "decode")
	check_same(codec.data, schema.unpack(bytes), "the value of unpack()")
	check_same([codec.get_consumed(), codec.get_trailing()], [bytes.size(), 0], "all of it")
	var items := [9]
	var state := {"items": items, "old": 1}
	check_same(codec.decode_into(state, bytes), OK, "decode_into")
	check_same(state, schema.unpack(bytes), "the state")
	check(is_same(state.items, items), "containers are kept")
	check_same(codec.get_error(), {}, "no error")


func test_refusals_tell_path_and_bit() -> void:
	var codec := _codec(_move())
	check(codec.encode({"seq": 7, "aim": Vector2.ZERO, "hp": 113, "items": []}).is_empty(), "113 is too much")
	check_same(codec.get_error_message(), "hp: expected int 0..100, got int 113", "the value")
	check_same([codec.get_error().byte_offset, codec.get_error().has("bit_offset")], [-1, false], "no bytes")
	var bytes := codec.encode({"seq": 7, "aim": Vector2.ZERO, "hp": 100, "items": [5]})
	codec.tagging = BARE
	check_same(codec.decode(bytes.slice(2)), OK, "without the tag")
	# hp is behind the 30 bits of aim.
	var spoiled := bytes.slice(2)
	spoiled[3] |= 0xC0
	spoiled[4] |= 0x1F
	for call: Callable in [codec.decode, codec.validate, codec.decode_into.bind(spoiled)]:
		var target := {"kept": true}
		var answer: int = call.call(target) if call.get_method() == &"decode_into" else call.call(spoiled)
		check_same(answer, ERR_INVALID_DATA, "127 is too much")
		var error := codec.get_error()
		check_same([error.code, error.path, error.bit_offset, error.byte_offset],
				[VariantCodec.OUT_OF_RANGE, "hp", 30, 3], "the place")
		check_same(error.message, "hp: expected int 0..100, got bits of something else (bit 30)", "the words")
		check_same(target, {"kept": true}, "the target")
	check_same(codec.get_errors().size(), 1, "all of them")


func test_what_only_the_value_shows_has_a_bit_too() -> void:
	var lax := VariantSchema.dict({"a": VariantSchema.int(0, 7), "n": VariantSchema.string(), "o": VariantSchema.string()})
	var strict := VariantSchema.dict({
		"a": VariantSchema.int(0, 7), "n": VariantSchema.string().pattern("^[a-z]+$"), "o": VariantSchema.string().pattern("^[a-z]+$"),
	})
	var codec := _codec(strict)
	check_same(codec.decode(lax.pack({"a": 1, "n": "A", "o": "B"})), ERR_INVALID_DATA, "two faults")
	var error := codec.get_error()
	check_same([error.code, error.path, error.bit_offset], [VariantCodec.PATTERN_MISMATCH, "n", 19], "the first")
	var all: Array = codec.get_errors().map(func(each: Dictionary) -> Array: return [each.path, each.bit_offset])
	check_same(all, [["n", 19], ["o", 33]], "both")


func test_a_baseline_makes_deltas() -> void:
	var schema := _move()
	var codec := _codec(schema)
	var first := {"seq": 7, "aim": Vector2(1, 2), "hp": 80, "items": [1, 2]}
	var second := {"seq": 8, "aim": Vector2(1, 2), "hp": 80, "items": [1, 3]}
	var base := codec.encode(first)
	codec.baseline = base
	check_same(codec.baseline, base, "kept")
	var delta := codec.encode(second)
	check(delta.size() < base.size(), "%d bytes of %d" % [delta.size(), base.size()])
	check_same(codec.validate(delta), OK, "validate")
	check_same(codec.decode(delta), OK, "decode")
	check_same(codec.data, schema.unpack(schema.pack(second)), "the value")
	check_same(codec.apply_delta(delta), schema.pack(second), "the next baseline")
	var state := {}
	check_same(codec.decode_into(state, delta), OK, "decode_into")
	check_same(state, schema.unpack(schema.pack(second)), "the state")
	codec.baseline = schema.pack(second)
	check_same(codec.decode(delta), ERR_INVALID_DATA, "another baseline")
	check_same(codec.get_error().code, VariantCodec.BASELINE_MISMATCH, "the kind")
	codec.baseline = PackedByteArray()
	check_same(codec.decode(base), OK, "in full again")


func test_two_baselines_make_smaller_deltas() -> void:
	var body := VariantSchema.dict({"id": VariantSchema.int(0, 255), "pos": VariantSchema.vector3().quantized(0.01, -64, 64)})
	var schema := VariantSchema.dict({"bodies": VariantSchema.array(body).keyed("id").max_size(200)})
	var state := func(tick: int) -> Dictionary:
		var list := []
		for at: int in 100:
			list.append({"id": at, "pos": Vector3(at * 0.01 * tick, 0.1 * tick, -at * 0.5)})
		return {"bodies": list}
	var packed: Array = range(5).map(func(tick: int) -> PackedByteArray: return schema.pack(state.call(tick)))
	var codec := _codec(schema)
	codec.baseline = packed[2]
	var one := codec.encode(state.call(3))
	var bases := [packed[2], packed[1]]
	codec.baseline = bases
	var two := codec.encode(state.call(3))
	check(two.size() < 20 and one.size() > 100, "%d bytes, %d from one" % [two.size(), one.size()])
	check_same(codec.apply_delta(two), packed[3], "apply_delta")
	check_same(codec.baseline, bases + [1, 1], "kept")
	for wrong: Array in [[packed[1], packed[0], 1], [packed[1], packed[0], 0, 1], [packed[1], packed[0], 1, 65536], [1, packed[0]]]:
		expect_error("VariantCodec.baseline: expected a PackedByteArray, or an Array")
		codec.baseline = wrong
		check_same(codec.baseline, bases + [1, 1], "it stays: %s" % [wrong.slice(2)])
	check_same(codec.decode(two), OK, "decode")
	check_same(codec.data, schema.unpack(packed[3]), "the value")
	codec.baseline = packed[2]
	check_same(codec.decode(two), ERR_INVALID_DATA, "one base alone")
	check_same(codec.apply_delta(two), PackedByteArray(), "one base alone")
	check_same(codec.get_error().code, VariantCodec.BASELINE_MISMATCH, "the kind")
	codec.baseline = [packed[3], packed[0], 1, 3]
	check_same(codec.apply_delta(codec.encode(state.call(4))), packed[4], "other distances")


func test_limits_are_the_codecs_own() -> void:
	var schema := VariantSchema.array(VariantSchema.int(0, 1))
	var many := []
	many.resize(70_000)
	many.fill(1)
	check(schema.pack(many).is_empty(), "more values than network() allows")
	check_same(schema.get_error().code, VariantCodec.TOO_MANY_VALUES, "the kind")
	var codec := _codec(schema)
	var bytes := codec.encode(many)
	check(bytes.size() > 8_000, "with other limits: %d bytes" % bytes.size())
	check_same(schema.unpack(bytes), null, "and not without them")
	check_same(codec.decode(bytes), OK, "a codec has those of a save file")
	check_same(codec.data, many, "the same way back")
	codec.limits = VariantLimits.network()
	check_same(codec.decode(bytes), ERR_OUT_OF_MEMORY, "or its own")
	check_same(codec.get_error().code, VariantCodec.TOO_MANY_VALUES, "the kind")
	check(codec.get_error_message().contains("(bit "), codec.get_error_message())
	check_same(codec.validate(bytes), ERR_OUT_OF_MEMORY, "validate")
	codec.limits.max_bytes = 16
	check_same(codec.decode(bytes), ERR_OUT_OF_MEMORY, "bytes")
	check_same(codec.get_error().code, VariantCodec.TOO_MANY_BYTES, "the kind")


func test_several_values_stand_one_after_the_other() -> void:
	var codec := _codec(_move())
	codec.tagging = BARE
	codec.strictness = VariantCodec.ENGINE
	var packet := PackedByteArray([9])
	for seq: int in 3:
		packet += codec.encode({"seq": seq, "aim": Vector2.ONE, "hp": 1, "items": []})
	var at := 1
	for seq: int in 3:
		check_same(codec.decode(packet, at), OK, codec.get_error_message())
		check_same(codec.data.seq, seq, "the value")
		at += codec.get_consumed()
		check_same(codec.get_trailing(), packet.size() - at, "what follows")
	check_same(at, packet.size(), "all of it")
	codec.strictness = VariantCodec.SAFE
	check_same(codec.decode(packet, 1), ERR_INVALID_DATA, "nothing may follow")
	check_same(codec.get_error().code, VariantCodec.TRAILING_BYTES, "the kind")


func test_it_needs_a_schema_that_can_be_packed() -> void:
	var codec := VariantCodec.new()
	codec.form = VariantCodec.FORM_PACKED
	check(codec.encode(1).is_empty(), "no schema")
	check_same(codec.get_error_message(), "schema: expected a VariantSchema for packed values, got null", "the words")
	check_same(codec.decode(PackedByteArray([1])), ERR_INVALID_PARAMETER, "no schema")
	codec.schema = VariantSchema.dict({"a": VariantSchema.rid()})
	check_same(codec.decode(PackedByteArray([1])), ERR_INVALID_DATA, "a RID")
	check_same([codec.get_error().code, codec.get_error().path], [VariantCodec.UNPACKABLE, "a"], "the part")
	check_same(codec.schema.get_pack_error().path, "a", "the part")
	check_same(_move().get_pack_error(), {}, "none")
	codec.schema = _move()
	codec.classes = VariantClassSet.new()
	check_same(codec.decode(PackedByteArray([1])), ERR_INVALID_PARAMETER, "classes")
	codec.classes = null
	check_same(codec.call(&"decode", "text"), ERR_INVALID_PARAMETER, "no bytes")
	codec.form = VariantCodec.FORM_VARIANT
	check_same(codec.decode(var_to_bytes({"seq": 1, "aim": Vector2.ZERO, "hp": 1, "items": []})), OK, "as the engine writes")


func test_checks_of_the_games_own_are_asked_both_ways() -> void:
	var asked := []
	var even := func(value: float) -> bool:
		asked.append(value)
		return is_equal_approx(fmod(value, 0.5), 0.0)
	var codec := _codec(VariantSchema.float(0, 10).quantized(0.5).check_with(even))
	var bytes := codec.encode(1.6)
	check_same(asked, [1.5], "the value that the receiver gets")
	check_same(codec.decode(bytes), OK, codec.get_error_message())
	check_same(codec.data, 1.5, "the value")
	codec.schema = VariantSchema.int(0, 9).check_with(func(value: int) -> bool: return value < 5)
	check(codec.encode(7).is_empty(), "refused before it is sent")
	check_same(codec.get_error().code, VariantCodec.CHECK_FAILED, "the kind")
	var sent := VariantSchema.int(0, 9).pack(7)
	for verdict: Callable in [codec.decode.bind(sent), codec.validate.bind(sent)]:
		check_same(verdict.call(), ERR_INVALID_DATA, "and when it comes: %s" % verdict)
		check_same([codec.get_error().code, codec.get_error().byte_offset], [VariantCodec.CHECK_FAILED, -1], "kind and place")


func test_each_spoiled_packet_gets_one_verdict() -> void:
	var schema := _move()
	var codec := _codec(schema)
	var bytes := codec.encode({"seq": 700, "aim": Vector2(3, 4), "hp": 55, "items": [1, 2]})
	var accepted := 0
	for bit: int in bytes.size() * 8:
		var spoiled := bytes.duplicate()
		spoiled[bit >> 3] ^= 1 << (bit & 7)
		var verdict := codec.decode(spoiled)
		var value: Variant = codec.data
		var error := codec.get_error()
		check_same(codec.validate(spoiled), verdict, "validate, bit %d" % bit)
		check_same(codec.get_error(), error, "the same error, bit %d" % bit)
		check_same(schema.unpack(spoiled), value, "unpack, bit %d" % bit)
		check_same(schema.get_error(), error, "its error, bit %d" % bit)
		if verdict == OK:
			accepted += 1
			check_same(schema.pack(value), spoiled, "packed again, bit %d" % bit)
		else:
			check(error.message.ends_with("(bit %d)" % error.bit_offset), "bit %d: %s" % [bit, error.message])
	check(accepted > 20 and accepted < bytes.size() * 8 - 16, "%d accepted" % accepted)
