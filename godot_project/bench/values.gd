extends RefCounted
## Makes values as games have them, equal in every run.


static func packet() -> Dictionary:
	return {"t": 1, "pos": Vector3(1.5, 2.5, 3.5), "vel": Vector3(0.1, 0.2, 0.3), "id": 12345, "name": "player"}


## Makes an entity of a game, with a value of each kind that entities have.
static func entity() -> Dictionary:
	return {"id": 1, "pos": Vector2(5, 6), "name": "Ork", "hp": 10, "tags": ["a", "b"], "state": &"idle",
		"path": ^"A/B", "color": Color.RED, "inventory": PackedInt32Array([1, 2, 3])}


static func packets(count: int) -> Array:
	return _made(count, func(i: int) -> Variant:
		var made := packet()
		made.id = i
		return made)


## Makes packets that a game sends in turns: ten records, no two with equal keys.
static func kinds() -> Array:
	return [
		{"id": 1, "pos": Vector2(1, 2)}, {"id": 2, "pos": Vector2(3, 4), "vel": Vector2.ONE}, {"spawn": 7, "kind": "orc"},
		{"hit": 7, "by": 8, "damage": 12.5}, {"chat": "gg", "from": 3}, {"pick": 5, "item": "potion", "count": 2},
		{"door": 4, "open": true}, {"hp": 80, "mana": 20, "xp": 1500}, {"tick": 123456, "ack": 123450},
		{"shot": 9, "from": Vector3.ZERO, "to": Vector3.ONE, "gun": "bow"},
	]


static func packet_array() -> Array:
	return packet().values()


## Makes a save of about 480 bytes an entity.
static func save(entities: int) -> Dictionary:
	var random := _random()
	var list := []
	for i in entities:
		list.append({
			"id": i, "name": "entity_%d" % i, "kind": ["orc", "elf", "crate", "door"][i % 4],
			"pos": _vector(random), "rot": random.randf(), "hp": random.randi_range(0, 100), "alive": i % 7 != 0,
			"tags": ["a", "b%d" % (i % 10)], "inv": {"gold": random.randi_range(0, 999), "potions": i % 3},
			"owner": null if i % 5 else "player", "vel": _vector(random), "speed": random.randf(),
			"level": random.randi_range(1, 99), "color": Color(random.randf(), 0.5, 0.25),
			"faction": StringName("faction_%d" % (i % 6)), "seen": i % 3 == 0,
		})
	return {"version": 3, "seed": 123456789012, "entities": list, "flags": {"intro": true, "boss": false}}


## Values that have no fast path of their own, by their kind.
static func rare(kind: String) -> Variant:
	var resources: Array[Resource] = []
	var values: Dictionary[String, Resource] = {}
	var all := {"Array[Resource]": resources, "Dictionary[String, Resource]": values, "a container as key": {[1]: 2}, "a RID": RID()}
	return all.values() if kind == "all of them" else all[kind]


## 128 bytes or a little more.
static func packet_with(kind: String) -> Dictionary:
	return {"t": 1, "pos": Vector3(1.5, 2.5, 3.5), "id": 12345, "name": "player", "items": rare(kind)}


## 300 KB with the rare value at the end.
static func entities_with(kind: String) -> Dictionary:
	var list := _made(2000, func(i: int) -> Variant:
		return {"id": i, "name": "entity %d" % i, "at": Vector2(i, 1), "hp": 1.5, "tags": ["a", "b"]})
	return {"list": list, "last": rare(kind)}


static func ints(count: int) -> Array:
	var random := _random()
	return _made(count, func(_i: int) -> Variant: return random.randi() - 0x8000_0000)


static func floats(count: int) -> Array:
	var random := _random()
	return _made(count, func(i: int) -> Variant: return random.randf() if i % 2 else float(i) * 0.1)


static func vectors(count: int) -> Array:
	var random := _random()
	return _made(count, func(_i: int) -> Variant: return _vector(random))


## Makes values of all types in turns, so that no type can be predicted.
static func mixed(count: int) -> Array:
	var random := _random()
	return _made(count, func(i: int) -> Variant:
		match i % 8:
			0: return i
			1: return random.randf()
			2: return "entity_%d" % i
			3: return _vector(random)
			4: return i % 3 == 0
			5: return null
			6: return Color(random.randf(), 0.5, 0.25)
		return StringName("state_%d" % (i % 40)))


static func typed_ints(count: int) -> Array[int]:
	return Array(ints(count), TYPE_INT, &"", null)


static func typed_strings(count: int) -> Array[String]:
	return Array(_made(count, func(i: int) -> Variant: return "string_%d" % i), TYPE_STRING, &"", null)


static func wide(count: int) -> Array:
	return _made(count, func(i: int) -> Variant: return (i << 33) + 1 if i % 2 else 0.1 + i)


static func transforms(count: int) -> Array:
	var random := _random()
	return _made(count, func(_i: int) -> Variant: return Transform3D(Basis(_vector(random).normalized(), 0.5), _vector(random)))


static func names(count: int) -> Array:
	return _made(count, func(i: int) -> Variant: return StringName("state_%d" % (i % 40)))


static func node_paths(count: int) -> Array:
	return _made(count, func(i: int) -> Variant: return NodePath("/root/level_%d/player:position:x" % i))


## Makes a dictionary with keys that few games have.
static func dictionary_by(kind: String, count: int) -> Dictionary:
	var made := {}
	for path: NodePath in node_paths(count):
		made[path if kind == "NodePath" else [made.size(), 1]] = made.size()
	return made


static func packed_arrays(count: int) -> Array:
	return _made(count, func(i: int) -> Variant: return PackedInt32Array(range(i % 50)))


static func text(kind: String, count: int) -> String:
	var random := _random()
	var codes := PackedInt32Array()
	codes.resize(count)
	for i in count:
		codes[i] = _code(kind, i, random)
	return codes.to_byte_array().get_string_from_utf32()


static func packed_strings(kind: String, count: int) -> PackedStringArray:
	var strings := PackedStringArray()
	var random := _random()
	for i in count:
		if kind == "ascii":
			strings.append("string_%d" % i)
		else:
			strings.append("имя_%d_名前_%s" % [i, String.chr(_code("mixed", i, random))])
	return strings


static func dictionary(keys: String, count: int) -> Dictionary:
	var made := {}
	for i in count:
		match keys:
			"int":
				made[i] = i * 3
			"String":
				made["key_%d" % i] = i
			_:
				made[StringName("key_%d" % i)] = i
	return made


static func typed_dictionary(count: int) -> Dictionary[String, int]:
	var made: Dictionary[String, int] = {}
	for i in count:
		made["key_%d" % i] = i
	return made


## Makes `levels` containers in one another, an Array and a Dictionary in turns.
static func nested(levels: int) -> Variant:
	var made: Variant = 1
	for level in levels:
		made = [made] if level % 2 else {"k": made}
	return made


static func tree(depth: int) -> Variant:
	if depth == 0:
		return [1, "leaf", Vector2(1, 2), &"name", Color.RED, 0.5, null, true, ^"a/b", Vector3i(1, 2, 3)]
	var made := {}
	for i in 4:
		made["%d_%d" % [depth, i]] = [tree(depth - 1), i, PackedByteArray([1, 2, 3])]
	return made


static func packed(type: int, count: int) -> Variant:
	var random := _random()
	var made: Variant = type_convert([], type)
	made.resize(count)
	for i in count:
		match type:
			TYPE_PACKED_VECTOR2_ARRAY:
				made[i] = Vector2(random.randf(), i)
			TYPE_PACKED_VECTOR3_ARRAY:
				made[i] = _vector(random)
			TYPE_PACKED_VECTOR4_ARRAY:
				made[i] = Vector4(random.randf(), 2, 3, i)
			TYPE_PACKED_COLOR_ARRAY:
				made[i] = Color(random.randf(), 0.5, 0.25)
			_:
				made[i] = i % 251
	return made


## Makes an Array that claims the largest possible count in 12 bytes.
static func claimed_elements() -> PackedByteArray:
	return PackedByteArray([28, 0, 0, 0, 255, 255, 255, 127, 0, 0, 0, 0])


static func unknown_type() -> PackedByteArray:
	return PackedByteArray([28, 0, 0, 0, 1, 0, 0, 0, 99, 0, 0, 0, 0, 0, 0, 0])


static func broken_text() -> PackedByteArray:
	return PackedByteArray([4, 0, 0, 0, 8, 0, 0, 0, 97, 98, 99, 255, 254, 97, 98, 99])


static func _made(count: int, element: Callable) -> Array:
	var made := []
	made.resize(count)
	for i in count:
		made[i] = element.call(i)
	return made


static func _code(kind: String, i: int, random: RandomNumberGenerator) -> int:
	match kind:
		"ascii":
			return 32 + i % 95
		"cjk":
			return 0x4E00 + i % 0x5000
		"cyrillic":
			return 0x20 if i % 6 == 5 else 0x430 + i % 32
	return [random.randi_range(32, 126), random.randi_range(0x400, 0x4FF), random.randi_range(0x4E00, 0x9000),
		random.randi_range(0x1F600, 0x1F640)][random.randi() % 4]


static func _vector(random: RandomNumberGenerator) -> Vector3:
	return Vector3(random.randf(), random.randf() * 100.0, random.randf() - 0.5)


static func _random() -> RandomNumberGenerator:
	var random := RandomNumberGenerator.new()
	random.seed = 20240
	return random


static func objects(count: int) -> Array:
	var objects := []
	for i in count:
		var entity := preload("res://bench/objects_entity.gd").new()
		entity.id = i
		entity.name = "entity_%d" % i
		entity.hp = i % 100
		entity.at = Vector2(i, -i)
		entity.speed = 0.5 * (i % 7)
		entity.alive = i % 3 > 0
		objects.append(entity)
	return objects
