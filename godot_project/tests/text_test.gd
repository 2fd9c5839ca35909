extends "res://tests/suite.gd"
## Tests the functions of VariantStream that show bytes: dump, JSON and back, diff, sizes.

## Godot 4.3 drops a second byte order mark.
const NEEDS := {"test_generated_values_come_back": "Godot 4.6.3"}
const GENERATED := 2000

const Generator := preload("res://addons/variant_stream/ci/value_generator.gd")


func test_json_comes_back_byte_for_byte() -> void:
	for value: Variant in _samples():
		var bytes := var_to_bytes(value)
		var json := VariantStream.to_json(bytes)
		check(VariantStream.get_last_error().is_empty(), "to_json: %s" % VariantStream.get_last_error())
		check_bytes(VariantStream.from_json(json), bytes, json)
		check(JSON.parse_string(json) != null or value == null, "the engine cannot read %s" % json)


func test_generated_values_come_back() -> void:
	var generator := Generator.new()
	var compared := 0
	var same := 0
	var twice := 0
	for i in GENERATED * (10 if long else 1):
		var bytes := var_to_bytes(generator.make(20240, i))
		if generator.has_objects:
			continue  # The engine reads another object's id than it wrote.
		compared += 1
		var json := VariantStream.to_json(bytes)
		var back := VariantStream.from_json(json)
		if back == bytes:
			same += 1
		# A key without its byte order mark may be there already: the engine drops one of the two values then.
		elif back.is_empty() and VariantStream.get_last_error().code == VariantCodec.DUPLICATE_KEY:
			twice += 1
			if not check(_read_again(_read_again(bytes)).size() < bytes.size(), json):
				break
		# Each reading drops a leading byte order mark, and making the JSON is a reading.
		elif not check_bytes(_read_again(back), _read_again(_read_again(bytes)), json):
			break
	generator.free_live()
	check(compared > GENERATED / 2.0, "only %d values were compared" % compared)
	check(twice < compared * 0.01, "a key twice in %d of %d" % [twice, compared])
	check(same > compared * 0.9, "only %d of %d came back byte for byte" % [same, compared])


func test_objects_are_shown_and_not_built() -> void:
	var node := Node2D.new()
	var bytes := var_to_bytes_with_objects([node])
	var count := Performance.get_monitor(Performance.OBJECT_COUNT)
	var json := VariantStream.to_json(bytes)
	check(json.contains('"class": "Node2D"'), json)
	check(VariantStream.dump(bytes).contains('Object "Node2D"'), VariantStream.dump(bytes))
	check_bytes(VariantStream.from_json(json), bytes, json)
	check(Performance.get_monitor(Performance.OBJECT_COUNT) == count, "objects were made")
	node.free()


func test_wrong_json_is_refused() -> void:
	for json: String in ["", "{", "[1,]", '{"$Vector2": [1]}', '{"$Nothing": 1}', "1 2", "[".repeat(100000)]:
		check(VariantStream.from_json(json).is_empty(), "from_json(%s) gave bytes" % json.left(20))
		var error := VariantStream.get_last_error()
		check(error.get("code") == VariantCodec.INVALID_ARGUMENT, "code of %s" % error)
		check(str(error.get("message")).contains("line "), "message of %s" % error)


func test_a_dump_goes_on_up_to_the_error() -> void:
	var bytes := var_to_bytes({"hp": 80, "items": [1, 2]})
	var whole := VariantStream.dump(bytes)
	check(VariantStream.get_last_error().is_empty(), "a valid dump left an error")
	check(whole.contains("int  items[1]  2"), whole)
	var cut := VariantStream.dump(bytes.slice(0, -4))
	check(cut.contains("items[0]"), cut)
	check(cut.contains("^^ stopped here: items[1]: int is truncated: 4 bytes needed"), cut)
	check(VariantStream.get_last_error().get("byte_offset") == 64, str(VariantStream.get_last_error()))
	check(VariantStream.dump(bytes + PackedByteArray([9])).contains("(1 more byte after the value)"), "trailing")


## Tests bytes behind the value, which neither the text nor the sizes could show: a file with its length before the value,
## or what gzip writes, begins as a value by chance.
func test_bytes_behind_the_value_are_refused() -> void:
	var framed := "08000000020000000500000002000000".hex_decode()
	for bytes: PackedByteArray in [var_to_bytes(1) + var_to_bytes(2), var_to_bytes([5]) + PackedByteArray([0]),
			"{\"hp\": 80}".to_utf8_buffer().compress(FileAccess.COMPRESSION_GZIP), framed]:
		check_same(VariantStream.to_json(bytes), "", "to_json() of %s" % bytes.hex_encode())
		check(not VariantStream.get_last_error().is_empty(), "to_json() says nothing of %s" % bytes.hex_encode())
		check_same(VariantStream.size_report(bytes), {}, "size_report() of %s" % bytes.hex_encode())
		check(not VariantStream.get_last_error().is_empty(), "size_report() says nothing of %s" % bytes.hex_encode())
	check_same(VariantStream.get_last_error().code, VariantCodec.INCOMPLETE, "the framed one is cut as Rect2i")
	VariantStream.to_json(var_to_bytes(1) + var_to_bytes(2))
	check_same(VariantStream.get_last_error().code, VariantCodec.TRAILING_BYTES, "two values")


func test_json_that_would_lose_something_is_refused() -> void:
	for json: String in ["18446744073709551616", "[-9223372036854775809]"]:
		check(VariantStream.from_json(json).is_empty(), json)
		check(VariantStream.get_last_error().message.contains("an int "), str(VariantStream.get_last_error()))
	for json: String in ['{"in": {"a": 1, "a": 2}}', '{"in": {"a": 1, "$entries": [[{"$StringName": "a"}, 2]]}}']:
		check(VariantStream.from_json(json).is_empty(), json)
		var error := VariantStream.get_last_error()
		check_same([error.code, error.path], [VariantCodec.DUPLICATE_KEY, "in.a"], str(error))


func test_a_dump_of_deep_values_stays_small() -> void:
	var nulls := []
	nulls.resize(1000)
	var value: Variant = nulls
	for level in 60:
		value = {"k".repeat(64): value}
	var bytes := var_to_bytes(value)
	var lines := VariantStream.dump(bytes)
	check(lines.length() <= 40 * bytes.size(), "%d characters of %d bytes" % [lines.length(), bytes.size()])
	check(lines.contains("Nil  ...(60 more)...[999]  null"), lines.right(200))


func test_diff_tells_paths() -> void:
	var before := var_to_bytes({"hp": 80, "items": [1, 2, 3], 7: "x"})
	var after := var_to_bytes({"hp": 75, "items": [1, 3], "new": Vector2(1, 2), 7: "x"})
	var found := {}
	for difference in VariantStream.diff(before, after):
		found[difference.path] = [difference.change, difference.before, difference.after]
	check_same(found, {
		"hp": ["changed", "80", "75"],
		"items[1]": ["removed", "2", ""],
		"new": ["added", "", '{"$Vector2%s":[1.0,2.0]}' % (":64" if is_double else "")],
	}, "the differences")
	var turned := VariantStream.diff(var_to_bytes({"a": 1, "b": 2}), var_to_bytes({"b": 2, "a": 1}))
	check(turned.size() == 1, str(turned))
	check_same(turned[0], {
		"path": "(root)", "change": "reordered", "before": '["a","b"]', "after": '["b","a"]',
	}, "another order")
	var seven := "1c00000001000000" + "020001000700000000000000"
	var wide := VariantStream.diff(var_to_bytes([7]), seven.hex_decode())
	check(wide.size() == 1 and wide[0].path == "[0]" and wide[0].change == "rewritten", str(wide))
	check(VariantStream.diff(before, before).is_empty(), "a value differs from itself")
	check(VariantStream.get_last_error().is_empty(), "equal values left an error")
	check(VariantStream.diff(before, after.slice(0, -1)).is_empty(), "half a value was compared")
	check(not VariantStream.get_last_error().is_empty(), "half a value left no error")


func test_size_report_adds_up() -> void:
	for value: Variant in _samples():
		var bytes := var_to_bytes(value)
		var report := VariantStream.size_report(bytes)
		check(report.get("total") == bytes.size(), "total of %s" % report)
		for part: String in ["places", "types"]:
			var sum := 0
			for size: int in report[part].values():
				sum += size
			check(sum == bytes.size(), "%s of %s" % [part, report])


func test_sizes_of_deep_places_stay_small() -> void:
	var value := {}
	for key in 2000:
		value["%08d" % key] = null
	for level in 60:
		value = {"k".repeat(64): value}
	var bytes := var_to_bytes(value)
	var report := VariantStream.size_report(bytes)
	var names := 0
	var sum := 0
	for place: String in report.places:
		names += place.length()
		sum += report.places[place]
	check(report.places.has("(others)"), "%d places" % report.places.size())
	check(names <= 65536 + 4 * bytes.size() and sum == bytes.size(), "%d characters, %d bytes" % [names, sum])


## Tests a StringName as JSON, which is allowed as for all other texts, and for JSON.parse_string().
func test_json_may_be_a_string_name() -> void:
	check_bytes(VariantStream.from_json(&"[5]"), var_to_bytes([5]), VariantStream.get_last_error().get("message", ""))


func test_wrong_arguments_are_errors() -> void:
	for wrong: Variant in [null, 5, &"name", [1], {}, Vector2(), ^"a", PackedInt32Array([1])]:
		check(VariantStream.dump(wrong) == "", "dump(%s)" % str(wrong))
		check(not VariantStream.get_last_error().is_empty(), "dump(%s) left no error" % str(wrong))
		check(VariantStream.to_json(wrong) == "", "to_json(%s)" % str(wrong))
		check(VariantStream.from_json(wrong).is_empty(), "from_json(%s)" % str(wrong))
		check(not VariantStream.get_last_error().is_empty(), "from_json(%s) left no error" % str(wrong))
		check(VariantStream.diff(wrong, var_to_bytes(1)).is_empty(), "diff(%s)" % str(wrong))
		check(VariantStream.get_last_error().message.begins_with("before: "), "diff(%s)" % str(wrong))
		check(VariantStream.size_report(wrong).is_empty(), "size_report(%s)" % str(wrong))


func _read_again(bytes: PackedByteArray) -> PackedByteArray:
	return var_to_bytes(bytes_to_var(bytes))


func _samples() -> Array:
	var typed: Array[int] = [1, -9007199254740993]
	return [
		null, true, 7, 9223372036854775807, -9223372036854775808, 7.0, -0.0, NAN, INF, 0.1, 1e300, "text\n\"\u202e", &"name",
		^"/root/A:x:y", ^"", Vector2(1.5, -0.0), Vector2(NAN, INF), Vector3i(1, 2, 3), Transform3D(), Projection(),
		Color(0.1, 0.2, 0.3), Callable(), Signal(), RID(), [], {}, typed, {"$Vector2": 1, "b": 2}, {1: 2, "a": [{}]},
		{[1]: {2: 3}, {"k": &"v"}: null}, PackedByteArray([0, 255]), PackedInt64Array([9007199254740993]),
		PackedFloat32Array([0.1, NAN]), PackedStringArray(["", "x"]), PackedColorArray([Color.RED]),
	]
