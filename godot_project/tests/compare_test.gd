extends "suite.gd"
## Tests the tools that judge: value_compare.gd, the options of a run, and what it notices in the log. A
## comparison that finds no difference would make every other test green.

## The reason why this runs once: see run.gd.
const ONCE := "is about the judges of the suites"
## Two dictionaries of different types, which came with 4.4.
const NEEDS := {"test_structure_apart": "Godot 4.4"}
const EdgeValues := preload("res://addons/variant_stream/ci/edge_values.gd")
const GoldenPart := preload("res://addons/variant_stream/ci/golden_part.gd")
const Item := preload("res://addons/variant_stream/ci/sample_objects/item.gd")
const Options := preload("res://addons/variant_stream/ci/options.gd")
const Shares := preload("shares.gd")
const Oracle := preload("res://addons/variant_stream/ci/oracle.gd")
const Typing := preload("res://addons/variant_stream/ci/typing.gd")
const ValueGenerator := preload("res://addons/variant_stream/ci/value_generator.gd")

var _edges := EdgeValues.new()


func clean_up() -> void:
	_edges.free_live()


func test_edge_values_differ_from_each_other() -> void:
	var firsts := _edges.of_type.map(func(values: Array) -> Variant: return values[0])
	for all: Array in _edges.of_type + [firsts]:
		for i in all.size():
			for j in range(i + 1, all.size()):
				if ValueCompare.difference(all[i], all[j]).is_empty():
					check(_written_alike(all[i], all[j]), "%s and %s pass for equal" % [all[i], all[j]])
				else:
					asserts += 1


## Tests the options: a variable that is not set, as in `--junit "$REPORT"`, is an error and not a missing
## option, and a seed is exactly the number that was given.
func test_options_mean_what_they_say() -> void:
	var defaults := {"seed": 5, "junit": "", "long": false}
	for words: Array in [["--junit", ""], ["--junit="], ["--seed="], ["--seed", ""], ["--junit"], ["--seed", "x"], ["seed"],
			["--seed", "9223372036854775808"], ["--seed", "-9223372036854775809"], ["--seed", "99999999999999999999"], ["--other"]]:
		check(not Options.new(PackedStringArray(words), defaults).error.is_empty(), str(words))
	for number: String in ["0", "-5", "9223372036854775807", "-9223372036854775808", "007", "+7"]:
		var options := Options.new(PackedStringArray(["--seed=" + number, "--long", "--junit", "r.xml"]), defaults)
		check_same(options.error, "", number)
		check_same(options.values, {"seed": number.to_int(), "junit": "r.xml", "long": true}, number)


## Tests that every suite is in one share, and that no share is empty.
func test_each_suite_is_in_one_share() -> void:
	var names := Array(DirAccess.get_files_at("res://tests")).filter(
			func(name: String) -> bool: return name.trim_suffix(".remap").trim_suffix("c").ends_with("_test.gd"))
	for count in range(1, 5):
		var all := []
		for share in range(1, count + 1):
			var own := Shares.of(names, "%d/%d" % [share, count])
			check(not own.is_empty(), "share %d of %d" % [share, count])
			all += own
		all.sort()
		check_same(all, names, "%d shares" % count)
	for text: String in ["", "1", "0/2", "3/2", "1/0", "a/2", "1/2/3", "-1/2"]:
		check(not Shares.is_share(text), text)
	for name: String in Shares.SECONDS:
		check(ResourceLoader.exists("res://tests/%s.gd" % name), name + " is no suite")


func test_equal_values_are_equal() -> void:
	for type in TYPE_MAX:
		for value: Variant in _edges.of_type[type]:
			check_same([value, {value: 1}], [value, {value: 1}], type_string(type))


func test_numbers_apart() -> void:
	_apart(1, 1.0)
	_apart(1, true)
	_apart(_float("8000000000000000"), _float("0000000000000000"))
	_apart(_float("7ff8000000000000"), _float("7ff8000000000001"))
	_apart(_float("7ff8000000000000"), _float("fff8000000000000"))
	_apart(Vector2(_float("8000000000000000"), 0), Vector2(0, 0))
	_apart(Vector2(1, 2), Vector2i(1, 2))
	_apart(PackedFloat32Array([_float("8000000000000000")]), PackedFloat32Array([0.0]))
	_apart(PackedFloat64Array([NAN]), PackedFloat64Array([_float("7ff8000000000001")]))
	_apart(PackedColorArray([Color(0, 0, 0, 0)]), PackedColorArray([Color(0, 0, _float("8000000000000000"), 0)]))


func test_texts_and_paths_apart() -> void:
	_apart("a", &"a")
	_apart("a", ^"a")
	_apart(_path("16000000010000800000000000000000" + "03000000612f6200"), ^"a/b")
	_apart(^"a:b", ^"a/b")
	_apart(^"/a", ^"a")
	_apart(PackedStringArray(["a"]), PackedStringArray(["a", ""]))
	_apart(PackedStringArray(["a"]), ["a"])


func test_typed_containers_apart() -> void:
	var ints: Array[int] = [1]
	_apart(ints, [1])
	_apart(Typing.array(Typing.builtin(TYPE_STRING), []), Typing.array(Typing.builtin(TYPE_STRING_NAME), []))
	var of_class := Typing.array(Typing.of_class(&"RefCounted"), [])
	_apart(of_class, Typing.array(Typing.of_class(&"Resource"), []))
	_apart(of_class, Typing.array(Typing.of_class(&"RefCounted", Item), []))
	if Typing.dictionaries == null:
		return
	var int_key := Typing.builtin(TYPE_INT)
	var any := Typing.builtin(TYPE_NIL)
	_apart(Typing.dictionaries.make({}, int_key, any), {})
	_apart(Typing.dictionaries.make({}, int_key, any), Typing.dictionaries.make({}, any, int_key))
	_apart(Typing.dictionaries.make({}, int_key, Typing.of_class(&"RefCounted")),
			Typing.dictionaries.make({}, int_key, Typing.of_class(&"RefCounted", Item)))


func test_structure_apart() -> void:
	_apart([], {})
	_apart([1, 2], [2, 1])
	_apart([[1]], [[1], []])
	_apart({"a": 1, "b": 2}, {"b": 2, "a": 1})
	_apart({"a": 1}, {&"a": 1})
	_apart({1: [0.0]}, {1: [_float("8000000000000000")]})
	_apart(null, bytes_to_var("180001000000000000000000".hex_decode()))
	_apart(_object(5), _object(6))
	check_same(_object(5), _object(5), "wrappers of one id")


func test_pads_of_older_engines() -> void:
	var clean := var_to_bytes([^"abc", 7])
	var dirty := clean.duplicate()
	var pad := clean.size() - 9  # the path's last byte, before the int
	check(clean[pad] == 0, "not a pad")
	dirty[pad] = 0x6f
	check(Oracle.differ_in_pads_only(clean, dirty), "a dirty pad of the engine's counts as a difference")
	check(not Oracle.differ_in_pads_only(dirty, clean), "a dirty pad of ours is forgiven")
	for at in clean.size():
		# Zeros of headers and flags mean nothing to a reader either; the int's own zeros do.
		if clean[at] != 0 or at >= clean.size() - 4:
			var other := clean.duplicate()
			other[at] ^= 1
			check(not Oracle.differ_in_pads_only(clean, other), "byte %d is taken for a pad" % at)


func test_nans_that_became_quiet() -> void:
	for hex: String in ["03000100 01000000 0000f07f", "03000000 0100807f", "03000100 efcdab89 6745f3ff"]:
		var ours := hex.replace(" ", "").hex_decode()
		var bit := ours.size() - 2
		var engine := ours.duplicate()
		engine[bit] |= 0x40 if ours.size() == 8 else 0x08
		check(Oracle.differ_in_quiet_bits_only(ours, engine), "%s quiet is a difference" % hex)
		check(not Oracle.differ_in_quiet_bits_only(engine, ours), "%s made loud by us is forgiven" % hex)
		for at in ours.size():
			for value: int in [1, 0x10, 0x80]:
				var other := engine.duplicate()
				other[at] ^= value
				check(not Oracle.differ_in_quiet_bits_only(ours, other), "byte %d of %s is taken for a quiet bit" % [at, hex])
	var number := var_to_bytes(1.9999999)
	var larger := number.duplicate()
	larger[-2] ^= 0x08
	check(not Oracle.differ_in_quiet_bits_only(number, larger), "a number is taken for a NaN")


func test_what_older_engines_read_otherwise() -> void:
	var ints: Array[int] = [1]
	for row: Array in [
		[0x040502, [1, {}], false], [0x040502, [ints], true], [0x040600, [ints], false], [0x040300, [ints], true],
	]:
		check_same(Oracle.reads_otherwise(row[0], var_to_bytes(row[1])), row[2], "%06x: %s" % [row[0], row[1]])
	var typed := "1b000500040000000200000000000000".hex_decode()
	check(Oracle.reads_otherwise(0x040301, typed), "4.3 knows no typed dictionary")
	check(not Oracle.reads_otherwise(0x040400, typed), "4.4 knows typed dictionaries")


func test_generator_repeats_itself() -> void:
	var one := ValueGenerator.new()
	var other := ValueGenerator.new()
	other.make(7, 3)
	for case: int in [900, 1000, 1001, 5555]:
		var tree: Variant = one.make(7, case)
		if not one.has_objects:
			check_bytes(var_to_bytes(other.make(7, case)), var_to_bytes(tree), "case %d" % case)
		check(var_to_bytes(one.make(8, case)) != var_to_bytes(tree) or typeof(tree) < TYPE_INT, "seeds do nothing")
	one.free_live()
	other.free_live()


## Tells whether the engine's encoding is all that could tell them apart, as with two nulls or two empty
## callables.
func _written_alike(a: Variant, b: Variant) -> bool:
	return typeof(a) == typeof(b) and (typeof(a) == TYPE_CALLABLE or var_to_bytes(a) == var_to_bytes(b))


func _apart(a: Variant, b: Variant) -> void:
	check(not ValueCompare.difference(a, b).is_empty(), "%s and %s pass for equal" % [a, b])
	check(not ValueCompare.difference([{1: a}], [{1: b}]).is_empty(), "nested %s and %s pass for equal" % [a, b])


static func _float(hex: String) -> float:
	var bytes := hex.hex_decode()
	bytes.reverse()
	return bytes.decode_double(0)


static func _path(hex: String) -> NodePath:
	return bytes_to_var(hex.hex_decode())


static func _object(id: int) -> EncodedObjectAsID:
	var object := EncodedObjectAsID.new()
	object.object_id = id
	return object


## Answers for a library that reads objects in full where the engine refuses their bytes.
class Generous extends RefCounted:
	func decode_with_objects(_bytes: PackedByteArray) -> int:
		return OK


	func decode(_bytes: PackedByteArray) -> int:
		return ERR_INVALID_DATA


	func error_message() -> String:
		return ""


	func encode_with_objects(value: Variant) -> PackedByteArray:
		return var_to_bytes_with_objects(value)


## An engine that knows no typed dictionaries refuses a recorded one: that is its age, and no difference.
func test_recorded_values_that_an_older_engine_does_not_know() -> void:
	var object := "180000000a00000052656643" + "6f756e7465640000" + "00000000"
	var typed := "1b000500" + "02000000" + "18000000" + "01000000" + "0200000001000000" + object
	for row: Array in [[typed, 0x040300, 1], [typed, 0x040603, 0], [object, 0x040300, 0]]:
		var part: RefCounted = GoldenPart.new()
		part.subject = Generous.new()
		var own: int = Oracle.engine_hex
		Oracle.engine_hex = row[1]
		part._compare({"name": "recorded", "hex": row[0], "with_objects": true, "volatile": true})
		Oracle.engine_hex = own
		var what := "%06x: %s" % [row[1], row[0]]
		check_same(part.engine_older, row[2], what + ": engine older")
		check_same(part.differences, 1 - row[2], what + ": differences")
