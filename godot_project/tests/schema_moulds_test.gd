extends "suite.gd"
## Tests that values which decoding under a schema copies from templates are right and not shared.
## Dictionaries whose keys it knows are such copies, and texts that the schema lists are shared by reference.

const ROUNDS := 4
const KEYS: Array[String] = ["a", "kind", "a key of more than sixteen", "list", "far", "a key that is too long to be kept"]


static func _schema() -> VariantSchema:
	var item := VariantSchema.dict({
		"id": VariantSchema.int(), "of": VariantSchema.enum(["one", "zwei \u00e4", "", 3]).optional(),
		"in": VariantSchema.ref("item").optional(),
	})
	return VariantSchema.dict({
		"a": VariantSchema.vector2().optional(),
		"kind": VariantSchema.enum(["jump", "fire"]).optional("fire"),
		"a key of more than sixteen": VariantSchema.string().optional(),
		"list": VariantSchema.array(VariantSchema.ref("item")).optional(),
		"far": VariantSchema.discriminated("is", {
			"b": VariantSchema.dict({"x": VariantSchema.tuple([VariantSchema.enum(["u", "v"]), VariantSchema.int()])}),
			"c": VariantSchema.dict({"y": VariantSchema.float().optional()}),
		}).optional({"is": "c", "y": 1.5}),
		"a key that is too long to be kept": VariantSchema.int().nullable().optional(5),
	}).define("item", item)


static func _value(key: String, number: int) -> Variant:
	match key:
		"a":
			return Vector2(number, -number)
		"kind":
			return ["jump", "fire"][number % 2]
		"a key of more than sixteen":
			return "text %d" % number
		"list":
			var inner := {"id": number, "of": "one"}
			return [inner.duplicate(), {"id": 2, "of": "zwei \u00e4", "in": inner}, {"of": "", "id": 1}, {"id": 4, "of": 3}]
		"far":
			return {"is": "b", "x": ["v", number]} if number % 3 else {"y": 0.5, "is": "c"}
	return null if number % 2 else number


## Makes packets with every choice of keys, in the order of the schema and in another one.
static func _packets() -> Array[Dictionary]:
	var all: Array[Dictionary] = []
	for choice in 1 << KEYS.size():
		for is_backwards: bool in [false, true]:
			var packet := {}
			for at in KEYS.size():
				var key := KEYS[KEYS.size() - 1 - at if is_backwards else at]
				if choice >> KEYS.find(key) & 1:
					packet[key] = _value(key, choice)
			all.append(packet)
	return all


static func _with_defaults(packet: Dictionary) -> Dictionary:
	var whole := packet.duplicate(true)
	for key: String in ["kind", "far", "a key that is too long to be kept"]:
		if not packet.has(key):
			whole[key] = {"kind": "fire", "far": {"is": "c", "y": 1.5}}.get(key, 5)
	return whole


func _codec() -> VariantCodec:
	var codec := VariantCodec.new()
	codec.schema = _schema()
	return codec


func test_whatever_keys_come_again() -> void:
	var codec := _codec()
	for packet in _packets():
		var bytes := var_to_bytes(packet)
		var wanted := var_to_bytes(_with_defaults(packet))
		for turn in ROUNDS:
			check_error(codec.decode(bytes), OK, str(packet))
			check_same(var_to_bytes(codec.data), wanted, "turn %d: %s" % [turn, packet])


func test_forms_that_take_turns() -> void:
	var codec := _codec()
	for turn in ROUNDS:
		for packet in _packets():
			check_error(codec.decode(var_to_bytes(packet)), OK, str(packet))
			check_same(var_to_bytes(codec.data), var_to_bytes(_with_defaults(packet)), "turn %d: %s" % [turn, packet])


## Tests that a script's change of a value is not visible in another one.
func test_values_are_nobody_elses() -> void:
	var codec := _codec()
	var packet := _with_defaults({"kind": "jump", "list": _value("list", 1), "far": _value("far", 1)})
	var bytes := var_to_bytes(packet)
	for turn in ROUNDS:
		check_error(codec.decode(bytes), OK, "turn %d" % turn)
		check_same(codec.data, packet, "turn %d" % turn)
		codec.data.more = turn
		codec.data.kind += "ing"
		codec.data.list[1]["in"].clear()
		codec.data.list[0].erase("id")
		codec.data.far.x.append(codec.data.list)


## Tests another schema with the same keys in another order, and the first one again.
func test_schemas_that_take_turns() -> void:
	var codec := VariantCodec.new()
	var schemas: Array[VariantSchema] = [
		VariantSchema.dict({"a": VariantSchema.int(), "b": VariantSchema.enum(["x", "y"])}),
		VariantSchema.dict({"b": VariantSchema.enum(["y", "x"]), "a": VariantSchema.int()}),
		VariantSchema.dict({"c": VariantSchema.int(), "d": VariantSchema.enum(["z"])}),
	]
	var packets: Array[Dictionary] = [{"a": 1, "b": "x"}, {"b": "x", "a": 1}, {"c": 1, "d": "z"}]
	for turn in ROUNDS * ROUNDS:
		codec.schema = schemas[turn / 3 % 3]
		check_error(codec.decode(var_to_bytes(packets[turn / 3 % 3])), OK, "turn %d" % turn)
		check_same(var_to_bytes(codec.data), var_to_bytes(packets[turn / 3 % 3]), "turn %d" % turn)
