extends "suite.gd"
## Tests what schemas say of packing: how exact numbers stay, where the bits go, and which of them nothing uses.


static func _state() -> VariantSchema:
	return VariantSchema.dict({
		"tick": VariantSchema.int(0, 0xFFFF_FFFF),
		"name": VariantSchema.string().max_chars(16),
		"entities": VariantSchema.array(VariantSchema.dict({
			"id": VariantSchema.int(0, 65535),
			"pos": VariantSchema.vector3().within(AABB(Vector3(-512, -64, -512), Vector3(1024, 256, 1024))).quantized(0.01),
			"rot": VariantSchema.quaternion().bits(10),
			"hp": VariantSchema.int(0, 100),
			"turn": VariantSchema.angle(8),
		})).keyed("id").max_size(200),
	})


static func _crowd() -> Dictionary:
	var list := []
	for at: int in 50:
		list.append({
			"id": at * 31, "pos": Vector3(at, 0.007, -at), "rot": Quaternion(Vector3.UP, at * 0.1), "hp": at, "turn": at * 0.7,
		})
	return {"tick": 1, "name": "Ann", "entities": list}


func test_what_the_layout_promises() -> void:
	var precision := _state().get_precision()
	check_same(precision.keys(), ["entities[].pos", "entities[].rot", "entities[].turn"], "what is rounded")
	check_same(precision["entities[].pos"], {"bits": 49, "step": 0.01, "max_error": 0.005}, "a grid")
	check_same(precision["entities[].rot"].bits, 32, "a rotation")
	check(precision["entities[].rot"].max_error_degrees < 0.28, str(precision["entities[].rot"]))
	check_same(VariantSchema.float(0, 1).quantized(0.25).get_precision(),
			{"(root)": {"bits": 3, "step": 0.25, "max_error": 0.125}}, "the outermost value")
	check_same(VariantSchema.int().get_precision(), {}, "nothing is rounded")
	check_same(VariantSchema.rid().get_precision(), {}, "nothing is packed")


func test_what_samples_show() -> void:
	var schema := _state()
	var found := schema.measure_precision([_crowd(), _crowd()])
	check_same(schema.get_error(), {}, "no error")
	for path: String in schema.get_precision():
		var part: Dictionary = found[path]
		check_same(part.count, 100, path)
		var unit := "_degrees" if part.has("max_error_degrees") else ""
		var worst: float = part["worst_error" + unit]
		check(worst > 0 and worst <= part["max_error" + unit] + 1e-4, "%s: %s" % [path, part])
		check(part["mean_error" + unit] > 0 and part["mean_error" + unit] < worst, "%s: %s" % [path, part])
	check_same(found["entities[].hp"].at_ends, 2, "0 is an end")
	check_same(found["tick"], {"count": 2, "at_ends": 0}, "an int comes out as it was")
	var back: Dictionary = schema.unpack(schema.pack(_crowd()))
	var off := absf(back.entities[3].pos.y - 0.007)
	check_same(found["entities[].pos"].worst_error > off - 1e-6, true, "as unpack() gives them")
	var packed := VariantSchema.packed_float32_array().elements(VariantSchema.float(0, 1).bits(4))
	check(packed.is_packable(), str(packed.get_pack_error()))
	check_same(packed.measure_precision([PackedFloat32Array([0, 0.5, 1])])["(root)"].at_ends, 2, "of packed arrays")
	check_same(schema.measure_precision([{}]), {}, "no value of the schema")
	check_same(schema.get_error().code, VariantCodec.MISSING_KEY, "the kind")


static func _bare(schema: VariantSchema, value: Variant) -> PackedByteArray:
	var codec := VariantCodec.new()
	codec.schema = schema
	codec.form = VariantCodec.FORM_PACKED
	codec.tagging = VariantSchema.BARE
	return codec.encode(value)


func test_where_the_bits_go() -> void:
	var schema := _state()
	var value := _crowd()
	var report := schema.pack_report(value)
	var size := _bare(schema, value).size()
	check_same(report.bytes, var_to_bytes(value).size(), "the bytes of the engine")
	check_same((report.bits + 7) / 8, size, "the bits")
	check_same(report.places.keys()[0], "(root)", "the largest first")
	check_same(report.places["entities[].pos"].bits, 50 * 49, "of all elements")
	check_same(report.places["entities[].pos"].bytes, 50 * 16, "of all elements")
	check_same(report.places["entities[].id"].bits, 0, "the key of a set")
	var shares := 0.0
	for path: String in ["tick", "name", "entities"]:
		shares += report.places[path].share
	check(absf(shares - 1) < 0.001, "the parts are the whole: %f" % shares)
	check(report.hints.has("entities[].pos.y needs 1 of 15 bits in 50 values"), str(report.hints))
	check(report.hints.has("entities[].hp needs 6 of 7 bits in 50 values"), str(report.hints))
	check(not str(report.hints).contains("id needs"), str(report.hints))
	check_same(schema.pack_report({"tick": -1}), {}, "no value of the schema")
	check_same(schema.get_error().path, "tick", "the part")
	var many := []
	many.resize(70_000)
	many.fill(1)
	var list := VariantSchema.array(VariantSchema.int(0, 1))
	check_same(list.pack_report(many), {}, "over the limits of network()")
	check_same(list.pack_report(many, VariantLimits.save_file()).bits, 70_000 + 24, "with others")


func test_where_values_lie() -> void:
	var schema := VariantSchema.dict({"hp": VariantSchema.int(0, 100), "at": VariantSchema.vector2().quantized(0.5, -2, 2)})
	var value := {"hp": 80, "at": Vector2(1, 0.5)}
	var found := schema.get_packed_places(schema.pack(value))
	check_same(found.bytes, var_to_bytes(value), "the value as the engine writes it")
	# The whole, hp and at; behind 16 bits of the tag stands "at" first.
	check_same(found.places, PackedInt64Array([0, 16, 31, 20, 24, 31, 40, 16, 24]), "the places")
	check_same(schema.get_packed_places(PackedByteArray([1])), {}, "no packed bytes")
	check_same(schema.get_error().code, VariantCodec.SCHEMA_MISMATCH, "the kind")
	check_same(schema.get_packed_places(_bare(schema, value), VariantSchema.BARE).places[1], 0, "no tag")
