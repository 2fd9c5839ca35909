extends "engine_suite.gd"
## Compares our encoding and decoding with the engine's on values. They are every type's edge values alone and
## inside every kind of container, text, sizes, nesting and random trees. malformed_test.gd has the buffers
## that no engine wrote.

const SEED := 9173
const ALL_CODE_POINTS := 0x110000


func test_edge_values_alone() -> void:
	_each_edge(func(value: Variant) -> Variant: return value)


func test_edge_values_in_arrays() -> void:
	_each_edge(func(value: Variant) -> Variant: return [value, [value], value])


func test_edge_values_as_dictionary_values() -> void:
	_each_edge(func(value: Variant) -> Variant: return {"a": value, &"b": {1: value}})


func test_edge_values_as_dictionary_keys() -> void:
	_each_edge(func(value: Variant) -> Variant: return {value: 1, "other": {value: value}})


func test_all_edge_values_of_a_type_as_keys_of_one_dictionary() -> void:
	for type in TYPE_MAX:
		var all := {}
		for value: Variant in edges.of_type[type]:
			all[value] = all.size()
		check_both_ways(all, type_string(type), type == TYPE_OBJECT)


func test_typed_arrays_of_every_builtin() -> void:
	for type in TYPE_MAX:
		var typed := Typing.builtin(type)
		check_both_ways(Typing.array(typed, []), "empty %s" % type_string(type))
		var elements := edges.of_type[type] if type != TYPE_OBJECT else [edges.of_type[type][1], null]
		var full := Typing.array(typed, elements)
		check(full.size() > 0, "nothing fits an array of %s" % type_string(type))
		check_both_ways(full, type_string(type), type == TYPE_OBJECT)
		check_both_ways({"a": [full, full]}, "nested " + type_string(type), type == TYPE_OBJECT)


func test_typed_arrays_of_classes_and_scripts() -> void:
	var item: GDScript = load("res://addons/variant_stream/ci/sample_objects/item.gd")
	for name: StringName in [&"Object", &"RefCounted", &"Resource", &"Node", &"EncodedObjectAsID"]:
		check_both_ways(Typing.array(Typing.of_class(name), []), "empty %s" % name)
		check_both_ways([Typing.array(Typing.of_class(name), [null])], "null %s" % name)
	var typed := Typing.array(Typing.of_class(&"RefCounted", item), [item.new(), null])
	check_both_ways(typed, "script", true)


func test_typed_dictionaries_of_every_pair_of_builtins() -> void:
	if Typing.dictionaries == null:
		skip("typed dictionaries came with 4.4")
		return
	for key in TYPE_MAX:
		for value in TYPE_MAX:
			var entries := {}
			for i in mini(3, edges.of_type[key].size()):
				entries[_fitting(key, i + 1)] = _fitting(value, i)
			var typed: Dictionary = Typing.dictionaries.make(entries, Typing.builtin(key), Typing.builtin(value))
			var objects := key == TYPE_OBJECT or value == TYPE_OBJECT
			check_both_ways(typed, "Dictionary[%s, %s]" % [type_string(key), type_string(value)], objects)
		typed_values_of_classes(key)


func typed_values_of_classes(key: int) -> void:
	var item: GDScript = load("res://addons/variant_stream/ci/sample_objects/item.gd")
	for value: Dictionary in [Typing.of_class(&"Node"), Typing.of_class(&"RefCounted", item)]:
		check_both_ways(Typing.dictionaries.make({}, Typing.builtin(key), value), "to %s" % value)
		check_both_ways([Typing.dictionaries.make({}, value, Typing.builtin(key))], "from %s" % value)


func test_nested_typed_containers_keep_their_types() -> void:
	var ints: Array[int] = [1, 2]
	var arrays: Array[Array] = [ints, [], ["x"]]
	var dictionaries: Array[Dictionary] = [{"a": arrays}, {1: ints}]
	check_both_ways(dictionaries, "nested")
	var filtered := ints.filter(func(_i: int) -> bool: return true)
	check_both_ways([ints.slice(1), ints.duplicate(), ints.map(str), filtered], "made by methods")


func test_ints_at_every_power_of_two() -> void:
	for bit in 64:
		for off in [-1, 0, 1]:
			check_both_ways((1 << bit) + off, "2^%d%+d" % [bit, off])
			check_both_ways(-(1 << bit) + off, "-2^%d%+d" % [bit, off])


func test_floats_at_every_exponent() -> void:
	var bytes := PackedByteArray([0, 0, 0, 0, 0, 0, 0, 0])
	for exponent in 2048:
		# The fraction bits are: none, the last an f32 keeps, the first it does not, its subnormals', all.
		for fraction: int in [0, 1 << 29, 1 << 28, 1 << 51, 1, (1 << 52) - 1, ((1 << 23) - 1) << 29]:
			bytes.encode_s64(0, (exponent << 52) | fraction)
			check_both_ways(bytes.decode_double(0), "exponent %d" % exponent)
			bytes[7] |= 0x80
			check_both_ways(bytes.decode_double(0), "exponent -%d" % exponent)


func test_text_of_every_length() -> void:
	for length in 40:
		for letter: String in ["a", "é", "漢", "😀"]:
			var text := letter.repeat(length)
			var texts := PackedStringArray([text, "", text])
			check_both_ways([text, StringName(text), texts], "%d x %s" % [length, letter])
			check_both_ways(NodePath("%sx/b%s:%sy" % [text, text, text]), "path %d x %s" % [length, letter])


func test_every_code_point() -> void:
	const STEP := 0x1000
	for from in range(0, ALL_CODE_POINTS, STEP):
		var units := PackedByteArray()
		for code in range(maxi(from, 1), from + STEP):
			if code < 0xd800 or code > 0xdfff:
				units.append_array([code & 255, (code >> 8) & 255, code >> 16, 0])
		var text := units.get_string_from_utf32()
		check_both_ways([text, StringName(text)], "code points from %x" % from)


func test_packed_arrays_of_every_length() -> void:
	for type in range(TYPE_PACKED_BYTE_ARRAY, TYPE_MAX):
		var all: Variant = edges.of_type[type].back()
		for length in 34:
			check_both_ways([all.slice(0, length), 1], "%s of %d" % [type_string(type), length])


func test_large_values() -> void:
	var ints := range(100000)
	var words := {}
	for i in 20000:
		words["key %d" % i] = i
	var bytes := PackedByteArray()
	bytes.resize(3000001)
	bytes.fill(7)
	check_both_ways([ints, words, bytes, "long ".repeat(200000), PackedStringArray(words.keys())], "large")


func test_deepest_nesting() -> void:
	check_both_ways(nested(1024), "1024 arrays around nil")
	check_both_ways(nested(1024, "x"), "1024 arrays around text")
	check_both_ways(nested(1025, []).back(), "1025 arrays")
	var dictionary: Variant = {}
	for i in 1024:
		dictionary = {i: dictionary}
	check_both_ways(dictionary, "1025 dictionaries")


func test_one_level_too_deep_is_refused_by_both() -> void:
	var mixed := [{"b": nested(1024)}]
	for value: Variant in [nested(1025), nested(1026), nested(3000), {"a": [nested(1023)]}, mixed]:
		check_bytes(subject.encode(value), Oracle.encode(value), "too deep")
	check(subject.encode(nested(1025)).is_empty(), "1025 arrays around nil are encoded")


func test_shared_and_read_only_containers() -> void:
	var shared := [1, {"a": 2}]
	shared.make_read_only()
	var locked := {"x": shared, "y": shared}
	locked.make_read_only()
	check_both_ways([shared, shared, locked, locked], "shared")


func test_freed_and_null_objects_are_nil() -> void:
	var node := Node.new()
	var array := [node, null, edges.of_type[TYPE_OBJECT][0]]
	node.free()
	check_both_ways(array, "freed and null")
	check_bytes(subject.encode(array), hex("1c000000 03000000 00000000 00000000 00000000"), "freed and null")


func test_random_trees() -> void:
	var generator := preload("res://addons/variant_stream/ci/value_generator.gd").new()
	for case in 200000 if long else 3000:
		var value: Variant = generator.make(SEED, case)
		check_both_ways(value, "seed %d case %d" % [SEED, case], generator.has_objects)
	generator.free_live()


func _each_edge(made: Callable) -> void:
	for type in TYPE_MAX:
		for value: Variant in edges.of_type[type]:
			check_both_ways(made.call(value), type_string(type), type == TYPE_OBJECT)


## Returns an edge value that a typed container takes: the first object is null, which only values may be.
func _fitting(type: int, i: int) -> Variant:
	return edges.of_type[type][1] if type == TYPE_OBJECT else edges.of_type[type][i % edges.of_type[type].size()]
