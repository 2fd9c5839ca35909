extends "suite.gd"
## Tests values that unpack() builds of bits alone: they are what bytes of the engine become under the same schema.

## Often enough for keys to be known, so that nothing takes a walk any more.
const TIMES := 40


## Schemas with values that lose nothing, whose bits prove all that the schemas ask.
static func _kinds() -> Dictionary:
	var small := VariantSchema.int(0, 255)
	var item := VariantSchema.dict({"id": small, "name": VariantSchema.string().max_chars(40)})
	var many := {}
	var full := {}
	for at: int in 20:
		many["key %d" % at] = small
		full["key %d" % at] = at
	return {
		"numbers": [VariantSchema.dict({
			"int": VariantSchema.int(), "float": VariantSchema.float(), "bool": VariantSchema.bool(),
			"half": VariantSchema.float().half(), "enum": VariantSchema.enum([1, "two", 3.5, true]),
		}), [
			{"int": 1 << 40, "float": 0.1, "bool": true, "half": 0.5, "enum": "two"},
			{"int": -7, "float": -0.0, "bool": false, "half": -2.0, "enum": 3.5},
			{"int": 0, "float": 1e300, "bool": true, "half": 0.25, "enum": 1},
		]],
		"vectors": [VariantSchema.dict({
			"at": VariantSchema.vector3(), "on": VariantSchema.vector2(), "i": VariantSchema.vector3i(),
			"box": VariantSchema.aabb(), "tint": VariantSchema.color(), "place": VariantSchema.transform3d(),
			"turn": VariantSchema.quaternion(),
		}), [{
			"at": Vector3(1, 2, 3), "on": Vector2(-0.5, 8), "i": Vector3i(-1, 70000, 3),
			"box": AABB(Vector3.ONE, Vector3(2, 3, 4)), "tint": Color(0.25, 0.5, 1, 0),
			"place": Transform3D(Basis(), Vector3(5, 6, 7)), "turn": Quaternion(0, 0, 0, 1),
		}]],
		"nested": [VariantSchema.array(VariantSchema.dict({
			"item": item, "more": VariantSchema.array(item).max_size(5), "at": VariantSchema.dict({"x": small, "y": small}),
		})).max_size(9), [
			[],
			[{"item": {"id": 1, "name": ""}, "more": [], "at": {"x": 0, "y": 255}}],
			[
				{"item": {"id": 1, "name": "a"}, "more": [{"id": 2, "name": "a name too long for a cache of keys"}], "at": {"x": 1, "y": 2}},
				{"item": {"id": 3, "name": "größer"}, "more": [{"id": 4, "name": "c"}, {"id": 5, "name": "a"}], "at": {"x": 3, "y": 4}},
			],
		]],
		"keyed": [VariantSchema.dict({"list": VariantSchema.array(VariantSchema.dict({
			"id": small, "hp": small, "at": VariantSchema.vector2(),
		})).keyed("id").max_size(99)}), [
			{"list": []},
			{"list": range(50).map(func(at: int) -> Dictionary: return {"id": at * 3, "hp": at, "at": Vector2(at, -at)})},
		]],
		"one key": [VariantSchema.dict({"a": VariantSchema.dict({"b": VariantSchema.dict({})})}), [{"a": {"b": {}}}]],
		"many keys": [VariantSchema.dict(many), [full]],
		"nulls": [VariantSchema.array(small.nullable()), [[null, 1, null]]],
		"packed": [VariantSchema.dict({
			"bytes": VariantSchema.packed_byte_array(), "ints": VariantSchema.packed_int32_array(),
			"steps": VariantSchema.packed_int64_array(),
		}), [{"bytes": PackedByteArray([1, 2, 255]), "ints": PackedInt32Array(), "steps": PackedInt64Array([1 << 50])}]],
		"root": [VariantSchema.int(), [5, -(1 << 50)]],
		"text": [VariantSchema.string(), ["", "a", "a text that is too long for any cache of texts"]],
		"cases": [VariantSchema.discriminated("kind", {
			"move": VariantSchema.dict({"to": VariantSchema.vector2()}), "wait": VariantSchema.dict({"for": small, "a": small}),
		}), [{"kind": "move", "to": Vector2.ONE}, {"kind": "wait", "for": 3, "a": 4}]],
		"unusual": [VariantSchema.dict({
			"name": VariantSchema.string_name(), "path": VariantSchema.node_path(), "any": VariantSchema.any(),
			"texts": VariantSchema.packed_string_array(), "either": VariantSchema.one_of([small, VariantSchema.string()]),
			"map": VariantSchema.map(VariantSchema.string(), small), "typed": VariantSchema.array(small).typed(),
		}), [{
			"name": &"n", "path": ^"a/b:c", "any": [1, {2: 3}], "texts": PackedStringArray(["x"]), "either": "y",
			"map": {"k": 1}, "typed": [1, 2],
		}]],
	}


static func _decoded(codec: VariantCodec, value: Variant) -> Variant:
	return codec.data if codec.decode(var_to_bytes(value)) == OK else "refused: " + codec.get_error_message()


func test_what_is_built_is_what_bytes_become() -> void:
	var kinds := _kinds()
	for name: String in kinds:
		var schema: VariantSchema = kinds[name][0]
		var codec := VariantCodec.new()
		codec.schema = schema
		for value: Variant in kinds[name][1]:
			var packed := schema.pack(value)
			if not check(not packed.is_empty(), "%s: %s" % [name, schema.get_error_message()]):
				continue
			var want: Variant = _decoded(codec, value)
			for time: int in TIMES:
				var got: Variant = schema.unpack(packed, "refused")
				if not check_same(got, want, "%s, time %d" % [name, time]):
					break
				check_same(var_to_bytes(got), var_to_bytes(want), "%s: order of keys, time %d" % [name, time])


func test_defaults_are_built_in() -> void:
	var schema := VariantSchema.dict({
		"a": VariantSchema.int(0, 9),
		"b": VariantSchema.int(0, 9).default_value(5),
		"c": VariantSchema.string().default_value("x"),
		"d": VariantSchema.array(VariantSchema.int(0, 9)).default_value([]),
		"e": VariantSchema.int(0, 9).optional(),
	})
	var codec := VariantCodec.new()
	codec.schema = schema
	for time: int in TIMES:
		for value: Dictionary in [{"a": 1}, {"a": 1, "b": 7}, {"a": 2, "c": "y", "d": [3], "e": 4}, {"a": 0, "e": 1}]:
			var got: Dictionary = schema.unpack(schema.pack(value))
			check_same(got, _decoded(codec, value), "%s, time %d" % [value, time])
			# Each is its own.
			got.d.append(1)
			got.new = got


func test_each_value_is_its_own() -> void:
	var schema := VariantSchema.array(VariantSchema.dict({"a": VariantSchema.int(0, 9), "b": VariantSchema.array(VariantSchema.bool())}))
	var packed := schema.pack([{"a": 1, "b": [true]}, {"a": 2, "b": []}])
	for time: int in TIMES:
		var got: Array = schema.unpack(packed)
		check_same(got, [{"a": 1, "b": [true]}, {"a": 2, "b": []}], "time %d" % time)
		got[0].a = "other"
		got[0].b.append(got[1])
		got[1].erase("a")
		got[1].c = 7


func test_limits_speak_as_ever() -> void:
	var schema := VariantSchema.array(VariantSchema.dict({"a": VariantSchema.int(0, 9), "b": VariantSchema.int(0, 9)}))
	var packed := schema.pack(range(30).map(func(at: int) -> Dictionary: return {"a": at % 10, "b": 1}))
	var kinds := {
		"max_values": VariantCodec.TOO_MANY_VALUES, "max_depth": VariantCodec.TOO_DEEP,
		"max_heap_bytes": VariantCodec.TOO_MUCH_MEMORY, "max_output_bytes": VariantCodec.OUTPUT_TOO_LARGE,
	}
	for time: int in TIMES:
		check_same((schema.unpack(packed) as Array).size(), 30, "all, time %d" % time)
		for limit: String in kinds:
			var limits := VariantLimits.network()
			limits.set(limit, 1)
			check_same(schema.unpack(packed, "none", VariantSchema.TAGGED, limits), "none", limit)
			check_same(schema.get_error().code, kinds[limit], limit)
