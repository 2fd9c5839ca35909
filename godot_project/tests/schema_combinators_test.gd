extends "suite.gd"
## Schemas of scripts, functions and documents in every combinator, as a game writes them. Every combinator over every kind of
## schema is in tests/tests/schema_combinators.rs.

const SaveV1 := preload("schema/save_v1.gd")
const SaveV2 := preload("schema/save_v2.gd")
const CastRequest := preload("schema/cast_request.gd")

const V1 := {"version": 1, "hp": 7}
const V2 := {"version": 2, "health": 7, "items": [{"id": 3}], "target": {"id": 4}}


func test_versions_are_told_apart() -> void:
	var json := func(script: Script) -> VariantSchema:
		return VariantSchema.from_json(VariantSchema.from_script(script).to_json())
	var open := func(script: Script) -> VariantSchema: return VariantSchema.from_script(script).open()
	# Godot 4.3 has no Callable of a static method of an extension.
	var plain := func(script: Script) -> VariantSchema: return VariantSchema.from_script(script)
	var makers := {
		"from_script()": plain, "from_json()": json, "open()": open,
	}
	for name: String in makers:
		var make: Callable = makers[name]
		var schema := VariantSchema.discriminated("version", {1: make.call(SaveV1), 2: make.call(SaveV2)})
		check_same(str(schema.get_build_errors()), "[]", name)
		_check_versions(schema, name)
		_check_versions(VariantSchema.from_json(schema.to_json()), name + ", as a document")
		var inside := VariantSchema.dict({"save": schema, "all": VariantSchema.array(schema), "by": VariantSchema.map(VariantSchema.int(), schema)})
		var value := {"save": V1, "all": [V1, V2], "by": {5: V2}}
		check_error(inside.check(value), OK, name + ": " + inside.get_error_message())
		check(not inside.is_valid({"save": V1, "all": [V1, {"version": 2, "health": 100}], "by": {}}), name + ": an element")
		check(inside.get_error_message().begins_with("all[1].health: expected int 0..99"), inside.get_error_message())


## Open ones take what a later version added.
func test_a_script_is_opened() -> void:
	var schema := VariantSchema.from_script(SaveV2).open()
	check_same(str(schema.get_build_errors()), "[]", "well-formed")
	check(schema.is_valid({"version": 2, "added": 1, "target": {"id": 1}}), schema.get_error_message())
	check(not schema.is_valid({"target": {"id": 1}, "items": [{"id": 1, "added": 1}]}), "classes inside stay closed")
	check_same(schema.get_error_message().get_slice(":", 0), "items[0].added", "where")
	check(not VariantSchema.from_script(SaveV2).is_valid({"added": 1}), "the schema it was made of is as it was")
	check(not schema.closed().is_valid({"added": 1}), "closed() again")


func test_every_combinator_takes_a_script() -> void:
	var script := VariantSchema.from_script(SaveV1)
	var wrong := {"version": 1, "hp": 100}
	var cases := {
		"array()": [VariantSchema.array(script), func(it: Variant) -> Variant: return [it], "[0].hp"],
		"tuple()": [VariantSchema.tuple([VariantSchema.int(), script]), func(it: Variant) -> Variant: return [1, it], "[1].hp"],
		"dict()": [VariantSchema.dict({"k": script}), func(it: Variant) -> Variant: return {"k": it}, "k.hp"],
		"optional()": [VariantSchema.dict({"k": script.optional({})}), func(it: Variant) -> Variant: return {"k": it}, "k.hp"],
		"map()": [VariantSchema.map(VariantSchema.string(), script), func(it: Variant) -> Variant: return {"k": it}, "k.hp"],
		"union()": [VariantSchema.union([script, VariantSchema.int()]), func(it: Variant) -> Variant: return it, "hp"],
		"nullable()": [script.nullable(), func(it: Variant) -> Variant: return it, "hp"],
		"describe()": [script.describe("a save"), func(it: Variant) -> Variant: return it, "hp"],
		"define()": [
			VariantSchema.dict({"k": VariantSchema.ref("save")}).define("save", script),
			func(it: Variant) -> Variant: return {"k": it}, "k.hp",
		],
		"check_with()": [script.check_with(func(it: Dictionary) -> bool: return it.hp != 13), func(it: Variant) -> Variant: return it, "hp"],
	}
	for name: String in cases:
		var schema: VariantSchema = cases[name][0]
		var wrap: Callable = cases[name][1]
		check_same(str(schema.get_build_errors()), "[]", name)
		check_error(schema.check(wrap.call(V1)), OK, name + ": " + schema.get_error_message())
		check_error(schema.check(wrap.call(wrong)), ERR_INVALID_DATA, name)
		check_same(schema.get_error_message(), cases[name][2] + ": expected int 0..99, got int 100", name)
		var codec := VariantCodec.new()
		codec.schema = schema
		check_error(codec.decode(var_to_bytes(wrap.call({}))), OK, name + ": " + codec.get_error_message())
		check_same(codec.data, wrap.call({"version": 1, "hp": 50}), name + ": defaults")
	var checked := VariantSchema.discriminated("version", {1: cases["check_with()"][0]})
	check(checked.is_valid(V1) and not checked.is_valid({"version": 1, "hp": 13}), "a check of a case is asked")
	check_same(checked.get_error_message(), "(root): expected a value that check_with() accepts, got another one", "its message")


## Packets as arrays, with a word that says what they are.
func test_tuples_that_their_first_element_tells_apart() -> void:
	var schema := VariantSchema.union([
		VariantSchema.tuple([VariantSchema.literal("move"), VariantSchema.vector2()]),
		VariantSchema.tuple([VariantSchema.literal("chat"), VariantSchema.string().max_chars(5), VariantSchema.int().optional(0)]),
		VariantSchema.from_method(CastRequest, &"cast").nullable(),
	])
	check_same(schema.get_build_errors()[0].get("message"),
			"two alternatives are Array, and nothing tells them apart; give each tuple a literal of its own as its first element",
			"one that begins with a float")
	schema = VariantSchema.union([
		VariantSchema.tuple([VariantSchema.literal("move"), VariantSchema.vector2()]),
		VariantSchema.tuple([VariantSchema.literal("chat"), VariantSchema.string().max_chars(5), VariantSchema.int().optional(0)]),
		VariantSchema.nil(),
	])
	check_same(str(schema.get_build_errors()), "[]", "well-formed")
	var codec := VariantCodec.new()
	codec.schema = schema
	for given: Array in [[["move", Vector2.ONE]], [["chat", "hi"], ["chat", "hi", 0]], [["chat", "hi", 3]]]:
		check_error(codec.decode(var_to_bytes(given[0])), OK, codec.get_error_message())
		check_same(codec.data, given[-1], "decode()")
		check_error(schema.check(given[0]), OK, schema.get_error_message())
		var target := []
		check_error(codec.decode_into(target, var_to_bytes(given[0])), OK, codec.get_error_message())
		check_same(target, given[-1], "decode_into()")
	var wrong := {
		"[0]: expected one of \"move\", \"chat\", got String of 4 characters": ["jump", 1],
		"[1]: expected Vector2, got String": ["move", "there"],
		"(root): expected Array of 2 elements, got Array of 3 elements": ["move", Vector2.ONE, 1],
	}
	for message: String in wrong:
		check_error(schema.check(wrong[message]), ERR_INVALID_DATA, message)
		check_same(schema.get_error_message(), message, "check()")
		check_error(codec.decode(var_to_bytes(wrong[message])), ERR_INVALID_DATA, message)
		check(codec.get_error_message().begins_with(message), codec.get_error_message())


## Tests that the inner name of a script's schema is never shown.
func test_no_inner_name_is_told() -> void:
	var schema := VariantSchema.from_script(SaveV2)
	for wrong: Variant in [5, {"items": [5]}, {"target": 5}, {"items": 5}]:
		check_error(schema.check(wrong), ERR_INVALID_DATA, str(wrong))
		check(_has_no_inner_name(schema.get_error_message()), schema.get_error_message())
	check_error(schema.check({"target": 5}), ERR_INVALID_DATA, "a reference")
	check_same(schema.get_error_message(), "target: expected Dictionary, got int 5", "says what it leads to")
	var markdown := VariantSchema.discriminated("version", {1: VariantSchema.from_script(SaveV1), 2: schema}).to_markdown()
	check(_has_no_inner_name(markdown), markdown)
	for line: String in ["| &lt;save_v2>.items[] | Item | required |", "| &lt;Item>.id | int 1..9 | default 1 |", "| &lt;Target>.id |"]:
		check(line in markdown, line + "\n" + markdown)


func _has_no_inner_name(text: String) -> bool:
	return RegEx.create_from_string("(save_v.|class|Item|target) \\d").search(text) == null


func _check_versions(schema: VariantSchema, name: String) -> void:
	var codec := VariantCodec.new()
	codec.schema = schema
	for save: Dictionary in [V1, V2]:
		check_error(schema.check(save), OK, name + ": " + schema.get_error_message())
		check_error(codec.decode(var_to_bytes(save)), OK, name + ": " + codec.get_error_message())
		check_same(codec.data, save, name)
	var wrong := {
		"hp": {"version": 1, "hp": 100}, "health": {"version": 2, "health": 100, "target": {"id": 1}}, "version": {"version": 3},
		"items[0].id": {"version": 2, "target": {"id": 1}, "items": [{"id": 10}]},
	}
	for path: String in wrong:
		check_error(codec.decode(var_to_bytes(wrong[path])), ERR_INVALID_DATA, "%s: %s" % [name, path])
		check_same(codec.get_error().path, path, name)
		check(_has_no_inner_name(codec.get_error_message()), codec.get_error_message())
