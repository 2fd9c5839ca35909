extends "suite.gd"
## Tests the static functions of VariantStream as a user uses them: encode, decode with a fallback,
## encoded_size, last error.

const Item := preload("res://addons/variant_stream/ci/sample_objects/item.gd")


func test_encode_is_var_to_bytes() -> void:
	for value: Variant in [null, 5, -1.5, "text", &"name", [1, {"a": Vector2.ONE}], PackedByteArray([1, 2, 3])]:
		check_bytes(VariantStream.encode(value), var_to_bytes(value), str(value))
		check(VariantStream.encoded_size(value) == var_to_bytes(value).size(), "size of %s" % str(value))


func test_decode_gives_the_value_back() -> void:
	var state := {"hp": 80, "pos": Vector2(10, 20), "items": [{"id": 1}], &"sn": ^"a/b:c"}
	check_same(VariantStream.decode(VariantStream.encode(state), {}), state, "with a fallback of its type")
	check_same(VariantStream.decode(VariantStream.encode(state)), state, "without a fallback")
	check_same(VariantStream.decode(VariantStream.encode(state), null), state, "with a null fallback")
	check_same(VariantStream.decode(VariantStream.encode(null), null), null, "nil")


func test_fallback_on_any_error() -> void:
	for bytes: PackedByteArray in [
		PackedByteArray(), PackedByteArray([1, 2, 3]), VariantStream.encode("long text").slice(0, 12),
		VariantStream.encode(7) + PackedByteArray([0]), PackedByteArray([99, 0, 0, 0]),
	]:
		check_same(VariantStream.decode(bytes, {"f": 1}), {"f": 1}, "fallback for %s" % bytes.hex_encode())
		check_same(VariantStream.decode(bytes), null, "no fallback for %s" % bytes.hex_encode())


func test_fallback_when_the_type_differs() -> void:
	check_same(VariantStream.decode(VariantStream.encode([1]), {}), {}, "array for dictionary")
	check_same(VariantStream.decode(VariantStream.encode(1.0), 7), 7, "float for int")
	check_same(VariantStream.decode(VariantStream.encode(&"a"), "b"), "b", "StringName for String")
	check_same(VariantStream.decode(VariantStream.encode(null), 7), 7, "nil for int")
	check_same(VariantStream.decode(VariantStream.encode(3), 7), 3, "int for int")


## Tests fallbacks for typed variables: a stranger's bytes must not end the function that assigns the result. Those of
## dictionaries are in typed_dictionaries_test.gd.
func test_a_typed_fallback_wants_the_same_types() -> void:
	var ints: Array[int] = [7]
	var nodes: Array[Node] = []
	for other: Variant in [[], ["x"], [1], [1.0] as Array[float], {}, {"a": 1}, 1, null, PackedInt32Array([1])]:
		var bytes := var_to_bytes(other)
		var scores: Array[int] = VariantStream.decode(bytes, ints)
		check(is_same(scores, ints), "Array[int] for %s" % var_to_str(other))
		check_same(VariantStream.decode(bytes, nodes), nodes, "Array[Node] for %s" % var_to_str(other))
	check_same(VariantStream.decode(var_to_bytes(["x"]), ints), ints, "once more")
	check_same(VariantStream.get_last_error().message, "decoded value: expected Array[int], got Array", "its message")


## Tests that the message names each type as GDScript writes it; a script has no name of its own.
func test_types_in_the_message_of_a_fallback() -> void:
	for row: Array in [[[] as Array[Node], "Array[Node]"], [[] as Array[Item], "Array[a script's class]"]]:
		VariantStream.decode(var_to_bytes([1] as Array[int]), row[0])
		var message: String = VariantStream.get_last_error().message
		check_same(message, "decoded value: expected %s, got Array[int]" % row[1], "its message")


func test_a_typed_fallback_takes_the_same_types() -> void:
	var scores: Array[int] = VariantStream.decode(var_to_bytes([1, 2] as Array[int]), [] as Array[int])
	check_same(scores, [1, 2] as Array[int], "Array[int]")
	check_same(VariantStream.decode(var_to_bytes([1] as Array[int]), []), [1] as Array[int], "for an untyped one")


func test_fallback_comes_back_as_it_was_given() -> void:
	var fallback := {"keep": []}
	check(is_same(VariantStream.decode(PackedByteArray(), fallback), fallback), "the fallback was copied")


func test_decode_is_safe_with_save_file_limits() -> void:
	var deep: Variant = null
	for i in 64:
		deep = [deep]
	check_same(VariantStream.decode(VariantStream.encode(deep), "no"), "no", "65 levels")
	check_same(VariantStream.decode(VariantStream.encode(deep[0]), []), deep[0], "64 levels")
	for value: Variant in [RefCounted.new(), rid_from_int64(7), Signal(self, &"x"), Callable(self, &"test_x")]:
		check_same(VariantStream.decode(var_to_bytes([value]), "no"), "no", str(value))


func test_encode_has_no_limits() -> void:
	var deep: Variant = null
	for i in 1024:
		deep = [deep]
	check_bytes(VariantStream.encode(deep), var_to_bytes(deep), "1025 levels")
	var handles := [RID(), Callable(), Signal()]
	check_bytes(VariantStream.encode(handles), var_to_bytes(handles), "handles")


func test_what_cannot_be_encoded_gives_no_bytes() -> void:
	var cycle := []
	cycle.append(cycle)
	check(VariantStream.encode({"a": cycle}).is_empty(), "a cyclic array has bytes")
	check(VariantStream.encoded_size({"a": cycle}) <= 0, "a cyclic array has a size")
	var error := VariantStream.get_last_error()
	check(str(error.get("path", "")).begins_with("a[0]"), "path of %s" % error)
	cycle.clear()


func test_last_error_tells_kind_place_and_words() -> void:
	VariantStream.decode(var_to_bytes({"hp": 1, "items": [1, "x"]}).slice(0, -4))
	var error := VariantStream.get_last_error()
	for key: String in ["code", "path", "byte_offset", "expected", "got", "message", "fatal"]:
		check(error.has(key), "get_last_error() has no %s: %s" % [key, error])
	check(error.get("path") == "items[1]", "path of %s" % error)
	check(int(error.get("byte_offset", -1)) > 0, "byte_offset of %s" % error)
	check(str(error.get("message")).begins_with("items[1]: string is truncated: "), "message of %s" % error)


func test_wrong_arguments_are_errors() -> void:
	var wrong: Array = [null, 5, "text", [1], {}, Vector2(), RefCounted.new(), ^"a", PackedInt32Array([1])]
	for bytes: Variant in wrong:
		check_same(VariantStream.decode(bytes, "fallback"), "fallback", "decode(%s)" % str(bytes))
		check(not VariantStream.get_last_error().is_empty(), "decode(%s) left no error" % str(bytes))


## Tests that each refusal keeps its own message, although the record of refusals is reused and messages are
## made on demand.
func test_each_refusal_keeps_its_words() -> void:
	var whole := var_to_bytes({"items": [{"id": 1}], "name": "player"})
	var cut := whole.slice(0, -4)
	var unknown := PackedByteArray([28, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 99, 0, 0, 0])
	var first := VariantCodec.new()
	var second := VariantCodec.new()
	for turn in 3:
		first.decode(cut)
		second.validate(unknown)
		VariantStream.decode(unknown)
		VariantStream.decode(cut)
		check(VariantStream.get_last_error().path == "name", str(VariantStream.get_last_error()))
		check(first.get_error().path == "name", str(first.get_error()))
		check(second.get_error().path == "[1]", str(second.get_error()))
		check(first.get_error().message == VariantStream.get_last_error().message, str(first.get_error()))
		var no_bytes: Variant = "no bytes"
		VariantStream.decode(no_bytes)
		check(VariantStream.get_last_error().expected == "PackedByteArray", str(VariantStream.get_last_error()))
		VariantStream.decode(unknown)
		check(VariantStream.get_last_error() == second.get_error(), str(VariantStream.get_last_error()))
		check(first.decode(whole) == OK and first.get_error().is_empty(), str(first.get_error()))
		check(second.get_error().path == "[1]", str(second.get_error()))
