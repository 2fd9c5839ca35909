extends "suite.gd"
## Tests what the static functions of VariantStream do with typed dictionaries. They are apart from stream_test.gd because
## engines before 4.4 do not parse their types.

const NEEDS := {"*": "Godot 4.4"}
const Item := preload("res://addons/variant_stream/ci/sample_objects/item.gd")


## Tests fallbacks for typed variables: a stranger's bytes must not end the function that assigns the result.
func test_a_typed_fallback_wants_the_same_types() -> void:
	var ints: Array[int] = [7]
	var counts: Dictionary[String, int] = {"a": 7}
	var any_keys: Dictionary[Variant, int] = {}
	var any_values: Dictionary[String, Variant] = {}
	var others: Array = [
		[], ["x"], [1], [1.0] as Array[float], {}, {"a": 1}, {1: 1} as Dictionary[int, int],
		{"a": 1} as Dictionary[String, float], 1, null, PackedInt32Array([1]),
	]
	for other: Variant in others:
		var bytes := var_to_bytes(other)
		check(is_same(VariantStream.decode(bytes, ints), ints), "Array[int] for %s" % var_to_str(other))
		var kinds: Dictionary[String, int] = VariantStream.decode(bytes, counts)
		check(is_same(kinds, counts), "Dictionary[String, int] for %s" % var_to_str(other))
		check(is_same(VariantStream.decode(bytes, any_keys), any_keys), "of ints for %s" % var_to_str(other))
		check(is_same(VariantStream.decode(bytes, any_values), any_values), "by texts for %s" % var_to_str(other))
	VariantStream.decode(var_to_bytes({1: 1} as Dictionary[int, int]), counts)
	check_same(
		VariantStream.get_last_error().message,
		"decoded value: expected Dictionary[String, int], got Dictionary[int, int]",
		"its message"
	)


## Tests that the message names each type as GDScript writes it; a script has no name of its own.
func test_types_in_the_message_of_a_fallback() -> void:
	var bytes := var_to_bytes({1: 1} as Dictionary[Variant, int])
	for row: Array in [
		[{} as Dictionary[String, Variant], "Dictionary[String, Variant]"], [[] as Array[Node], "Array[Node]"],
		[{} as Dictionary[Node, int], "Dictionary[Node, int]"], [[] as Array[Item], "Array[a script's class]"],
		[{} as Dictionary[Item, int], "Dictionary[a script's class, int]"],
	]:
		VariantStream.decode(bytes, row[0])
		var message: String = VariantStream.get_last_error().message
		check_same(message, "decoded value: expected %s, got Dictionary[Variant, int]" % row[1], "its message")


func test_a_typed_fallback_takes_the_same_types() -> void:
	var sent := {"b": 2} as Dictionary[String, int]
	var counts: Dictionary[String, int] = VariantStream.decode(var_to_bytes(sent), {} as Dictionary[String, int])
	check_same(counts, sent, "Dictionary[String, int]")
	check_same(VariantStream.decode(var_to_bytes(sent), {}), sent, "for an untyped one")
