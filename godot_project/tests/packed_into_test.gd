extends "suite.gd"
## Tests decode_into() of packed bytes: the target becomes what decode() makes, as it does of bytes of the same value, whatever
## stands there, and keeps the same containers.

const BARE := VariantSchema.BARE
const ROUNDS := 300


static func _body(more: Dictionary = {}) -> VariantSchema:
	var keys := {
		"id": VariantSchema.int(0, 255), "pos": VariantSchema.vector3().quantized(0.01, -64, 64), "on": VariantSchema.bool(),
		"rot": VariantSchema.quaternion().bits(9), "aim": VariantSchema.angle(10), "color": VariantSchema.color(),
		"kind": VariantSchema.enum(["a", "bb", 7]), "at": VariantSchema.dict({"cell": VariantSchema.int(-9, 9), "mark": VariantSchema.enum(["only"])}),
		"frame": VariantSchema.transform3d(),
	}
	keys.merge(more)
	return VariantSchema.dict(keys)


static func _world(more: Dictionary = {}) -> VariantSchema:
	return VariantSchema.dict({"tick": VariantSchema.int(0, 65535), "bodies": VariantSchema.array(_body(more)).keyed("id").max_size(60)})


## More keys of a record: with none it is a plan; texts, what may be missing or null, and what only a judge sees are none of it.
static func _more() -> Array[Dictionary]:
	return [
		{}, {"name": VariantSchema.string()}, {"note": VariantSchema.string().optional("-")}, {"goal": VariantSchema.vector2().nullable()},
		{"way": VariantSchema.vector3().normalized()},
		{"path": VariantSchema.array(VariantSchema.vector2i()).max_size(9), "bytes": VariantSchema.packed_byte_array()},
	]


static func _value(random: RandomNumberGenerator, count: int, more: Dictionary) -> Dictionary:
	var bodies := []
	for at in count:
		var number := func() -> float: return random.randf_range(-20, 20)
		bodies.append({
			"id": at * 2, "pos": Vector3(number.call(), number.call(), number.call()), "on": random.randi() % 2 == 0,
			"rot": Quaternion.from_euler(Vector3(number.call(), number.call(), 0)), "aim": number.call(), "color": Color(random.randf(), 0.5, 1.0, 0.25),
			"kind": ["a", "bb", 7][random.randi() % 3], "at": {"cell": random.randi_range(-9, 9), "mark": "only"},
			"frame": Transform3D(Basis(Vector3.UP, number.call()), Vector3(number.call(), 0, 1)),
			"name": ["", "short", "a longer text than that"][random.randi() % 3], "note": ["-", "new"][random.randi() % 2],
			"goal": [null, Vector2(1, 2)][random.randi() % 2], "way": Vector3(number.call(), 1, 2).normalized(),
			"path": range(random.randi() % 3).map(func(n: int) -> Vector2i: return Vector2i(n, -n)), "bytes": PackedByteArray([1, 2, random.randi() % 9]),
		})
		for key: String in ["name", "note", "goal", "way", "path", "bytes"]:
			if not more.has(key):
				bodies[at].erase(key)
	return {"tick": random.randi() % 65536, "bodies": bodies}


static func _codecs(schema: VariantSchema) -> Array:
	var packed := VariantCodec.new()
	packed.schema = schema
	packed.form = VariantCodec.FORM_PACKED
	packed.tagging = BARE
	var plain := VariantCodec.new()
	plain.schema = schema
	return [packed, plain]


## Makes a target another than what comes, in one of many ways.
static func _changed(target: Dictionary, random: RandomNumberGenerator) -> Dictionary:
	var bodies: Array = target.bodies
	var body: Dictionary = bodies[random.randi() % bodies.size()]
	match random.randi() % 14:
		0: bodies.pop_back()
		1: bodies.append(body)
		2: bodies[0] = bodies[-1]
		3: body.erase("pos")
		4: body["pos"] = null
		5: body["pos"] = body["rot"]
		6: body["id"] = 0.5
		7: body["kind"] = [1]
		8: body["at"] = {"mark": "only", "cell": 1}
		9: body["at"] = body
		10: body[&"on"] = true; body.erase("on")
		11: body.make_read_only()
		12: bodies[0] = {}
		13: body["frame"] = 5
	return target


func test_the_target_is_what_bytes_make_of_it() -> void:
	var random := RandomNumberGenerator.new()
	random.seed = 49
	for more: Dictionary in _more():
		var codecs := _codecs(_world(more))
		for turn in ROUNDS / 6:
			var bytes: PackedByteArray = codecs[0].encode(_value(random, 5, more))
			check(not bytes.is_empty(), codecs[0].get_error_message())
			check_same(codecs[0].decode(bytes), OK, "decode")
			var want: Dictionary = codecs[0].data
			var old := _value(random, 5, more)
			var state := random.state
			var targets: Array = range(2).map(func(_n: int) -> Dictionary:
				random.state = state
				return _changed(old.duplicate(true), random) if turn % 2 else old.duplicate(true))
			var kept: Array = targets.map(func(target: Dictionary) -> Array: return [target.bodies] + target.bodies)
			check_same(codecs[0].decode_into(targets[0], bytes), OK, "packed")
			check_same(codecs[1].decode_into(targets[1], var_to_bytes(want)), OK, "bytes")
			check_bytes(var_to_bytes(targets[0]), var_to_bytes(want), "the value, turn %d of %s" % [turn, more.keys()])
			for at: int in targets[0].bodies.size():
				var is_kept: Array = range(2).map(func(n: int) -> bool: return at + 1 < kept[n].size() and is_same(targets[n].bodies[at], kept[n][at + 1]))
				check_same(is_kept[0], is_kept[1], "body %d is kept, turn %d" % [at, turn])
			check(is_same(targets[0].bodies, kept[0][0]), "the array is kept")


## Every packet with one wrong bit is refused, and leaves the target alone, or is a value.
func test_a_refused_packet_changes_nothing() -> void:
	var random := RandomNumberGenerator.new()
	random.seed = 5
	for more: Dictionary in _more():
		var codec: VariantCodec = _codecs(_world(more))[0]
		var bytes := codec.encode(_value(random, 2, more))
		var old := _value(random, 2, more)
		for bit: int in bytes.size() * 8:
			var flipped := bytes.duplicate()
			flipped[bit / 8] ^= 1 << bit % 8
			var target := old.duplicate(true)
			if codec.decode_into(target, flipped) == OK:
				check_same(codec.decode(flipped), OK, "bit %d" % bit)
				check_bytes(var_to_bytes(target), var_to_bytes(codec.data), "the value, bit %d" % bit)
			else:
				check_bytes(var_to_bytes(target), var_to_bytes(old), "the target, bit %d" % bit)


func test_differences_go_into_targets_too() -> void:
	var random := RandomNumberGenerator.new()
	random.seed = 8
	var codec: VariantCodec = _codecs(_world())[0]
	var values: Array = range(3).map(func(_n: int) -> Dictionary: return _value(random, 4, {}))
	var packed: Array = values.map(func(value: Dictionary) -> PackedByteArray: return codec.encode(value))
	var target: Dictionary = values[0].duplicate(true)
	var body: Dictionary = target.bodies[1]
	for bases: Variant in [packed[0], [packed[1], packed[0]]]:
		codec.baseline = bases
		var delta := codec.encode(values[2])
		check_same(codec.decode_into(target, delta), OK, "decode_into")
		codec.baseline = PackedByteArray()
		check_bytes(codec.encode(target), packed[2], "the value")
		check(is_same(body, target.bodies[1]), "a body is kept")
