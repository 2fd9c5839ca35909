extends "suite.gd"
## Tests schemas that are made from data classes, functions and examples, and checks by a game's own
## functions.

const CastRequest := preload("schema/cast_request.gd")
const Vague := preload("schema/vague.gd")
const Stated := preload("schema/stated.gd")
const Annotated := preload("schema/annotated.gd")
const Cruiser := preload("schema/cruiser.gd")
const Misnamed := preload("schema/misnamed.gd")
const StrictMove := preload("schema/strict_move.gd")


static func _request() -> Dictionary:
	return {
		"level": 7, "power": 1.0, "caster": "me", "element": 1, "at": Vector2.ONE, "names": [&"a"],
		"targets": [{"id": 3}], "first": {"id": 1},
	}


func test_a_data_class_is_a_schema() -> void:
	var schema := VariantSchema.from_script(CastRequest)
	check_same(str(schema.get_build_errors()), "[]", "well-formed")
	check_error(schema.check(_request()), OK, "good: " + schema.get_error_message())
	var wrong := {
		"level": [100, "level: expected int 1..99, got int 100"],
		"power": [1.5, "power: expected float 0.0..1.0, got float 1.5"],
		"element": [2, "element: expected one of 1, 4, got int 2"],
		"at": [null, "at: expected Vector2, got null"],
		"names": [["a"], "names[0]: expected StringName, got String"],
		"targets": [[{"id": 0}], "targets[0].id: expected int 1..9, got int 0"],
		"first": [{}, "first: expected the key \"id\", got none of that name"],
	}
	for key: String in wrong:
		var request := _request()
		request[key] = wrong[key][0]
		check_error(schema.check(request), ERR_INVALID_DATA, key)
		check_same(schema.get_error_message(), wrong[key][1], key)


func test_defaults_of_a_data_class_are_filled_in() -> void:
	var codec := VariantCodec.new()
	codec.schema = VariantSchema.from_script(CastRequest)
	check_error(codec.decode(var_to_bytes({"first": {"id": 1}})), OK, codec.get_error_message())
	check_same(codec.data.level, 5, "level")
	check_same(codec.data.element, 4, "element")
	check_same(codec.data.names, [] as Array[StringName], "names")
	check_error(codec.decode(var_to_bytes({})), ERR_INVALID_DATA, "a nested class has to be there")


func test_what_cannot_be_known_is_named() -> void:
	check_same(VariantSchema.from_script(Vague).get_build_errors()[0].get("message"),
			"script: variable anything has no type; say what it is in a static func schema_types()", "vague")
	var stated := VariantSchema.from_script(Stated)
	check(stated.is_valid({"level": 1, "anything": "text"}), "stated")
	check(not stated.is_valid({"level": 1, "anything": 5}), "stated")
	check_same(VariantSchema.from_script(null).get_build_errors()[0].get("message"),
			"script: expected a script with typed variables", "null")


## Tests annotations: ranges in degrees, enums of texts, element types, and enums of one name in two classes.
func test_annotations_are_kept() -> void:
	var schema := VariantSchema.from_script(Annotated)
	check_same(str(schema.get_build_errors()), "[]", "well-formed")
	var good := {
		"angle": 6.2, "scores": [1, 99], "weapon": "sword", "colors": ["red", "green"], "speed": 6,
		"theirs": 4, "also_theirs": 1, "ours": 8,
	}
	check_error(schema.check(good), OK, schema.get_error_message())
	var wrong := {
		"angle": 6.3, "scores": [100], "weapon": "axe", "colors": ["blue"], "speed": 7, "theirs": 7,
		"also_theirs": 8, "ours": 4,
	}
	_check_each_is_refused(schema, good, wrong)
	var codec := VariantCodec.new()
	codec.schema = schema
	check_error(codec.decode(var_to_bytes({"angle": 1.0})), OK, codec.get_error_message())
	check_same([codec.data.theirs, codec.data.also_theirs, codec.data.ours], [1, 4, 7], "defaults")
	check_same([codec.data.weapon, codec.data.speed, codec.data.scores], ["bow", 5, [5] as Array[int]], "defaults")


## Tests enums and classes of the base class, of an inner class, and of the engine.
func test_names_from_elsewhere_are_known() -> void:
	var schema := VariantSchema.from_script(Cruiser)
	check_same(str(schema.get_build_errors()), "[]", "well-formed")
	var good := {
		"team": 4, "other": 4, "grade": 3, "teams": [0, 4], "grades": [2], "spare": {"grade": 2, "owner": 0},
		"parts": [{"grade": 3}], "lines": 4,
	}
	check_error(schema.check(good), OK, schema.get_error_message())
	var wrong := {
		"team": 1, "other": 1, "grade": 0, "teams": [1], "grades": [0], "spare": {"grade": 0}, "parts": [{"owner": 1}],
		"lines": 5,
	}
	_check_each_is_refused(schema, good, wrong)
	var codec := VariantCodec.new()
	codec.schema = schema
	check_error(codec.decode(var_to_bytes({"spare": {}})), OK, codec.get_error_message())
	check_same(codec.data.spare, {"grade": 3, "owner": 4}, "defaults of a class within")
	check_same([codec.data.team, codec.data.grade, codec.data.lines], [4, 2, Mesh.PRIMITIVE_LINES], "defaults")
	check(not codec.data.parts.is_typed(), "an empty array of data classes takes what a full one holds: dictionaries")


func test_a_script_says_what_has_to_be_sent() -> void:
	var schema := VariantSchema.from_script(StrictMove)
	check_same(str(schema.get_build_errors()), "[]", "well-formed")
	check_same(schema.coerce({"name": "a", "tags": []}), {"name": "a", "tags": [] as Array[StringName], "to": Vector2.ZERO, "turn": 0}, "the rest is filled in")
	var wrong := {
		{}: "(root): expected the key \"name\", got none of that name",
		{"name": "a"}: "(root): expected the key \"tags\", got none of that name",
		{"name": "123456789", "tags": []}: "name: expected String of at most 8 characters, got String of 9 characters",
		{"name": "a", "tags": [&"a", &"b", &"c"]}: "tags: expected Array of at most 2 elements, got Array of 3 elements",
		{"name": "a", "tags": [], "to": Vector2(2, 0)}: "to: expected Vector2 of length <= 1.0, got Vector2 of length 2.0",
	}
	for value: Dictionary in wrong:
		check_error(schema.check(value), ERR_INVALID_DATA, str(value))
		check_same(schema.get_error_message(), wrong[value], str(value))
	var keys := VariantSchema.dict({"a": VariantSchema.int().optional(1).required(), "b": VariantSchema.int().required().optional()})
	check(keys.is_valid({"a": 1}) and not keys.is_valid({"b": 1}), "the last word counts")


func test_a_name_that_is_no_variable_is_a_mistake() -> void:
	check_same(VariantSchema.from_script(Misnamed).get_build_errors()[0].get("message"),
			"script: schema_types() names hp_, which is no variable of the script", "misnamed")
	check(not VariantSchema.from_method(null, "get").is_well_formed(), "a function of nothing")


func test_a_function_is_a_schema_of_its_arguments() -> void:
	var schema := VariantSchema.from_method(CastRequest, &"cast")
	check(schema.is_valid([0.5, Vector2.ONE, ["a"]]), schema.get_error_message())
	check(not schema.is_valid([0.5, Vector2.ONE, [1]]), "an element")
	check(not schema.is_valid([0.5, Vector2.ONE]), "arity")
	var defaults := VariantSchema.from_method(CastRequest, &"aim")
	check(defaults.is_valid([0.5]) and defaults.is_valid([0.5, &"one", 3, Vector2.ONE]), "arguments with defaults")
	check(not defaults.is_valid([]) and not defaults.is_valid([0.5, 1]), "but not others")
	check_same(defaults.coerce([1], []), [1.0, &"all", 2], "constants are filled in, the rest is the function's part")
	check_same(defaults.coerce([1, "one", 3.0], []), [1.0, &"one", 3], "those that are missing")
	var codec := VariantCodec.new()
	codec.schema = defaults
	check_error(codec.decode(var_to_bytes([0.5, &"one"])), OK, "decode")
	check_same(codec.data, [0.5, &"one", 2], "filled in from bytes too")
	check_same(VariantSchema.from_method(CastRequest, &"untyped").get_build_errors()[0].get("message"),
			"untyped: argument what has no type", "untyped")
	check_same(VariantSchema.from_method(CastRequest, &"none").get_build_errors()[0].get("message"),
			"method: the script has no function none", "none")
	check_same(VariantSchema.from_method(null, &"cast").get_build_errors()[0].get("message"),
			"script: expected a script with this function", "null")


## Tests exported dictionaries, which the engine lists in another form.
func test_exported_dictionaries_are_typed_too() -> void:
	var script := GDScript.new()
	script.source_code = """extends RefCounted
enum Kind {A = 3, B = 5}
@export var ages: Dictionary[String, int] = {"a": 1}
@export var kinds: Dictionary[int, Kind]
var others: Dictionary[StringName, Vector2]
var ranks: Dictionary[Kind, int] = {}
var parts: Dictionary[int, Part] = {}
class Part:
	var size: int = 1
"""
	# Engines before 4.4 have no such type.
	if Engine.get_version_info().hex < 0x040400:
		check(VariantSchema.from_script(script) != null, "nothing to try")
		return
	check_error(script.reload(), OK, "compiled")
	var schema := VariantSchema.from_script(script)
	check_same(str(schema.get_build_errors()), "[]", "well-formed")
	check(schema.is_valid({"ages": {"b": 2}, "kinds": {1: 5}, "others": {&"x": Vector2.ONE}, "ranks": {3: 1},
			"parts": {1: {"size": 2}}}), schema.get_error_message())
	for wrong: Dictionary in [{"ranks": {4: 1}}, {"parts": {1: {"size": "2"}}}, {"ages": {1: 2}}, {"ages": {"b": 2.0}}, {"kinds": {1: 4}}, {"others": {"x": Vector2.ONE}}]:
		check(not schema.is_valid(wrong), str(wrong))


## Tests a function with a rest parameter, and variables that are an object's id.
func test_what_has_no_type_of_its_own() -> void:
	# Engines before 4.5 know no such functions, and would not parse this file.
	var script := GDScript.new()
	script.source_code = "extends RefCounted\nfunc all(a: int, ...rest) -> void:\n\tprint(a, rest)\n"
	if Engine.get_version_info().hex >= 0x040500:
		check_error(script.reload(), OK, "compiled")
		var schema := VariantSchema.from_method(script, &"all")
		check(schema.is_valid([1]) and schema.is_valid([1, "two", [3]]), schema.get_error_message())
		check(not schema.is_valid([]) and not schema.is_valid(["one", 2]), "but not others")
		check_same(schema.coerce([1.0, 2.0]), [1, 2.0], "what follows stays as it is")
		check_same(VariantSchema.from_json(schema.to_json()).get_hash(), schema.get_hash(), "a document")
	var ids := GDScript.new()
	ids.source_code = "extends RefCounted\nvar a: EncodedObjectAsID\nvar b := EncodedObjectAsID.new()\nvar n: int = 3\n"
	check_error(ids.reload(), OK, "compiled")
	var of_ids := VariantSchema.from_script(ids)
	check_same(str(of_ids.get_build_errors()), "[]", "well-formed")
	check(of_ids.is_valid({"a": null, "b": self, "n": 1}), of_ids.get_error_message())
	check(not of_ids.is_valid({"n": 1}), "an id has to be there")
	check(not of_ids.is_valid({"a": null, "b": 5, "n": 1}), "no number is one")


func test_checks_of_the_game_come_last() -> void:
	var seen := []
	var even := func(number: int) -> bool:
		seen.append(number)
		return number % 2 == 0
	var schema := VariantSchema.dict({
		"n": VariantSchema.int(0, 9).check_with(even),
		"list": VariantSchema.array(VariantSchema.union([VariantSchema.int().check_with(even), VariantSchema.string()])),
	})
	check_error(schema.check({"n": 2, "list": ["a", 4]}), OK, "good")
	check_same(seen, [2, 4], "called with each")
	check_error(schema.check({"n": 3, "list": [true]}), ERR_INVALID_DATA, "bad by itself")
	check_same(seen, [2, 4], "not called for what is refused anyway")
	check_error(schema.check({"n": 2, "list": [1]}), ERR_INVALID_DATA, "odd")
	check_same(schema.get_error().code, VariantCodec.CHECK_FAILED, "code")
	check_same(schema.get_error().path, "list[0]", "path")
	var codec := VariantCodec.new()
	codec.schema = schema
	var state := {"n": 8, "list": []}
	var odd := var_to_bytes({"n": 3, "list": []})
	check_error(codec.decode(odd), ERR_INVALID_DATA, "decode")
	check_error(codec.validate(odd), ERR_INVALID_DATA, "validate")
	check_error(codec.decode_into(state, odd), ERR_INVALID_DATA, "decode_into")
	check_same(state, {"n": 8, "list": []}, "left as it was")
	check_error(codec.decode(var_to_bytes({"n": 2, "list": []})), OK, "good")


## Gives the codec a schema and returns an object that ends with it. It is a function of its own, because a
## function's temporaries end with it.
static func _ends_with_schema(codec: VariantCodec) -> WeakRef:
	var kept := RefCounted.new()
	codec.schema = VariantSchema.int().check_with(func(_number: int) -> bool: return kept != null)
	return weakref(kept)


func test_a_schema_ends_when_its_codec_lets_it_go() -> void:
	var codec := VariantCodec.new()
	var kept := _ends_with_schema(codec)
	check_error(codec.decode(var_to_bytes(5)), OK, "used")
	check(kept.get_ref() != null, "it has the check")
	codec.schema = null
	check(kept.get_ref() == null, "and nothing has it any more")
	check_error(codec.decode(var_to_bytes("text")), OK, "no schema")


func test_every_check_that_says_no_is_told() -> void:
	var asked := []
	var even := VariantSchema.int().check_with(func(number: int) -> bool: return number % 2 == 0)
	var list := VariantSchema.array(even).check_with(func(numbers: Array) -> bool:
		asked.append(numbers)
		return numbers.size() < 2)
	var schema := VariantSchema.dict({"a": list, "b": list, "c": even})
	var bad := {"a": [1, 2, 3], "b": [2, 4], "c": 5}
	var paths := func(errors: Array) -> Array: return errors.map(func(it: Dictionary) -> String: return it.path)
	var wanted := ["a[0]", "a[2]", "b", "c"]
	check_error(schema.check(bad), ERR_INVALID_DATA, "check")
	check_same(asked, [[2, 4]], "of what is refused itself, nothing around it is asked")
	check_same(paths.call(schema.get_errors()), wanted, "check")
	check_same(schema.get_error(), schema.get_errors()[0], "the first")
	check_same(paths.call(schema.get_errors(2)), wanted.slice(0, 2), "no more than asked for")
	schema.coerce(bad)
	check_same(paths.call(schema.get_errors()), wanted, "coerce")
	var codec := VariantCodec.new()
	codec.schema = schema
	check_error(codec.decode(var_to_bytes(bad)), ERR_INVALID_DATA, "decode")
	check_same(paths.call(codec.get_errors()), wanted, "decode")
	check(codec.encode(bad).is_empty(), "encode")
	check_same(paths.call(codec.get_errors()), wanted, "encode")
	check_error(codec.decode(var_to_bytes({"a": [], "b": [], "c": 1})), ERR_INVALID_DATA, "another one")
	check_same(paths.call(codec.get_errors()), ["c"], "and nothing of the one before")
	var many := []
	many.resize(100)
	many.fill(1)
	check_error(VariantSchema.array(even).check(many), ERR_INVALID_DATA, "many")
	check_same(VariantSchema.any().get_errors(100).size(), 32, "bounded")


## Tests checks that give no answer: a mistake in code, and no verdict on the data.
func test_checks_that_give_no_answer() -> void:
	var target := Object.new()
	var gone := target.get_class
	target.free()
	var checks := {
		"one whose object or method is gone": gone,
		"one that takes 0 arguments": func() -> bool: return true,
		"one that takes 2 arguments": func(_a: int, _b: int) -> bool: return true,
		"one that takes no int": func(_text: String) -> bool: return true,
		"one that answered null": func(_number: int) -> void: pass,
		"one that answered int": func(number: int) -> int: return number,
	}
	for got: String in checks:
		var schema := VariantSchema.array(VariantSchema.int().check_with(checks[got]))
		check_error(schema.check([1]), ERR_INVALID_PARAMETER, got)
		var message := "[0]: expected a check_with() that answers true or false, got " + got
		check_same(schema.get_error_message(), message, "message")
		check_same(schema.get_error().code, VariantCodec.ILL_FORMED_SCHEMA, "code")
		var codec := VariantCodec.new()
		codec.schema = schema
		check_error(codec.decode(var_to_bytes([1])), ERR_INVALID_PARAMETER, "decode")
		check_same(codec.get_error_message(), message, "message of bytes")
		check_same(codec.get_errors(), [codec.get_error()] as Array[Dictionary], "errors")
		check(codec.encode([1]).is_empty(), "encode")
		check_error(schema.check([]), OK, "nothing to ask")
	check_error(VariantSchema.int().check_with(func(n: int, least := 2) -> bool: return n > least).check(3), OK, "default")


## Tests checks that use the codec: it is busy meanwhile, and bytes are not refused for what happens to them
## then.
func test_a_check_may_do_anything() -> void:
	var codec := VariantCodec.new()
	var given := [var_to_bytes([1, 2])]
	var seen := []
	var codecs := [codec]
	codec.schema = VariantSchema.array().check_with(func(_value: Array) -> bool:
		seen.append(codecs[0].decode(given[0]))
		given[0].resize(9)
		return false)
	check_error(codec.decode(given[0]), ERR_INVALID_DATA, "refused")
	check_same(seen, [ERR_BUSY], "busy")
	check_same(given[0].size(), 9, "changed")
	check_same(codec.get_error().code, VariantCodec.CHECK_FAILED, "code")
	check_same(codec.get_errors(), [codec.get_error()] as Array[Dictionary], "and nothing about bytes")
	# The function holds them, and the codec the function.
	codecs.clear()


func test_declarations_that_no_schema_can_follow() -> void:
	var scripts := {
		"script: variable kind has a value beyond the largest int; say what it is in a static func schema_types()":
				'@export_enum("A:9223372036854775807", "B") var kind: int',
		"script: schema_types() has to be static and without arguments":
				"var a: int\nfunc schema_types() -> Dictionary:\n\treturn {}",
		"script: schema_types() has to be static and without arguments.":
				"var a: int\nstatic func schema_types(_of: int) -> Dictionary:\n\treturn {}",
		"script: schema_types() has to return a Dictionary":
				"var a: int\nstatic func schema_types() -> int:\n\treturn 1",
	}
	for message: String in scripts:
		var script := GDScript.new()
		script.source_code = "extends RefCounted\n%s\n" % scripts[message]
		check_error(script.reload(), OK, "compiled")
		var schema := VariantSchema.from_script(script)
		check(not schema.is_well_formed(), "a mistake")
		check_same(schema.get_build_errors()[0].get("message"), message.trim_suffix("."), "message")


## Tests that a check is called wherever it stands, and that a refusal ends it: for bytes, live values, and
## repaired ones.
func test_a_check_is_asked_wherever_it_stands() -> void:
	var no := func(value: Variant) -> bool: return not (value is String and value == "no" or value is int and value == 7)
	var text := VariantSchema.string().check_with(no)
	var number := VariantSchema.int().check_with(no)
	var case := VariantSchema.dict({"kind": VariantSchema.string(), "n": number})
	var rows := {
		"(root)": [text, "yes", "no"],
		"[1]": [VariantSchema.array(number), [1, 2], [1, 7]],
		"[0]": [VariantSchema.tuple([number, VariantSchema.any()]), [1, 7], [7, 1]],
		"a": [VariantSchema.dict({"a": text}), {"a": "yes"}, {"a": "no"}],
		"no (key)": [VariantSchema.map(text, VariantSchema.int()), {"yes": 1}, {"no": 1}],
		"7 (key)": [VariantSchema.map(number, VariantSchema.int()), {1: 7}, {7: 1}],
		"x": [VariantSchema.map(VariantSchema.string(), number), {"x": 1}, {"x": 7}],
		"(root) of two": [VariantSchema.union([number, VariantSchema.string()]), 1, 7],
		"n": [VariantSchema.discriminated("kind", {"k": case}), {"kind": "k", "n": 1}, {"kind": "k", "n": 7}],
		"[0][0]": [VariantSchema.array(VariantSchema.ref("r").define("r", VariantSchema.array(number))), [[1]], [[7]]],
	}
	for place: String in rows:
		var schema: VariantSchema = rows[place][0]
		var good: Variant = rows[place][1]
		var bad: Variant = rows[place][2]
		var codec := VariantCodec.new()
		codec.schema = schema
		check_error(schema.check(good), OK, "%s: good" % place)
		check_error(codec.decode(var_to_bytes(good)), OK, "%s: bytes of it" % place)
		check_same(schema.coerce(good, "fallback"), good, "%s: good, repaired" % place)
		check_error(schema.check(bad), ERR_INVALID_DATA, "%s: bad" % place)
		check_same(schema.get_error().code, VariantCodec.CHECK_FAILED, "%s: why" % place)
		check_error(codec.decode(var_to_bytes(bad)), ERR_INVALID_DATA, "%s: bytes of it" % place)
		check_error(codec.validate(var_to_bytes(bad)), ERR_INVALID_DATA, "%s: bytes of it, validated" % place)
		check(codec.encode(bad).is_empty(), "%s: encoded" % place)
		check_same(schema.coerce(bad, "fallback"), "fallback", "%s: bad, repaired" % place)
		check_same(schema.get_error().code, VariantCodec.CHECK_FAILED, "%s: why it is not repaired" % place)
	var repaired := VariantSchema.map(VariantSchema.int(), number)
	check_same(repaired.coerce({"1": 2.0}, "fallback"), {1: 2}, "repaired, then asked")
	check_same(repaired.coerce({"1": 7.0}, "fallback"), "fallback", "refused as it was repaired")


## Tests that several checks are called in order, until one refuses.
func test_checks_add_up() -> void:
	var asked := []
	var even := func(n: int) -> bool:
		asked.append("even")
		return n % 2 == 0
	var small := func(n: int) -> bool:
		asked.append("small")
		return n < 9
	var schema := VariantSchema.int().check_with(even).check_with(small)
	check(schema.is_valid(4) and not schema.is_valid(5) and not schema.is_valid(10), "both count")
	check_same(asked, ["even", "small", "even", "even", "small"], "in order")
	check(VariantSchema.int().check_with(even).is_valid(10), "the schema that was modified is as it was")
	check_same(VariantSchema.int().check_with(Callable()).get_build_errors()[0].get("message"),
			"check_with: callable: expected a function, got an empty Callable", "a function that is none")


## Tests that a check of a dictionary may rely on its defaults, whichever API the value came by.
func test_checks_see_defaults() -> void:
	var wide := func(box: Dictionary) -> bool: return box.width > box.height
	var schema := VariantSchema.dict({
		"width": VariantSchema.int().optional(3), "height": VariantSchema.int(),
		"tags": VariantSchema.array(VariantSchema.int()).typed().check_with(func(tags: Array[int]) -> bool: return tags.size() < 2)
				.optional([7]),
	}).check_with(wide)
	var codec := VariantCodec.new()
	codec.schema = schema
	for row: Array in [[{"height": 2}, OK], [{"height": 4}, ERR_INVALID_DATA], [{"width": 5, "height": 4}, OK],
			[{"height": 2, "tags": [1]}, OK], [{"height": 2, "tags": [1, 2]}, ERR_INVALID_DATA]]:
		var value: Dictionary = row[0]
		var before := value.duplicate(true)
		check_error(schema.check(value), row[1], "%s: %s" % [value, schema.get_error_message()])
		check_error(codec.decode(var_to_bytes(value)), row[1], "decoded: %s" % value)
		check_same(codec.encode(value).is_empty(), row[1] != OK, "encoded: %s" % value)
		check_same(schema.coerce(value) == null, row[1] != OK, "coerced: %s" % value)
		check_same(value, before, "a check changes nothing")


## Checks each of the wrong values alone, among good ones.
func _check_each_is_refused(schema: VariantSchema, good: Dictionary, wrong: Dictionary) -> void:
	for key: String in wrong:
		var bad := good.duplicate()
		bad[key] = wrong[key]
		check_error(schema.check(bad), ERR_INVALID_DATA, key)
