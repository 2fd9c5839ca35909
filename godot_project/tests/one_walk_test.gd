extends "engine_suite.gd"
## Compares decoding, which judges and builds in one walk, with `validate()`, which only judges, with fast
## paths of its own. Both have to say the same of any bytes, to the byte and the path, wherever they are cut,
## spoiled or over a limit.

var _codec := VariantCodec.new()
var _accepted := var_to_bytes([1, 2])
var _samples: Array = [
	{"t": 1, "pos": Vector3.ONE, "name": "player", "list": [1, 2.5, "x"], "in": {"a": {}, "b": null, "t": true}},
	[{"id": 1, "kind": &"orc"}, {"id": 2, "kind": &"orc"}, {"id": 3, "kind": &"elf", "long key of thirty letters": 1}],
	{1: "int", 2.5: "float", &"name": "name", Vector2i.ONE: "vector", true: "bool", ^"a/b:c": "path"},
	[Transform3D.IDENTITY, Quaternion.IDENTITY, Color.RED, PackedInt32Array([1, 2, 3]), PackedStringArray(["a", "имя"])],
	[^"/root/a:b", ^"", ^"a", ^"/root/a:b", {"again": ^"a"}, ^"/root/a:b", PackedByteArray([1, 2, 3]), [[[], {}], PackedVector3Array([Vector3.ONE])]],
]


func _init() -> void:
	super()
	_samples.append(_numbered(17))
	_samples.append(_numbered(70))


func test_bytes_that_end_too_soon() -> void:
	for round in 2:  # the second one with cached keys
		for value: Variant in _samples:
			var bytes := var_to_bytes(value)
			for end in range(0, bytes.size() + 1, 1 if long else 1 + bytes.size() / 200):
				_agree(bytes.slice(0, end), "%d bytes of %s" % [end, value])


func test_every_word_spoiled() -> void:
	for value: Variant in _samples:
		var bytes := var_to_bytes(value)
		for at in range(0, bytes.size(), 4 if long else 4 + bytes.size() / 300 * 4):
			for word: int in [0, 2, 4, 21, 28, 0x10002, 0xFFFFFFFF]:
				var spoiled := bytes.duplicate()
				spoiled.encode_u32(at, word)
				_agree(spoiled, "%x at %d of %s" % [word, at, value])


func test_every_limit_at_every_value() -> void:
	for value: Variant in _samples.slice(0, 5):
		var bytes := var_to_bytes(value)
		for most in 40:
			_codec.limits = VariantLimits.network()
			_codec.limits.max_values = most
			_agree(bytes, "%d values of %s" % [most, value])
		for most in range(0, 6000, 24):
			_codec.limits = VariantLimits.network()
			_codec.limits.max_heap_bytes = most
			_agree(bytes, "%d heap bytes for %s" % [most, value])
		for most in 24:
			_codec.limits = VariantLimits.network()
			_codec.limits.max_string_bytes = most
			_codec.limits.max_depth = most
			_agree(bytes, "texts and depth of %d in %s" % [most, value])
	_codec.limits = VariantLimits.save_file()


func test_equal_keys_wherever_they_stand() -> void:
	for count: int in [2, 8, 9, 16, 17, 18, 64, 65, 200]:
		for kind: String in ["text", "name", "int", "long"]:
			var keys := range(count).map(func(i: int) -> Variant: return _key(kind, i))
			for first: int in [0, (count - 1) / 2, count - 2]:
				var twice := keys.duplicate()
				twice[count - 1] = StringName(keys[first]) if kind == "text" else keys[first]
				var bytes := _of_entries(twice)
				_agree(bytes, "%d keys of %s, %d again" % [count, kind, first])
				check(_codec.get_error().get("code") == VariantCodec.DUPLICATE_KEY, "%d %s: not refused" % [count, kind])
			_agree(_of_entries(keys), "%d keys of %s" % [count, kind])
			check(_codec.decode(_of_entries(keys)) == OK, "%d %s: refused" % [count, kind])


## Tests records that begin alike: earlier ones predict the keys, and other keys come.
func test_keys_that_are_not_as_before() -> void:
	var random := RandomNumberGenerator.new()
	random.seed = 4
	var values: Array = [7, 2.5, "short", "a text of more than sixteen letters", Vector3.ONE, null, true, &"name", [1], {"in": 1}]
	for round in 40 if not long else 4000:
		var count := random.randi_range(1, 17)
		var usual: Array = ["id"]
		for i in range(1, count):
			usual.append(["key_%d", "a much longer key, number %d", "ключ %d", "k%d"][random.randi() % 4 if round % 2 else 3] % i)
		for time in 12:
			var keys := usual.duplicate()
			if time > 4 and time % 3 > 0:
				var at := random.randi() % count
				keys[at] = [&"id", "other", 5, StringName(keys[at]), null][random.randi() % 5]
			var record := {}
			for key: Variant in keys:
				record[key] = values[random.randi() % values.size()]
			var bytes := var_to_bytes([record, record, {"in": record}])
			check(var_to_bytes(VariantStream.decode(bytes)) == bytes, "round %d: %s" % [round, record])
			for end: int in [bytes.size() - 4, bytes.size() / 2, random.randi() % bytes.size()]:
				_agree(bytes.slice(0, end), "%d bytes of %s" % [end, record])
			var twice := keys.duplicate()
			twice[count - 1] = twice[random.randi() % count]
			_agree(_of_entries(twice), "keys %s" % [twice])


## Tests a codec that has refused many inputs, which checks first: its answers do not change, neither on good
## bytes nor on bad ones.
func test_whatever_was_refused_before() -> void:
	var good := var_to_bytes(_samples[0])
	var bad := good.slice(0, -4)
	var judge := VariantCodec.new()
	check_error(judge.validate(bad), ERR_FILE_EOF, "bad bytes judged")
	_forget_refusals()
	for accepted: int in [1, 0, 3, 0, 0, 0, 0, 0, 9, 0, 1, 0, 2]:
		for i in accepted:
			check_error(_codec.decode(good), OK, "good bytes")
			check(var_to_bytes(_codec.data) == good, "the value of good bytes")
		check_error(_codec.decode(bad), ERR_FILE_EOF, "bad bytes")
		check(_codec.data == null and _codec.get_error() == judge.get_error(), "%s" % _codec.get_error())


## Tests keys that need too many probes with another fault soon after: the first of both is reported.
func test_floods_that_end_too_soon() -> void:
	var keys := range(20_000).filter(func(i: int) -> bool: return hash(i) % 97 == 3).slice(0, 60)
	var bytes := _of_entries(keys)
	_codec.limits = VariantLimits.network()
	var kinds := {}
	for most: int in [0, 1, 2, 4, 8, 16, 64]:
		_codec.limits.max_key_probes = most
		for end in range(0, bytes.size() + 1, 4):
			_agree(bytes.slice(0, end), "%d bytes of a flood with %d probes" % [end, most])
			kinds[_codec.get_error().get("code", OK)] = true
	check(kinds.has(VariantCodec.TOO_MANY_PROBES) and kinds.has(VariantCodec.INCOMPLETE), "no flood: %s" % kinds)
	_codec.limits = VariantLimits.save_file()


## Tests large dictionaries again and again: caches of earlier calls change nothing, at the sizes where the
## engine's table grows.
func test_large_dictionaries_again_and_again() -> void:
	for count: int in [17, 18, 35, 36, 72, 73, 144, 145, 577, 578, 1157, 1158, 5000]:
		for kind: String in ["text", "name", "int"]:
			var expected := {}
			for i in count:
				expected[_key(kind, i)] = i
			var bytes := var_to_bytes(expected)
			for turn in 4:
				check(_codec.decode(bytes) == OK, "%d %s: refused" % [count, kind])
				var decoded: Dictionary = _codec.data
				check(var_to_bytes(decoded) == bytes, "%d %s, turn %d: another value" % [count, kind, turn])
				decoded["more"] = turn
				check(decoded.size() == count + 1 and decoded.has(_key(kind, 0)), "%d %s: no room" % [count, kind])
		var texts := typed_dictionary({}, TYPE_STRING, TYPE_INT)
		var ints := typed_dictionary({}, TYPE_INT, TYPE_NIL)
		for i in count:
			texts["key_%d" % i] = i
			ints[i * 7] = "value"
		for typed: Dictionary in [texts, ints]:
			var bytes := var_to_bytes(typed)
			for turn in 4:
				check(_codec.decode(bytes) == OK, "%d typed: refused" % count)
				var decoded: Dictionary = _codec.data
				check(TypedContainers.same_dictionary(decoded, typed) and var_to_bytes(decoded) == bytes, "%d typed: another value" % count)
				decoded.clear()


## Tests values that stand alone, which take no walk at all; in an array they do.
func test_values_that_stand_alone() -> void:
	var alone: Array = [null, true, 5, 1 << 40, 1.5, 0.1, "", "player", "имя", "a text of more than sixteen", &"name", ^"a",
			{}, [], [1], Vector2.ONE, Vector4i.ONE, Color.RED, Quaternion.IDENTITY, Transform3D.IDENTITY, Projection.IDENTITY]
	for type in range(TYPE_PACKED_BYTE_ARRAY, TYPE_MAX):
		for size: int in [0, 1, 3, 100]:
			var packed: Variant = type_convert([], type)
			packed.resize(size)
			alone.append(packed)
	for value: Variant in alone:
		var bytes := var_to_bytes(value)
		var walked: Variant = VariantStream.decode(var_to_bytes([value]))[0]
		var decoded: Variant = VariantStream.decode(bytes)
		check_same(decoded, walked, "%s" % [value])
		check(VariantStream.decode(bytes, decoded) == decoded, "%s with a fallback of its type" % [value])
		check(VariantStream.get_last_error().is_empty(), "%s leaves an error" % [value])
		var other: Variant = 7 if value is String else "other"
		check(VariantStream.decode(bytes, other) == other, "%s with a fallback of another type" % [value])
		check(VariantStream.get_last_error().get("code") == VariantCodec.INVALID_ARGUMENT, "%s is no wrong type" % [value])
		for most in 40:
			_codec.limits = VariantLimits.network()
			_codec.limits.max_heap_bytes = most * 8
			_codec.limits.max_bytes = 4 + most
			_agree(bytes, "%d bytes for %s" % [most, value])
		_codec.limits = VariantLimits.save_file()
		for end in mini(bytes.size(), 40):
			_agree(bytes.slice(0, end), "%d bytes of %s" % [end, value])


func _agree(bytes: PackedByteArray, what: String) -> void:
	var judged := _codec.validate(bytes)
	var expected := _codec.get_error()
	_forget_refusals()
	var decoded := _codec.decode(bytes)
	check(decoded == judged and _codec.get_error() == expected,
			"%s: decode says %s, validate %s" % [what, _codec.get_error(), expected])


## Makes the codec forget its refusals: after some it checks before it builds, as `validate()` does, and here
## it has to build at once.
func _forget_refusals() -> void:
	var limits := _codec.limits
	_codec.limits = null
	for i in 2:
		_codec.decode(_accepted)
	_codec.limits = limits


func _numbered(count: int) -> Dictionary:
	var made := {}
	for i in count:
		made["key_%d" % i] = [i, "text", {"key_0": i}]
	return made


func _key(kind: String, i: int) -> Variant:
	match kind:
		"text":
			return "key_%d" % i
		"name":
			return StringName("key_%d" % i)
		"long":
			return "a key that is longer than what is kept: %d" % i
	return i * 1_000_000_007


func _of_entries(keys: Array) -> PackedByteArray:
	var bytes := PackedByteArray([27, 0, 0, 0, 0, 0, 0, 0])
	bytes.encode_u32(4, keys.size())
	for key: Variant in keys:
		bytes.append_array(var_to_bytes(key))
		bytes.append_array(var_to_bytes("value"))
	return bytes
