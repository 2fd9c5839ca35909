extends "suite.gd"
## Tests VariantCodec as a user uses it: decode and its answers, validate, errors with place and message, full
## objects, misuse. Strictness, limits, decode_into and threads have suites of their own.

const Item := preload("res://addons/variant_stream/ci/sample_objects/item.gd")

## The value whose encoding is cut short by its last four bytes.
const NESTED := {"items": [{}, {}, {}, {"count": 7}]}


func test_defaults() -> void:
	var codec := VariantCodec.new()
	check(codec.strictness == VariantCodec.SAFE, "SAFE is not the default")
	check(VariantCodec.ENGINE == 0 and VariantCodec.SAFE == 1, "the values of the enum moved")
	check(codec.limits == null or codec.limits is VariantLimits, "limits is %s" % str(codec.limits))
	check(codec.full_objects == false, "full_objects is on")
	check_same(codec.data, null, "data before any decode")
	check(codec.get_error().is_empty() and codec.get_error_message().is_empty(), "an error before any decode")


func test_decode_answers() -> void:
	var codec := VariantCodec.new()
	var bytes := VariantStream.encode({"a": [1, 2.5, "x"]})
	check_error(codec.decode(bytes), OK, "decode")
	check_same(codec.data, {"a": [1, 2.5, "x"]}, "data")
	check(codec.get_consumed() == bytes.size() and codec.get_trailing() == 0, "consumed, trailing")
	check(codec.get_error().is_empty() and codec.get_error_message().is_empty(), "an error after OK")
	check(codec.get_errors(8).is_empty(), "errors after OK")


## Tests more codecs than the library caches at a time, all of them alive: each answers for itself.
func test_many_codecs_in_turn() -> void:
	var codecs: Array[VariantCodec] = []
	for i in 300:
		codecs.append(VariantCodec.new())
	for round in 2:
		for i in codecs.size():
			check_error(codecs[i].decode(var_to_bytes([i, round])), OK, "codec %d" % i)
		for i in codecs.size():
			check_same(codecs[i].data, [i, round], "codec %d" % i)


func test_ok_says_the_value_is_good_even_when_null() -> void:
	var codec := VariantCodec.new()
	check_error(codec.decode(PackedByteArray([0, 0, 0, 0])), OK, "nil")
	check_same(codec.data, null, "nil")
	check(codec.get_consumed() == 4, "consumed of nil")


func test_a_failed_decode_leaves_nothing_behind() -> void:
	var codec := VariantCodec.new()
	codec.decode(VariantStream.encode("old"))
	check(codec.decode(VariantStream.encode("cut off").slice(0, 10)) != OK, "a cut buffer is accepted")
	check_same(codec.data, null, "data after a failure")
	check(not codec.get_error().is_empty(), "no error after a failure")
	check_error(codec.decode(VariantStream.encode("new")), OK, "decode after a failure")
	check_same(codec.data, "new", "data after a failure and a success")
	check(codec.get_error().is_empty(), "the error outlives a success")


func test_error_dictionary() -> void:
	var codec := VariantCodec.new()
	var bytes := VariantStream.encode(NESTED)
	var error_code := codec.decode(bytes.slice(0, -4))
	var error := codec.get_error()
	check(error_code != OK and error.size() >= 7, "decode answered %d, get_error() %s" % [error_code, error])
	check(error.get("path") == "items[3].count", "path: %s" % error)
	var offset: int = error.get("byte_offset", -1)
	var from_end := bytes.size() - offset
	check(from_end >= 4 and from_end <= 8, "byte_offset %d of %d" % [offset, bytes.size()])
	for key: String in ["expected", "got", "message"]:
		check(error.get(key) is String and not error[key].is_empty(), "%s: %s" % [key, error])
	check(error.get("code") is int and error.get("code") != OK, "code: %s" % error)
	check(error.get("fatal") is bool, "fatal: %s" % error)
	check(error.get("expected") == "4 bytes" and error.get("got") == "0 bytes", "expected, got: %s" % error)
	var want := "items[3].count: int is truncated: 4 bytes needed, 0 left (byte %d)" % offset
	check(codec.get_error_message() == want, "message %s, want %s" % [codec.get_error_message(), want])
	check(error.get("message") == want, "get_error().message %s" % error.get("message"))


func test_get_errors() -> void:
	var codec := VariantCodec.new()
	codec.decode(PackedByteArray([1]))
	check(codec.get_errors(8).size() >= 1, "no errors")
	check(codec.get_errors(8)[0] == codec.get_error(), "get_error() is not the first of get_errors()")
	check(codec.get_errors(0).is_empty(), "get_errors(0) is not empty")
	check(codec.get_errors(-1).is_empty(), "get_errors(-1) is not empty")
	check_same(codec.get_error().code, VariantCodec.INCOMPLETE, "the last call's error stays")
	codec.schema = VariantSchema.array(VariantSchema.int())
	var texts := []
	texts.resize(5000)
	texts.fill("x")
	check_error(codec.decode(var_to_bytes(texts)), ERR_INVALID_DATA, "5000 mistakes")
	check_same([codec.get_errors(100).size(), codec.get_errors(100_000).size()], [100, 256], "no more than 256")
	check_same(codec.get_errors().size(), 32, "where nobody says how many")


func test_the_root_has_a_name() -> void:
	var codec := VariantCodec.new()
	codec.decode(PackedByteArray([2, 0, 0, 0, 1]))
	check(codec.get_error().get("path") == "(root)", "path: %s" % codec.get_error())
	check(codec.get_error_message().begins_with("(root): "), codec.get_error_message())
	codec.decode(PackedByteArray())
	check(codec.get_error().get("path") == "(root)", "path of an empty buffer: %s" % codec.get_error())


func test_paths_cannot_be_misused() -> void:
	var codec := VariantCodec.new()
	var long_key := "x".repeat(5000)
	for key: Variant in ["a\nb", "\u001b[31m", long_key, "\"", "é\u202e", &"n\r", ^"p\nq", Vector2.ONE, [[1]]]:
		codec.decode(VariantStream.encode({key: 7}).slice(0, -4))
		var path: String = codec.get_error().get("path", "")
		check(not path.is_empty() and path.length() < 140, "%d characters of path" % path.length())
		for code in range(1, 32):
			check(not path.contains(String.chr(code)), "control character %d in the path" % code)


func test_messages_do_not_repeat_the_payload() -> void:
	var codec := VariantCodec.new()
	for value: Variant in ["SECRET", &"SECRET", PackedStringArray(["SECRET"]), ^"SECRET", ["SECRET"]]:
		var bytes := VariantStream.encode([1, value])
		for size in range(4, bytes.size()):
			codec.decode(bytes.slice(0, size))
			check(not str(codec.get_error()).contains("SECRET"), "payload in %s" % codec.get_error())


func test_validate_agrees_with_decode_and_builds_nothing() -> void:
	var codec := VariantCodec.new()
	var good := VariantStream.encode(NESTED)
	for bytes: PackedByteArray in [good, good.slice(0, -1), good.slice(1), PackedByteArray([0])]:
		var verdict := codec.decode(bytes)
		var error := codec.get_error()
		codec.decode(VariantStream.encode(0))
		check_error(codec.validate(bytes), verdict, "validate(%s)" % bytes.hex_encode())
		check(codec.get_error() == error, "errors differ: %s and %s" % [codec.get_error(), error])


func test_encode() -> void:
	var codec := VariantCodec.new()
	check_bytes(codec.encode(NESTED), var_to_bytes(NESTED), "encode")
	check(codec.get_error().is_empty(), "an error after encode: %s" % codec.get_error())


func test_encode_refuses_with_path_and_no_bytes() -> void:
	var codec := VariantCodec.new()
	var cycle := []
	cycle.append(cycle)
	var loop := {}
	loop["self"] = loop
	for value: Variant in [{"deep": cycle}, {"deep": loop}]:
		check(codec.encode(value).is_empty(), "bytes for a cycle")
		check(str(codec.get_error().get("path", "")).begins_with("deep"), "path: %s" % codec.get_error())
		check(not codec.get_error_message().is_empty(), "no message")
	check_bytes(codec.encode(1), var_to_bytes(1), "encode after a refusal")
	cycle.clear()
	loop.clear()


func test_full_objects_are_written_as_the_engine_does() -> void:
	var codec := VariantCodec.new()
	codec.full_objects = true
	var item := Item.new()
	item.title = "sword"
	item.child = Item.new()
	item.set_meta(&"extra", [1])
	for value: Variant in [item, [item, RefCounted.new(), null], {"r": Resource.new()}, 5]:
		check_bytes(codec.encode(value), var_to_bytes_with_objects(value), str(value))
	codec.full_objects = false
	codec.limits = VariantLimits.engine()
	check_bytes(codec.encode(item), var_to_bytes(item), "as id")


func test_objects_that_cannot_be_written() -> void:
	var codec := VariantCodec.new()
	codec.full_objects = true
	var script := GDScript.new()
	script.source_code = "extends RefCounted\n"
	script.reload()
	check(codec.encode({"a": [1, script.new()]}).is_empty(), "a script without a path is written")
	check(str(codec.get_error().get("path")).begins_with("a[1]"), "path: %s" % codec.get_error())


func test_full_objects_are_refused_when_read() -> void:
	var bytes := var_to_bytes_with_objects([RefCounted.new()])
	for strictness: int in [VariantCodec.ENGINE, VariantCodec.SAFE]:
		for full: bool in [false, true]:
			var codec := VariantCodec.new()
			codec.strictness = strictness
			codec.full_objects = full
			codec.limits = VariantLimits.engine()
			check_error(codec.decode(bytes), ERR_INVALID_DATA, "strictness %d, full_objects %s" % [strictness, full])
			check(codec.get_error().get("path") == "[0]", "path: %s" % codec.get_error())


func test_wrong_arguments_are_errors() -> void:
	var codec := VariantCodec.new()
	var wrong: Array = [null, 5, "text", [1], {}, Vector2(), RefCounted.new(), ^"a", PackedInt32Array([1])]
	for bytes: Variant in wrong:
		check(codec.decode(bytes) != OK, "decode(%s) is OK" % str(bytes))
		check(not codec.get_error_message().is_empty(), "decode(%s) has no message" % str(bytes))
		check(codec.validate(bytes) != OK, "validate(%s) is OK" % str(bytes))
		check(codec.decode_into({}, bytes) != OK, "decode_into({}, %s) is OK" % str(bytes))
	for target: Variant in [null, 5, "text", RefCounted.new(), PackedByteArray()]:
		check(codec.decode_into(target, VariantStream.encode({})) != OK, "decode_into(%s) is OK" % str(target))


func test_a_null_argument_is_called_null() -> void:
	var codec := VariantCodec.new()
	codec.call(&"decode", null)
	check_same(codec.get_error().got, "null", "got")
	check_same(codec.get_error_message(), "bytes: expected PackedByteArray, got null", "decode")
	codec.decode_into(null, VariantStream.encode({}))
	check_same(codec.get_error_message(), "target: expected Dictionary or Array, got null", "decode_into")
	codec.decode_into({}, VariantStream.encode(null))
	check_same(codec.get_error_message(), "bytes: expected Dictionary or Array, got null", "decode_into of a null")
	VariantStream.decode(VariantStream.encode(null), 5)
	check_same(VariantStream.get_last_error().message, "decoded value: expected int, got null", "a null for an int")
	var reader := VariantReader.new()
	reader.feed_peer(null)
	check_same(reader.get_error_message(), "peer: expected StreamPeer, got null", "feed_peer")


func test_a_codec_is_reusable() -> void:
	var codec := VariantCodec.new()
	for i in 1000:
		check(codec.decode(codec.encode({i: [i, str(i)]})) == OK, "round %d" % i)
	check_same(codec.data, {999: [999, "999"]}, "the last of 1000 rounds")


## Tests numbers that an enum does not have: a mistake in code, so it is logged, and nothing changes.
func test_numbers_that_stand_for_nothing_are_told() -> void:
	var codec := VariantCodec.new()
	codec.strictness = VariantCodec.CANONICAL
	var reader := VariantReader.new()
	reader.framing = VariantReader.FRAMING_U32
	var wrong := [[codec, "strictness", 3], [codec, "dialect", -1],
		[reader, "framing", 1 << 40]]
	for case: Array in wrong:
		var before: int = case[0].get(case[1])
		expect_error("%s.%s: %d is none of " % [case[0].get_class(), case[1], case[2]])
		case[0].set(case[1], case[2])
		check_same(case[0].get(case[1]), before, "%s stays" % case[1])
	expect_error("FRAMING_NONE (0), FRAMING_U32 (1), FRAMING_U32_BE (2), FRAMING_AUTO (3), FRAMING_VARINT (4); it stays as it is")


## Tests values of a wrong type: the log has our message instead of the binding's, and the old value stays.
func test_values_of_other_types_are_told_in_plain_words() -> void:
	var codec := VariantCodec.new()
	codec.limits = VariantLimits.network()
	var reader := VariantReader.new()
	var wrong := [[codec, "limits", "x", "expected VariantLimits or null, got String"],
		[codec, "limits", reader, "expected VariantLimits or null, got VariantReader"],
		[codec, "schema", [], "expected VariantSchema or null, got Array"],
		[codec, "strictness", "x", "expected int, got String"],
		[codec, "full_objects", {}, "expected bool, got Dictionary"],
		[codec, "target", 4, "expected String, got int"],
		[reader, "codec", codec.limits, "expected VariantCodec or null, got VariantLimits"],
		[reader, "framing", null, "expected int, got null"],
		[reader, "time_budget_usec", "x", "expected int, got String"],
		[VariantWriter.new(), "codec", 1, "expected VariantCodec or null, got int"],
		[VariantWriter.new(), "keep_backup", [], "expected bool, got Array"],
		[codec.limits, "max_depth", "x", "expected int, got String"],
		[codec.limits, "live_references", "x", "expected bool, got String"],
		[VariantSchema.int(), "json", 1, "expected String, got int"]]
	for case: Array in wrong:
		var before: Variant = case[0].get(case[1])
		expect_error("%s.%s: %s; it stays as it is" % [case[0].get_class(), case[1], case[3]])
		case[0].set(case[1], case[2])
		check_same(case[0].get(case[1]), before, "%s stays" % case[1])
	codec.limits = null
	check_same(codec.limits, null, "nothing is a value of it")


## A game has a byte before each packet that tells its kind.
func test_a_value_behind_an_offset() -> void:
	var value := {"hp": 80, "list": [1, 2, 3]}
	var bytes := PackedByteArray([7, 8, 9]) + var_to_bytes(value)
	for schema: VariantSchema in [null, VariantSchema.any(), VariantSchema.any().check_with(func(_v: Variant) -> bool: return true)]:
		var codec := VariantCodec.new()
		codec.schema = schema
		check_error(codec.decode(bytes, 3), OK, "decode")
		check_same([codec.data, codec.get_consumed()], [value, bytes.size() - 3], "the value")
		check_error(codec.validate(bytes, 3), OK, "validate")
		var into := {}
		check_error(codec.decode_into(into, bytes, 3), OK, "decode_into")
		check_same(into, value, "decode_into")
		check(codec.decode(bytes) != OK and codec.validate(bytes) != OK and codec.decode_into(into, bytes) != OK, "without it")
		check_error(codec.decode(bytes, 0), codec.decode(bytes), "from the start")
		check_error(codec.decode(bytes, bytes.size()), ERR_FILE_EOF, "nothing is there")
		check_same(codec.get_error().byte_offset, 0, "where it counts from")
		for wrong: Variant in [-1, bytes.size() + 1, 1.0, "3", true]:
			check_error(codec.decode(bytes, wrong), ERR_INVALID_PARAMETER, "from %s" % [wrong])
			check(codec.get_error_message().begins_with("offset: "), codec.get_error_message())
			check_error(codec.validate(bytes, wrong), ERR_INVALID_PARAMETER, "validate from %s" % [wrong])
			check_error(codec.decode_into(into, bytes, wrong), ERR_INVALID_PARAMETER, "decode_into from %s" % [wrong])
			check_same(VariantStream.decode(bytes, 5, wrong), 5, "VariantStream.decode from %s" % [wrong])
		check_error(codec.call(&"decode", "text", 0), ERR_INVALID_PARAMETER, "no bytes")
	check_same(VariantStream.decode(bytes, {}, 3), value, "VariantStream.decode")
	check_same(VariantStream.decode(PackedByteArray([7]) + var_to_bytes(5), 0, 1), 5, "a lone value")
	check_same(bytes.size(), var_to_bytes(value).size() + 3, "the bytes stay")
