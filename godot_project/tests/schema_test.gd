extends "suite.gd"
## Tests VariantSchema as a user uses it: a packet described once, checked as bytes and as a value. It also
## tests the answers to a beginner's mistakes. The Rust suite over tests/schema tests which values every rule
## accepts.

const NEEDS := {"test_from_several_threads": "threads"}
const ITEM := {"id": 5, "count": 2}


static func _move() -> VariantSchema:
	return VariantSchema.dict({
		"seq": VariantSchema.int(0, 0xFFFF_FFFF),
		"dir": VariantSchema.vector2().max_length(1.01),
		"aim": VariantSchema.float(-PI, PI),
		"act": VariantSchema.enum(["none", "jump", "fire"]),
		"items": VariantSchema.array(VariantSchema.dict({
			"id": VariantSchema.int(1, 4096),
			"count": VariantSchema.int(1, 99),
		})).max_size(16),
		"note": VariantSchema.string().max_chars(64).optional(""),
	}).closed()


static func _packet(count: Variant = 2) -> Dictionary:
	return {
		"seq": 7, "dir": Vector2(1, 0), "aim": 0.5, "act": "jump",
		"items": [{"id": 5, "count": count}],
	}


static func _codec(schema: VariantSchema) -> VariantCodec:
	var codec := VariantCodec.new()
	codec.limits = VariantLimits.network()
	codec.schema = schema
	return codec


func test_a_good_packet_is_decoded_with_its_defaults() -> void:
	var codec := _codec(_move())
	var packet := _packet()
	check_error(codec.decode(var_to_bytes(packet)), OK, "decode")
	packet["note"] = ""
	check_same(codec.data, packet, "data")
	check_error(codec.validate(var_to_bytes(packet)), OK, "validate")
	check_same(codec.get_errors(), [] as Array[Dictionary], "no errors")


func test_a_default_is_filled_in_itself() -> void:
	var place := VariantSchema.dict({"at": VariantSchema.vector2().optional(Vector2.ZERO)}).optional({})
	var schema := VariantSchema.dict({"place": place, "places": VariantSchema.array(place.nullable()).optional([{}])})
	check(not schema.is_well_formed(), "elements are never missing")
	var places := VariantSchema.array(VariantSchema.dict({"place": place})).typed().optional([{}])
	schema = VariantSchema.dict({"place": place, "places": places})
	var codec := _codec(schema)
	check_error(codec.decode(var_to_bytes({})), OK, "decode")
	var there := {"at": Vector2.ZERO}
	check_same(codec.data, {"place": there, "places": [{"place": there}] as Array[Dictionary]}, "data")
	check_same(schema.coerce({}), codec.data, "coerce()")
	var node := VariantSchema.dict({"next": VariantSchema.ref("node").optional({})})
	schema = VariantSchema.ref("node").define("node", node)
	var reason: String = schema.get_build_errors()[0].message
	check(reason.begins_with("the default is filled in with itself again"), reason)


func test_what_is_sent_is_checked_too() -> void:
	var codec := _codec(_move())
	check_same(codec.encode(_packet()), var_to_bytes(_packet()), "a good packet, without its default")
	check_error(codec.decode(var_to_bytes(_packet(250)).slice(0, -4)), ERR_FILE_EOF, "something else before")
	check_same(codec.encode(_packet(250)), PackedByteArray(), "a bad one")
	check_same(codec.get_error_message(), "items[0].count: expected int 1..99, got int 250", "message")
	check_same(codec.get_error().byte_offset, -1, "there are no bytes to point at")
	check_same(codec.get_errors(), [codec.get_error()] as Array[Dictionary], "of this call")
	codec.target = "4.0"
	check_same(codec.encode(_packet(250)), PackedByteArray(), "for another version")
	check_same(codec.encode(_packet()), var_to_bytes(_packet()), "a good one for it")
	check_same(codec.get_errors(), [] as Array[Dictionary], "nothing is left")
	codec.schema = VariantSchema.int().check_with(func(number: int) -> bool: return number == 7)
	check(codec.encode(8).is_empty() and codec.get_error().code == VariantCodec.CHECK_FAILED, "a check of the game")
	check_same(codec.encode(7), var_to_bytes(7), "one that it accepts")


func test_refusals_are_explained_when_asked() -> void:
	var codec := _codec(_move())
	var bytes := var_to_bytes(_packet(250))
	check_error(codec.decode(bytes), ERR_INVALID_DATA, "decode")
	bytes.fill(0)
	check_same(codec.get_error().path, "items[0].count", "of the bytes as they were")
	codec.schema = null
	check_same(codec.get_error().got, "int 250", "by the schema that was")


func test_typed_containers_are_made_where_the_bytes_have_none() -> void:
	var codec := _codec(VariantSchema.dict({"ids": VariantSchema.array(VariantSchema.int()).typed()}))
	check_error(codec.decode(var_to_bytes({"ids": [1, 2]})), OK, "untyped")
	check_same(codec.data.ids, [1, 2] as Array[int], "made typed")
	check_error(codec.decode(var_to_bytes({"ids": [3] as Array[int]})), OK, "typed")
	check_same(codec.data.ids, [3] as Array[int], "kept")


func test_a_bad_packet_says_where_and_what() -> void:
	var codec := _codec(_move())
	var bytes := var_to_bytes(_packet(250))
	for call: Callable in [codec.decode, codec.validate, codec.decode_into.bind(bytes)]:
		var first: Variant = {} if call.get_bound_arguments_count() > 0 else bytes
		check_error(call.call(first), ERR_INVALID_DATA, "%s" % call)
		check_same(codec.get_error_message(), "items[0].count: expected int 1..99, got int 250 (byte %d)" % (
				172 if is_double else 164), "%s" % call)
	var told := codec.get_error()
	check_same(told.code, VariantCodec.OUT_OF_RANGE, "code")
	check_same(told.expected, "int 1..99", "expected")
	check_same(told.got, "int 250", "got")
	check_same(told.path, "items[0].count", "path")
	check(codec.data == null, "nothing was built")


func test_every_reason_is_there_for_the_asking() -> void:
	var codec := _codec(_move())
	var packet := _packet(0)
	packet.erase("seq")
	packet["act"] = "dance"
	packet["extra"] = true
	check_error(codec.decode(var_to_bytes(packet)), ERR_INVALID_DATA, "decode")
	var paths := codec.get_errors().map(func(error: Dictionary) -> String: return error.path)
	check_same(paths, ["act", "items[0].count", "extra", "(root)"], "paths")
	check_same(codec.get_errors(2).size(), 2, "capped")
	check_same(codec.get_errors()[0], codec.get_error(), "the first is the one told")


func test_check_agrees_with_bytes() -> void:
	var schema := _move()
	check_error(schema.check(_packet()), OK, "good")
	check(schema.is_valid(_packet()), "good")
	check_error(schema.check(_packet("many")), ERR_INVALID_DATA, "bad")
	check_same(schema.get_error_message(), "items[0].count: expected int 1..99, got String", "message")
	check_same(schema.get_error().byte_offset, -1, "no bytes")
	check_same(schema.get_errors(1).size(), 1, "errors")
	check_error(schema.check(_packet()), OK, "good again")
	check_same(schema.get_error(), {}, "nothing is wrong any more")
	var with_names := {}
	for key: String in _packet():
		with_names[StringName(key)] = _packet()[key]
	check_error(schema.check(with_names), OK, "String and StringName keys are the same key")


func test_decode_into_keeps_what_fits() -> void:
	var codec := _codec(_move())
	var state := {"seq": 1, "items": []}
	var items: Array = state.items
	check_error(codec.decode_into(state, var_to_bytes(_packet())), OK, "decode_into")
	check(is_same(state.items, items), "the array is kept")
	check_same(state.note, "", "default")
	check_error(codec.decode_into(state, var_to_bytes({})), ERR_INVALID_DATA, "refused")
	check_same(state.seq, 7, "left as it was")
	var full := _packet(9)
	full["note"] = "all keys are there"
	check_error(codec.decode_into(state, var_to_bytes(full)), OK, "nothing to fill in")
	check(is_same(state.items, items) and state == full, "in place")
	full.items[0].count = 100
	check_error(codec.decode_into(state, var_to_bytes(full)), ERR_INVALID_DATA, "refused")
	check_same([state.items[0].count, state.note], [9, "all keys are there"], "left as it was")
	check_error(codec.decode_into([], var_to_bytes(_packet())), ERR_INVALID_PARAMETER, "another type")


func test_typed_containers_are_made() -> void:
	var schema := VariantSchema.dict({
		"ids": VariantSchema.array(VariantSchema.int()).typed(),
		"by_name": VariantSchema.map(VariantSchema.string(), VariantSchema.float()).typed(),
	})
	var codec := _codec(schema)
	check_error(codec.decode(var_to_bytes({"ids": [1, 2], "by_name": {"a": 0.5}})), OK, "decode")
	var ids: Array[int] = codec.data.ids
	check_same(ids, [1, 2] as Array[int], "ids")
	check_same(codec.data.ids.get_typed_builtin(), TYPE_INT, "typed")
	if Engine.get_version_info().hex >= 0x040400:
		check_same(codec.data.by_name.get_typed_value_builtin(), TYPE_FLOAT, "typed dictionary")


func test_schemas_are_documents() -> void:
	var schema := _move().describe("One move.")
	var again := VariantSchema.from_json(schema.to_json())
	check_same(again.to_json(), schema.to_json(), "json")
	check_same(again.get_hash(), schema.get_hash(), "hash")
	check(again.get_hash() != schema.open().get_hash(), "another schema, another hash")
	check("| items[].count | int 1..99 | required |" in schema.to_markdown(), schema.to_markdown())
	check(VariantSchema.from_example({"hp": 1, "pos": Vector2()}).is_valid({"hp": 9, "pos": Vector2.ONE}), "example")
	var items := VariantSchema.from_example([{"id": 1, "pos": Vector2.INF}, {"id": 2, "note": &"new", "pos": Vector2()}])
	check_same(items.check([{"pos": Vector2(NAN, 0), "id": 3}, {"note": &"", "id": 4, "pos": Vector2()}]), OK, "elements that differ")
	check_same(items.check([{"note": &"", "id": 4}]), ERR_INVALID_DATA, "an element without what all have")
	check_same(items.get_error_message(), '[0]: expected the key "pos", got none of that name', "and why")


func test_schemas_are_resources() -> void:
	var path := "user://schema_test.tres"
	check_error(ResourceSaver.save(_move(), path), OK, "save")
	var loaded: VariantSchema = ResourceLoader.load(path, "", ResourceLoader.CACHE_MODE_IGNORE)
	check(loaded != null and loaded.get_hash() == _move().get_hash(), "loaded")
	check(loaded.is_valid(_packet()), "usable")
	DirAccess.remove_absolute(path)


func test_the_inspector_edits_the_text() -> void:
	var schema := VariantSchema.new()
	var shown := schema.get_property_list().filter(func(it: Dictionary) -> bool: return it.name == "json")
	check_same(shown.size(), 1, "one property")
	check_same(shown[0].usage & PROPERTY_USAGE_DEFAULT, PROPERTY_USAGE_DEFAULT, "shown and saved")
	check_same([shown[0].type, shown[0].hint], [TYPE_STRING, PROPERTY_HINT_MULTILINE_TEXT], "as lines of text")
	check_same(schema.json, "", "nothing is said yet")
	schema.json = '{"schema_version": 1, "type": "int", "max": 9'
	check_same(schema.json, '{"schema_version": 1, "type": "int", "max": 9', "what is half written stays")
	check(not schema.is_well_formed() and "not JSON" in schema.get_build_errors()[0].message, "and is told")
	schema.json += "}"
	check(schema.is_well_formed(), "now it is one")
	check_same(schema.get_hash(), VariantSchema.int(null, 9).get_hash(), "that of the text")


func test_a_schema_that_was_used_does_not_change() -> void:
	var schema := VariantSchema.int(0, 9)
	var other: String = VariantSchema.string().to_json()
	schema.max_size(1)
	check(schema.is_valid(5), "a modifier makes another one")
	schema.json = schema.to_json()
	expect_error("VariantSchema: a schema that was used cannot change")
	schema.json = other
	check(schema.is_valid(5) and not schema.is_valid("a"), "as before")
	var codec := _codec(VariantSchema.from_json(other))
	check_error(codec.decode(var_to_bytes("a")), OK, "the same text makes another")


func test_patterns_know_letters_of_any_script() -> void:
	var player := VariantSchema.string().pattern("^[\\p{L}\\p{M}\\p{Nd} _-]{1,20}$")
	for good: String in ["Zoë", "Иван", "玩家", "player_7", "محمد", "नमस्ते"]:
		check(player.is_valid(good), "%s: %s" % [good, player.get_error_message()])
	for bad: String in ["", "<b>", "a\n", "🐙", "a".repeat(21)]:
		check(not player.is_valid(bad), bad)
	check(VariantSchema.string().pattern("^\\p{Lu}").is_valid("Ärger"), "a capital letter")


func test_contradictions_are_told_and_never_crash() -> void:
	var wrong := VariantSchema.dict({"hp": VariantSchema.int(9, 1)})
	check(not wrong.is_well_formed(), "ill-formed")
	check_same(wrong.get_build_errors()[0], {"path": "hp", "message": "range: the least, 9, is over 1"}, "told")
	expect_error("VariantSchema: hp: range")
	check_error(wrong.check({"hp": 1}), ERR_INVALID_PARAMETER, "check")
	check_same(wrong.get_error().code, VariantCodec.ILL_FORMED_SCHEMA, "code")
	check_error(_codec(wrong).decode(var_to_bytes({"hp": 1})), ERR_INVALID_PARAMETER, "decode, without a second print")


## Tests the messages of build errors: each place once, whole, and nothing about bytes, since there are none.
func test_build_errors_name_the_place() -> void:
	var deep := []
	deep.append(deep)
	var rows := {
		"a.b[].c": [VariantSchema.dict({"a": VariantSchema.dict({"b": VariantSchema.array(VariantSchema.dict({
				"c": VariantSchema.array(VariantSchema.int()).optional([1, "x"])}))})}),
				"the default does not fit: [1]: expected int, got String"],
		"hp": [VariantSchema.from_json('{"schema_version": 1, "type": "dict", "keys": {"hp": {"type": "itn"}}}'),
				"there is no type \"itn\""],
		"list[].hp": [VariantSchema.dict({"list": VariantSchema.array(VariantSchema.from_json(
				'{"schema_version": 1, "type": "dict", "keys": {"hp": {"type": "itn"}}}'))}), "there is no type \"itn\""],
		"(root)": [VariantSchema.from_json('{"type": "int"}'), "schema_version is missing"],
	}
	for path: String in rows:
		check_same(rows[path][0].get_build_errors()[0], {"path": path, "message": rows[path][1]}, path)
	var endless: String = VariantSchema.literal(deep).get_build_errors()[0].message
	check(endless.begins_with("value: ") and not "byte" in endless and not "[0]" in endless, endless)
	deep.clear()


## Tests that all mistakes are told at once, each at its place, and that only sound parts are looked at together.
func test_all_mistakes_are_told() -> void:
	var kinds := VariantSchema.union([VariantSchema.array(), VariantSchema.array(VariantSchema.int())])
	var parts := {"hp": VariantSchema.int(9, 1), "name": VariantSchema.string().pattern("("),
			"friends": VariantSchema.array(VariantSchema.ref("friend")), "kinds": kinds}
	var wrong := VariantSchema.dict(parts)
	check_same(_places(wrong.get_build_errors()), ["hp", "name", "friends[]"], "of parts")
	check_same(wrong.get_build_errors()[2], {"path": "friends[]", "message": "nothing is defined as \"friend\""}, "the last")
	var others := {"kinds": kinds, "few": VariantSchema.array(VariantSchema.bool()).unique().min_size(3),
			"lives": VariantSchema.int(1).optional(0)}
	check_same(_places(VariantSchema.dict(others).get_build_errors()), ["kinds", "few"], "of parts together")
	var defaults := {"lives": VariantSchema.int(1).optional(0), "name": VariantSchema.string().optional("a"),
			"gold": VariantSchema.int().optional("none")}
	check_same(_places(VariantSchema.dict(defaults).get_build_errors()), ["lives", "gold"], "of defaults")
	var json := '{"schema_version": 1, "type": "dict", "keys": {"a": {"type": "itn"}, "b": {"type": "int", "mni": 1}}}'
	check_same(_places(VariantSchema.from_json(json).get_build_errors()), ["a", "b"], "of a document")
	check_same(_places(VariantSchema.dict({"in": VariantSchema.from_json(json)}).get_build_errors()), ["in.a", "in.b"], "of a part")
	var many := {}
	for at in 150:
		many["k%d" % at] = VariantSchema.int(1, 0)
	check_same(VariantSchema.dict(many).get_build_errors().size(), 100, "of many")
	expect_error("hp: range")
	var codec := _codec(wrong)
	codec.decode(var_to_bytes({}))
	check(codec.get_error_message().ends_with("(and 2 more)"), codec.get_error_message())


func _places(mistakes: Array[Dictionary]) -> Array:
	return mistakes.map(func(mistake: Dictionary) -> String: return mistake.path)


func test_beginners_are_told() -> void:
	var mistakes := {
		"keys, key hp: expected a VariantSchema, got int": VariantSchema.dict({"hp": TYPE_INT}),
		"a key of keys: expected a String, got int": VariantSchema.dict({1: VariantSchema.int()}),
		"min: expected an int or a float, got String": VariantSchema.int("1"),
		"items[0]: expected a VariantSchema, got null": VariantSchema.tuple([null]),
		"values: expected an Array, got String": VariantSchema.enum("none"),
		"an enum of no values accepts nothing": VariantSchema.enum([]),
		"key: expected a VariantSchema, got null": VariantSchema.map(null, null),
		"max_size: count: expected 0 or more, got -1": VariantSchema.array().max_size(-1),
		"a size is for array, map and packed arrays; for texts there are min_chars and max_chars":
				VariantSchema.string().max_size(5),
		"within: region: expected a Rect2, a Rect2i or an AABB, got int": VariantSchema.vector2().within(1),
		"define: schema: expected a VariantSchema, got null": VariantSchema.any().define("a", null),
		"optional() and defaults are for values of a dict and the last of a tuple; null is accepted with nullable()":
				VariantSchema.array(VariantSchema.int().optional()),
		"an optional element stands before one that is not optional":
				VariantSchema.tuple([VariantSchema.int().optional(), VariantSchema.int()]),
		"open() and closed() are for dict() and tuple()": VariantSchema.int().open(),
		"a range of numbers is for int and float": VariantSchema.from_json(
				'{"schema_version": 1, "type": "string", "min": 1}'),
		"a value of type Array cannot be listed: use tuple(), dict() or a type": VariantSchema.enum([[1]]),
		"multiple_of has to be over 0": VariantSchema.int().multiple_of(0),
		"min of an int has to be an int": VariantSchema.int(0.5),
		"nothing is defined as \"player\"": VariantSchema.ref("player"),
		"the key \"a\" is there twice": VariantSchema.dict({"a": VariantSchema.int(), "a?": VariantSchema.int()}),
		"two alternatives are Array, and nothing tells them apart":
				VariantSchema.union([VariantSchema.array(VariantSchema.int()), VariantSchema.array(VariantSchema.string())]),
		"every case of discriminated() has to be a dict()":
				VariantSchema.discriminated("kind", {"a": VariantSchema.int()}),
		"typed is for array and map": VariantSchema.int().typed(),
		"within: Vector2 needs a Rect2": VariantSchema.vector2().within(AABB()),
	}
	for message: String in mistakes:
		var schema: VariantSchema = mistakes[message]
		check_same(schema.get_build_errors()[0].get("message"), message, "message")
	check("not JSON" in VariantSchema.from_json("{").get_build_errors()[0].message, "json")


## Tests wrong numbers of arguments, which the editor refuses when the script is compiled.
func test_a_wrong_number_of_arguments() -> void:
	var right_forms := {
		"tuple()": "tuple([])", "any(1)": "any()", "int(0, 9, 2)": "int(0, 9)",
		"int().check()": "int().check(1)", "int().nullable(true)": "int().nullable()",
	}
	for call: String in right_forms:
		check_error(_compiled(call), ERR_PARSE_ERROR, call)
		check_error(_compiled(right_forms[call]), OK, "only the number of arguments is wrong: " + call)
	var schema := VariantSchema.int()
	check_error(schema.check(null), ERR_INVALID_DATA, "null is a value")
	check_same(schema.get_error_message(), "(root): expected int, got null", "as any other")
	var freed := Object.new()
	freed.free()
	check_same(VariantSchema.tuple([freed]).get_build_errors()[0].get("message"),
			"items[0]: expected a VariantSchema, got an object that is gone", "an object that is gone")


func test_json_is_repaired() -> void:
	var schema := VariantSchema.dict({
		"hp": VariantSchema.int(0, 99),
		"pos": VariantSchema.vector2(),
		"state": VariantSchema.enum([&"idle", &"run"]),
		"ids": VariantSchema.array(VariantSchema.int()).typed(),
		"note": VariantSchema.string().optional("none"),
	})
	var json: Dictionary = JSON.parse_string('{"hp": 80, "pos": [1, 2.5], "state": "run", "ids": [1, 2]}')
	var repaired: Dictionary = schema.coerce(json, {})
	check_same(repaired, {
		"hp": 80, "pos": Vector2(1, 2.5), "state": &"run", "ids": [1, 2] as Array[int], "note": "none",
	}, "repaired")
	check_same(schema.get_error(), {}, "no error")
	json["hp"] = 80.5
	check_same(schema.coerce(json, {"hp": 1}), {"hp": 1}, "fallback")
	check_same(schema.get_error_message(), "hp: expected int 0..99, got float 80.5", "told")
	check(schema.coerce(json) == null, "without a fallback")


func test_what_cannot_be_copied_is_not_repaired() -> void:
	var object := RefCounted.new()
	var schema := VariantSchema.dict({"hp": VariantSchema.int(), "who": VariantSchema.any()})
	for given: Variant in [object, Callable(object, "get_class"), Signal(object, "script_changed"), [{"a": object}]]:
		check_same(schema.coerce({"hp": 1.0, "who": given}, "kept"), "kept", "fallback")
		check_error(schema.get_error().code, VariantCodec.WRONG_TYPE, "code")
		check(schema.get_error_message().begins_with("who"), schema.get_error_message())
	check_same(schema.coerce({"hp": 1.0, "who": null}), {"hp": 1, "who": null}, "null can be")
	schema.coerce({"hp": 1.0, "who": object})
	check_same(schema.get_error_message(), "who: expected a value that can be copied, got Object", "message")


## Tests that an id in a schema's JSON, which is untrusted like one in bytes, leads to no object.
func test_defaults_are_no_way_to_an_object() -> void:
	var node := Node.new()
	var json := '{"schema_version": 1, "type": "dict", "keys": {"a": {"type": "any", "default": {"$variant": "%s"}}}}'
	for given: Variant in [node.renamed, node]:
		var schema := VariantSchema.from_json(json % var_to_bytes(given).hex_encode())
		var data: Variant = schema.coerce({}).a
		check(data is Dictionary or data is int, "plain data: %s" % [data])
		var codec := _codec(schema)
		check_error(codec.decode(var_to_bytes({})), OK, "decode")
		check_same(data, codec.data.a, "as decoding fills it in")
	node.free()


func test_from_several_threads() -> void:
	var schema := _move()
	var work := func() -> int:
		var failures := 0
		var codec := _codec(schema)
		for i in 200:
			failures += int(schema.check(_packet()) != OK) + int(schema.check(_packet(0)) == OK)
			failures += int(schema.get_error().path != "items[0].count")
			failures += int(codec.decode(var_to_bytes(_packet(i % 99 + 1))) != OK or codec.data.note != "")
			failures += int(codec.validate(var_to_bytes(_packet(100))) != ERR_INVALID_DATA)
			failures += int(schema.max_size(i) == schema or not schema.nullable().is_valid(null))
		return failures
	var threads: Array[Thread] = []
	for i in 4:
		threads.append(Thread.new())
		threads[i].start(work)
	for thread in threads:
		check_same(thread.wait_to_finish(), 0, "every verdict is right")


## Compiles a script with this call and returns the error. The compiler's message is kept out of the log,
## because the test command takes a script error there for a broken suite.
func _compiled(call: String) -> Error:
	var script := GDScript.new()
	script.source_code = "static func made():\n\treturn VariantSchema.%s\n" % call
	Engine.print_error_messages = false
	var answer := script.reload()
	Engine.print_error_messages = true
	return answer
