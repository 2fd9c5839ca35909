extends "suite.gd"
## Tests packing by a schema: sizes, what comes back, deltas, and what is refused and where.


static func _state() -> VariantSchema:
	return VariantSchema.dict({
		"tick": VariantSchema.int(0, 0xFFFF_FFFF),
		"entities": VariantSchema.array(VariantSchema.dict({
			"id": VariantSchema.int(0, 65535),
			"pos": VariantSchema.vector3().within(AABB(Vector3(-512, -64, -512), Vector3(1024, 256, 1024))).quantized(0.01),
			"vel": VariantSchema.vector3().quantized(0.05, -20, 20),
			"rot": VariantSchema.quaternion().bits(10),
			"hp": VariantSchema.int(0, 100),
			"state": VariantSchema.enum(["idle", "run", "jump"]).room_for(8),
		})).keyed("id").max_size(200),
	})


static func _crowd(tick: int) -> Dictionary:
	var list := []
	for at: int in 50:
		var turn := Quaternion(Vector3.UP, at * 0.1)
		list.append({"id": at * 31, "pos": Vector3(at, tick * 0.01, -at), "vel": Vector3(at % 20, 0, 1), "rot": turn, "hp": at, "state": "run"})
	return {"tick": tick, "entities": list}


static func _codec(schema: VariantSchema, tagging := VariantSchema.TAGGED) -> VariantCodec:
	var codec := VariantCodec.new()
	codec.schema = schema
	codec.form = VariantCodec.FORM_PACKED
	codec.tagging = tagging
	return codec


func test_a_crowd_is_small_and_comes_back() -> void:
	var schema := _state()
	var bytes := schema.pack(_crowd(7))
	check(bytes.size() > 700 and bytes.size() <= 830, "50 entities take %d bytes" % bytes.size())
	var back: Dictionary = schema.unpack(bytes, {})
	check_same(back.tick, 7, "the tick")
	check_same(back.entities.size(), 50, "the entities")
	check((back.entities[9].pos - Vector3(9, 0.07, -9)).length() < 0.01, "a place")
	check_same(back.keys(), ["tick", "entities"], "keys in the order of the schema")
	check_same(schema.pack(back), bytes, "packed again")
	check_same(schema.get_error(), {}, "no error")


func test_a_delta_makes_the_next_baseline() -> void:
	var schema := _state()
	var base := schema.pack(_crowd(1))
	var codec := _codec(schema)
	codec.baseline = base
	var delta := codec.encode(_crowd(2))
	check(delta.size() < base.size() / 4, "the delta takes %d bytes" % delta.size())
	check_error(codec.decode(delta), OK, "the value")
	codec.baseline = codec.apply_delta(delta)
	check_same(codec.baseline, schema.pack(_crowd(2)), "the next baseline")
	check_same(codec.data.tick, 2, "the value stays")
	check(codec.apply_delta(delta).is_empty(), "from another baseline")
	check_same(codec.get_error().code, VariantCodec.BASELINE_MISMATCH, "the kind")
	codec.baseline = PackedByteArray()
	check(codec.apply_delta(delta).is_empty(), "from none")
	check_same(codec.get_error_message(), "baseline: expected packed bytes that both sides have, got none", "the words")
	codec.form = VariantCodec.FORM_VARIANT
	check(codec.apply_delta(delta).is_empty(), "of no packed values")
	check_same(codec.get_error_message(), "form: expected FORM_PACKED, got FORM_VARIANT", "the words")


func test_refusals_say_where() -> void:
	var schema := VariantSchema.dict({"hp": VariantSchema.int(0, 100), "name": VariantSchema.string().pattern("^[a-z]+$")})
	check(schema.pack({"hp": 113, "name": "a"}).is_empty(), "113 is too much")
	check_same(schema.get_error_message(), "hp: expected int 0..100, got int 113", "the value")
	check_same(schema.unpack(PackedByteArray([127]), -1), -1, "the fallback")
	var bare := _codec(schema, VariantSchema.BARE)
	check_error(bare.decode(PackedByteArray([127])), ERR_INVALID_DATA, "bits")
	check_same(bare.get_error_message(), "hp: expected int 0..100, got bits of something else (bit 0)", "the bits")
	var lax := VariantSchema.dict({"hp": VariantSchema.int(0, 100), "name": VariantSchema.string()})
	var bytes := lax.pack({"hp": 1, "name": "A"})
	check_same(schema.get_pack_hash(), lax.get_pack_hash(), "what is only judged is not in the hash")
	check_same(schema.unpack(bytes), null, "a name that the pattern refuses")
	check_same(schema.get_error().code, VariantCodec.PATTERN_MISMATCH, "the kind")
	check(schema.get_error_message().ends_with("(bit 23)"), "the bit: " + schema.get_error_message())
	check_same(VariantSchema.string().unpack(bytes), null, "another schema")
	check_same(VariantSchema.string().get_error().code, VariantCodec.SCHEMA_MISMATCH, "the kind")
	var text: Variant = "text"
	check_same(schema.unpack(text), null, "no bytes")
	check_same(schema.get_error().code, VariantCodec.INVALID_ARGUMENT, "the kind")


func test_what_cannot_be_packed_is_told() -> void:
	var schema := VariantSchema.dict({"a": VariantSchema.array(VariantSchema.rid())})
	check(not schema.is_packable(), "a RID is a handle")
	check(schema.pack({"a": []}).is_empty(), "no bytes")
	check_same([schema.get_error().code, schema.get_error().path], [VariantCodec.UNPACKABLE, "a[]"], "the part")
	check(_state().is_packable(), "plain data")


func test_defaults_and_checks_are_as_ever() -> void:
	var schema := VariantSchema.dict({"a": VariantSchema.int(0, 3).optional(2), "b": VariantSchema.bool()})
	check_same(_codec(schema, VariantSchema.BARE).encode({"b": true}), PackedByteArray([2]), "a flag and a bit")
	check_same(schema.unpack(schema.pack({"b": true})), {"b": true, "a": 2}, "the default")
	var even := VariantSchema.int(0, 100).check_with(func(value: int) -> bool: return value % 2 == 0)
	check_same(even.unpack(VariantSchema.int(0, 100).pack(4)), 4, "an even number")
	check_same(even.unpack(VariantSchema.int(0, 100).pack(5), -1), -1, "an odd number")
	check_same(even.get_error().code, VariantCodec.CHECK_FAILED, "the kind")


func test_modifiers_are_kept_in_json() -> void:
	var schema := VariantSchema.dict({
		"a": VariantSchema.angle(9), "b": VariantSchema.float().half(), "c": VariantSchema.float().single().lossy(),
		"d": VariantSchema.vector2().double(), "e": VariantSchema.string().alphabet("a-z"),
		"f": VariantSchema.packed_byte_array().elements(VariantSchema.int(0, 3)),
		"g": VariantSchema.transform3d().rigid(0.01, 10), "h": VariantSchema.int(0, 9).bits(8).clamped(),
	})
	check(schema.is_well_formed(), str(schema.get_build_errors()))
	check_same(VariantSchema.from_json(schema.to_json()).get_pack_hash(), schema.get_pack_hash(), "the layout")
	check_same(schema.get_packed_size().max_bits, -1, "a text without bounds")
	check_same(VariantSchema.int(0, 100).get_packed_size(), {"min_bits": 7, "max_bits": 7, "is_fixed": true}, "an int")
	check(not VariantSchema.int().bits(3).is_well_formed(), "an int without a range")
	check(not VariantSchema.float().quantized(0.1, 0).is_well_formed(), "a range with an end only")


func test_dicts_grow_and_maps_are_sorted() -> void:
	var old := VariantSchema.dict({"a": VariantSchema.int(0, 3)}).growing({})
	var grown := VariantSchema.dict({"a": VariantSchema.int(0, 3)}).growing({"z": VariantSchema.int(0, 9)})
	check_same(old.get_pack_hash(), grown.get_pack_hash(), "hashes")
	check_same(old.unpack(grown.pack({"a": 2, "z": 9})), {"a": 2}, "what an older schema reads")
	check_same(grown.unpack(old.pack({"a": 1})), {"a": 1}, "what a newer schema reads")
	var map := VariantSchema.map(VariantSchema.int(0, 60), VariantSchema.bool()).keyed()
	var back: Dictionary = map.unpack(map.pack({7: true, 3: false}))
	check_same(back.keys(), [3, 7], "sorted keys")
