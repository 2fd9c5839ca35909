extends "engine_suite.gd"
## Tests the form of values in which the order of entries makes no difference, and the hash of it.


func test_any_order_gives_the_same_bytes() -> void:
	var codec := VariantCodec.new()
	check_same(codec.sort_keys, false, "unless it is asked for")
	codec.sort_keys = true
	var random := RandomNumberGenerator.new()
	random.seed = 38
	for turn in 200:
		var value: Variant = _value(random, 4)
		var turned: Variant = _turned(value, random)
		var bytes := codec.encode(value)
		check_bytes(codec.encode(turned), bytes, "turn %d" % turn)
		check_same(VariantStream.hash_of(turned), VariantStream.hash_of(value), "its hash")
		check_same(bytes.size(), var_to_bytes(value).size(), "its size")
		# What is sorted stays as it is.
		check_bytes(codec.encode(bytes_to_var(bytes)), bytes, "again")


func test_the_order_is_that_of_bytes() -> void:
	var codec := VariantCodec.new()
	codec.sort_keys = true
	var value := {"b": 1, 1 << 40: 2, "aa": 3, "a": 4, 5: 5, null: 6, 256: 7}
	check_same(bytes_to_var(codec.encode(value)).keys(), [null, 256, 5, 1 << 40, "a", "b", "aa"], "keys")
	var typed := typed_dictionary({"b": 1, "a": 2}, TYPE_STRING, TYPE_INT)
	check_same(bytes_to_var(codec.encode(typed)), typed_dictionary({"a": 2, "b": 1}, TYPE_STRING, TYPE_INT), "its types")
	check_same(bytes_to_var(codec.encode([&"n", ^"a/b:c", PackedStringArray(["z", "a"])])),
		[&"n", ^"a/b:c", PackedStringArray(["z", "a"])], "what has no order")
	codec.dialect = VariantStream.GODOT_3
	check_bytes(codec.encode({"b": 1, "a": 2}),
		VariantStream.transcode(var_to_bytes({"a": 2, "b": 1}), VariantStream.GODOT_4, VariantStream.GODOT_3), "Godot 3")


## Computed by another implementation of XXH3, in Python.
func test_hashes_are_the_published_ones() -> void:
	var hashes := {
		null: 5238470482016868669,
		7: 2977162158640970908,
		{}: 1090472907199677283,
		{"b": {"x": true, -5: null}, "a": [1, 2]}: -2124812450918628010,
	}
	for value: Variant in hashes:
		check_same(VariantStream.hash_of(value), hashes[value], str(value))
		check(VariantStream.get_last_error().is_empty(), str(VariantStream.get_last_error()))


func test_what_differs_hashes_differently() -> void:
	var seen := {}
	# A literal -0.0 beside 0.0 is the same constant to GDScript.
	var minus_zero := PackedByteArray([0, 0, 0, 0, 0, 0, 0, 0x80]).decode_double(0)
	for value: Variant in [1, 1.0, true, "1", &"1", ^"1", [1], {1: 1}, {1: 2}, {2: 1}, [], {}, [[]], [{}], null, 0.0, minus_zero, "",
			[1, 2], [2, 1], Vector2(1, 2), Vector2i(1, 2), PackedByteArray([1]), PackedInt32Array([1])]:
		var hash := VariantStream.hash_of(value)
		check(hash != 0 and not seen.has(hash), "%s as %s" % [value, seen.get(hash)])
		seen[hash] = value


## Their ids are other ones in each process.
func test_what_is_of_this_process_is_not_hashed() -> void:
	var node := Node.new()
	for value: Variant in [node, RefCounted.new(), Callable(node, &"free"), Signal(node, &"ready"), node.get_tree.bind(1)]:
		check_same(VariantStream.hash_of({"a": [value]}), 0, type_string(typeof(value)))
		check_same(VariantStream.get_last_error().get("path"), "a[0]", "where")
	node.free()
	var holds_itself := []
	holds_itself.append(holds_itself)
	check_same(VariantStream.hash_of(holds_itself), 0, "what holds itself")
	holds_itself.clear()


func _value(random: RandomNumberGenerator, depth: int) -> Variant:
	match random.randi() % (7 if depth > 0 else 4):
		0: return random.randi()
		1: return "text %d" % (random.randi() % 100)
		2: return Vector2(random.randf(), 1)
		3: return null
		4: return range(random.randi() % 4).map(func(_i: int) -> Variant: return _value(random, depth - 1))
	var dictionary := {}
	for i in random.randi() % 6:
		dictionary[_value(random, 0 if i % 3 else depth - 1)] = _value(random, depth - 1)
	return dictionary


## Returns the value with the entries of its dictionaries in another order, at every level.
func _turned(value: Variant, random: RandomNumberGenerator) -> Variant:
	if value is Array:
		return value.map(func(item: Variant) -> Variant: return _turned(item, random))
	if not value is Dictionary:
		return value
	var keys: Array = value.keys()
	for i in keys.size():
		var j := random.randi() % keys.size()
		var key: Variant = keys[i]
		keys[i] = keys[j]
		keys[j] = key
	var turned := {}
	for key: Variant in keys:
		turned[_turned(key, random)] = _turned(value[key], random)
	return turned
