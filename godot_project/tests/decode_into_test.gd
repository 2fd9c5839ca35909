extends "suite.gd"
## Tests decode_into(): the target becomes what decode() would have made, reusing what fits, or stays
## untouched.

## Dictionaries have types since 4.4.
const NEEDS := {"test_typedness_is_that_of_the_bytes": "Godot 4.4"}
const ValueGenerator := preload("res://addons/variant_stream/ci/value_generator.gd")
const SEED := 5551

var _codec := VariantCodec.new()


func test_dictionary_is_updated_in_place() -> void:
	var inner := {"x": 1}
	var list := [1, 2]
	var target := {"gone": 1, "inner": inner, "list": list, "hp": 5}
	_into(target, {"hp": 80, "inner": {"y": 2}, "list": [3], "new": "n"})
	check(is_same(target.get("inner"), inner), "a nested dictionary was replaced")
	check(is_same(target.get("list"), list), "a nested array was replaced")


func test_array_is_updated_in_place() -> void:
	var inner := [1]
	var target := [inner, 2, 3]
	_into(target, [[9, 9], "x"])
	check(is_same(target[0], inner), "a nested array was replaced")
	_into(target, [])
	_into(target, [[1], [2], [3], [4]])


## Tests numbers over numbers of the same type, of others that are as long, and at the end of the bytes.
func test_vectors_take_the_place_of_vectors() -> void:
	var vectors := [
		Vector2(1, -2), Vector2i(3, -4), Rect2(1, 2, 3, 4), Rect2i(5, 6, 7, 8), Vector3(1, 2, -3), Vector3i(4, 5, -6), Vector4(1, 2, 3, -4),
		Vector4i(5, 6, 7, -8), Plane(1, 2, 3, 4), Quaternion(0, 1, 0, 0), Color(0.1, 0.2, 0.3, 0.4), AABB(Vector3.ONE, Vector3.ONE),
		Transform2D(1, Vector2.ONE), Basis.FLIP_X, Transform3D.FLIP_Y, Projection.IDENTITY, 7, 0.5, true, null, "text", &"name", ^"a/path",
	]
	for old: Variant in vectors:
		for new: Variant in vectors:
			_into([old, old], [new, 1])
			_into([1, old], [1, new])
			_into({"a": old, "b": old}, {"a": type_convert(2, typeof(old)), "b": new})


func test_order_and_keys_are_those_of_the_bytes() -> void:
	_into({"a": 1, "b": 2, "c": 3}, {"c": 1, "a": 2})
	_into({&"a": 1}, {"a": 1})
	_into({"a": 1}, {&"a": 1})
	_into({1: 1}, {1.0: 1})
	_into({NAN: 1}, {NAN: 2, 0.0: 3})
	# These have as many keys of equal types, but others, or in another order.
	_into({"a": 1, "b": 2, "c": 3}, {"a": 4, "c": 5, "b": 6})
	_into({"a": 1, "b": 2}, {"a": 3, "x": 4})
	_into({"ab": 1}, {"abc": 2})
	_into({&"a": 1, &"b": 2}, {&"b": 3, &"a": 4})
	_into({1: 1, 2: 2}, {2: 3, 1: 4})
	_into({"k": {"a": 1, "b": [2]}}, {"k": {"b": [3], "a": 4}})


func test_typedness_is_that_of_the_bytes() -> void:
	var ints: Array[int] = [1, 2]
	var floats: Array[float] = [1.0]
	for nested: Variant in [ints, floats, [1], [], {}, 5, null, "x", PackedInt32Array([1])]:
		for other: Variant in [ints, floats, [1], [], {}, 5, null, "x", PackedInt32Array([2, 3])]:
			_into({"k": _copy(nested)}, {"k": other})
			_into([_copy(nested)], [other])
	var counts := typed_dictionary({"a": 1}, TYPE_STRING, TYPE_INT)
	for value: Variant in [{"a": 1.5}, {"a": 2}, {"a": null}, counts]:
		_into({"k": counts.duplicate()}, {"k": value})
		_into({"k": {"a": 1}}, {"k": value})
		_into_any(counts.duplicate(), value)
		_into_any({"a": 1}, value)


func test_a_root_that_does_not_fit_is_refused() -> void:
	var ints: Array[int] = [7]
	_into_any([1], {"a": 1})
	_into_any({"a": 1}, [1])
	_into_any({"a": 1}, 5)
	_into_any([1], null)
	_into_any(ints, ["x"])
	_into_any(ints, [1])
	_into_any([1], ints)
	check(_codec.decode_into({"a": 1}, VariantStream.encode(5)) != OK, "an int decodes into a dictionary")
	check(_codec.decode_into([1], VariantStream.encode({})) != OK, "a dictionary decodes into an array")
	_codec.decode_into(ints, VariantStream.encode([1]))
	check_same(_codec.get_error().got, "Array[int]", "what the target is")


func test_a_refusal_leaves_the_target_untouched() -> void:
	var bytes := VariantStream.encode({"a": [1, 2, {"b": "text"}], "c": 7})
	for size in bytes.size():
		var inner := [0]
		var target := {"a": inner, "z": 1}
		check(_codec.decode_into(target, bytes.slice(0, size)) != OK, "%d bytes are accepted" % size)
		check_same(target, {"a": [0], "z": 1}, "after %d bytes" % size)
		check(is_same(target["a"], inner), "after %d bytes the inner array is another" % size)


func test_read_only_targets() -> void:
	var dictionary := {"a": 1}
	dictionary.make_read_only()
	check_error(_codec.decode_into(dictionary, VariantStream.encode({"a": 2})), ERR_LOCKED, "dictionary")
	check_same(dictionary, {"a": 1}, "a read-only dictionary")
	var array := [1]
	array.make_read_only()
	check_error(_codec.decode_into(array, VariantStream.encode([2])), ERR_LOCKED, "array")
	check_same(array, [1], "a read-only array")
	var nested := {"a": array, "d": dictionary}
	_into_any(nested, {"a": [2], "d": {"a": 2}})
	check_same(array, [1], "a nested read-only array")


func test_shared_and_cyclic_targets() -> void:
	var shared := [0]
	_into({"a": shared, "b": shared}, {"a": [1], "b": [2, 3]})
	_into([shared, shared, {"x": shared}], [[1], [2], {"x": [3]}])
	var cycle := {"n": 1}
	cycle["self"] = cycle
	var bytes := VariantStream.encode({"self": {"self": {"n": 2}}})
	check_error(_codec.decode_into(cycle, bytes), OK, "cyclic target")
	check_same(cycle, {"self": {"self": {"n": 2}}}, "cyclic target")
	cycle.clear()


func test_random_targets_and_values() -> void:
	var one := ValueGenerator.new()
	var other := ValueGenerator.new()
	_codec.limits = VariantLimits.engine()
	_codec.strictness = VariantCodec.ENGINE
	var taken := 0
	var refused := 0
	for case in range(1000, 4000):
		var target: Variant = one.make(SEED, case)
		var value: Variant = other.make(SEED, case / 2 * 2)  # now and then the very same tree
		if (target is Array or target is Dictionary) and not one.has_objects and not other.has_objects:
			var is_taken := _into_any(bytes_to_var(var_to_bytes(target)), value)  # a copy: trees share the edge values
			taken += int(is_taken)
			refused += int(not is_taken)
	one.free_live()
	other.free_live()
	check(taken > 200 and refused > 200, "%d taken, %d refused" % [taken, refused])


## Tests containers that are declared to hold objects: they lose that type, on every path of the code and
## whatever the target held.
func test_declared_objects_come_out_untyped() -> void:
	_check_untyped([null] as Array[EncodedObjectAsID], [null])
	if TypedContainers.dictionaries != null:
		var ints := TypedContainers.builtin(TYPE_INT)
		var nodes: Dictionary = TypedContainers.dictionaries.make({}, ints, TypedContainers.of_class(&"Node"))
		_check_untyped(nodes, typed_dictionary({}, TYPE_INT, TYPE_NIL))


func _check_untyped(declared: Variant, plain: Variant) -> void:
	var bytes := var_to_bytes({"b": declared})
	var targets: Array[Dictionary] = [{}, {"b": 0}, {"b": []}, {"b": {}}, {"c": 1}, {"b": [1, 2], "d": 4}, {"b": declared}]
	for limits: VariantLimits in [VariantLimits.network(), VariantLimits.save_file()]:
		for schema: VariantSchema in [null, VariantSchema.any()]:
			var codec := VariantCodec.new()
			codec.limits = limits
			codec.schema = schema
			check_error(codec.decode(bytes), OK, "decode")
			check_same(codec.data, {"b": plain}, "decode under %s" % schema)
			for target: Dictionary in targets.duplicate(true):
				var before := var_to_str(target)
				check_error(codec.decode_into(target, bytes), OK, "decode_into %s" % before)
				check_same(target, {"b": plain}, "decode_into %s under %s" % [before, schema])


## Decodes `value` into `target`, which has to succeed.
func _into(target: Variant, value: Variant) -> void:
	var bytes := VariantStream.encode(value)
	check_error(_codec.decode_into(target, bytes), OK, "%s into %s" % [value, target])
	check_error(_codec.decode(bytes), OK, "decode")
	check_same(target, _codec.data, "decode_into differs from decode")


## Decodes `value` into `target`, and tells whether it was accepted. It has to be if decode() accepts it and
## the types are alike; a refusal must change nothing.
func _into_any(target: Variant, value: Variant) -> bool:
	var bytes := VariantStream.encode(value)
	var before := VariantStream.encode(target)
	var error := _codec.decode_into(target, bytes)
	var fits := _codec.decode(bytes) == OK and _is_of_one_type(target, _codec.data)
	check((error == OK) == fits, "decode_into answers %d, %s into %s" % [error, type_string(typeof(value)), type_string(typeof(target))])
	if error == OK:
		check_same(target, _codec.data, "decode_into differs from decode")
	else:
		check_bytes(VariantStream.encode(target), before, "the target after error %d" % error)
	return error == OK


static func _is_of_one_type(one: Variant, other: Variant) -> bool:
	if one is Dictionary and other is Dictionary:
		return TypedContainers.same_dictionary(one, other)
	return one is Array and other is Array and one.is_same_typed(other)


static func _copy(value: Variant) -> Variant:
	return value.duplicate() if value is Array or value is Dictionary else value
