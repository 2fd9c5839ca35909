extends "suite.gd"
## Compares check() of a value with the verdict on the bytes of that value. Both follow one program, and must
## say the same of any value.

const NEEDS := {"test_deep_values_under_checks": "threads"}
const Generator := preload("res://addons/variant_stream/ci/value_generator.gd")
const ROUNDS := 400


## Tells whether bytes can express the value. A text that begins with a byte order mark loses it when the
## engine reads it, and the engine logs an error when it is to print a very deep value.
static func _is_sayable(value: Variant) -> bool:
	return _is_shallow(value, 90) and not "\ufeff" in var_to_str(value)


static func _is_shallow(value: Variant, levels: int) -> bool:
	if value is Dictionary:
		return levels > 0 and (value.keys() + value.values()).all(_is_shallow.bind(levels - 1))
	return not value is Array or levels > 0 and value.all(_is_shallow.bind(levels - 1))


## Returns a codec's verdict on the bytes, in the form in which check() judges the value.
static func _of_bytes(schema: VariantSchema, value: Variant) -> Array:
	var codec := VariantCodec.new()
	codec.strictness = VariantCodec.ENGINE
	codec.limits = VariantLimits.engine()
	codec.schema = schema
	var code := codec.validate(var_to_bytes(value))
	return [code, codec.get_errors().map(_short)]


static func _of_value(schema: VariantSchema, value: Variant) -> Array:
	var code := schema.check(value)
	return [code, schema.get_errors().map(_short)]


static func _short(error: Dictionary) -> Array:
	return [error.code, error.path, error.expected, error.got]


## Changes the value here and there.
static func _near(value: Variant, generator: RefCounted, random: RandomNumberGenerator) -> Variant:
	if random.randi_range(0, 11) == 0:
		return generator.make(random.randi(), random.randi_range(0, 500))
	if value is Array:
		var items := []
		for item: Variant in value:
			items.append(_near(item, generator, random))
		return items
	if value is Dictionary:
		var entries := {}
		for key: Variant in value:
			if random.randi_range(0, 9) > 0:
				var is_name := key is String and random.randi_range(0, 3) == 0
				entries[StringName(key) if is_name else key] = _near(value[key], generator, random)
		if random.randi_range(0, 9) == 0:
			entries["more"] = 1
		return entries
	return value


func test_values_and_their_bytes_get_one_verdict() -> void:
	var generator: RefCounted = Generator.new()
	var random := RandomNumberGenerator.new()
	random.seed = 7
	var refused := 0
	for round_number in ROUNDS * (20 if long else 1):
		var value: Variant = generator.make(7, round_number)
		var schema := VariantSchema.from_example(value)
		if not schema.is_well_formed():
			continue
		check(schema.is_valid(value), "round %d: an example is refused: %s" % [round_number, schema.get_error_message()])
		for given: Variant in [value, _near(value, generator, random), _near(value, generator, random)]:
			if not _is_sayable(given):
				continue
			var by_value := _of_value(schema, given)
			check_same(by_value, _of_bytes(schema, given), "round %d" % round_number)
			refused += int(by_value[0] != OK)
		generator.free_live()
	check(refused > 50, "some are refused: %d" % refused)


func test_every_shape_gets_one_verdict() -> void:
	var generator: RefCounted = Generator.new()
	var random := RandomNumberGenerator.new()
	random.seed = 11
	var shape := VariantSchema.dict({
		"at": VariantSchema.vector2().max_length(2.0),
		"who": VariantSchema.discriminated("kind", {
			"orc": VariantSchema.dict({"hp": VariantSchema.int(1, 9)}),
			2: VariantSchema.dict({"name": VariantSchema.string_name().min_chars(2)}),
		}),
		"ids": VariantSchema.array(VariantSchema.int()).unique().max_size(3),
		"pair": VariantSchema.tuple([VariantSchema.bool(), VariantSchema.float().optional(0.5)]),
		"by": VariantSchema.map(VariantSchema.string(), VariantSchema.union([VariantSchema.int(0), VariantSchema.nil()])),
		"path": VariantSchema.node_path(), "names": VariantSchema.packed_string_array().max_chars(3),
		"next": VariantSchema.ref("shape").nullable(),
	})
	var schema := VariantSchema.ref("shape").define("shape", shape)
	var refused := {}
	for i in ROUNDS * (20 if long else 1):
		var who := [{"kind": "orc", "hp": 5}, {"hp": 12, "kind": &"orc"}, {"name": &"b", "kind": 2}, {"hp": 1}, {}]
		var value := {
			"at": Vector2(i % 3, 0), "who": who[i % 5], "ids": [1, i % 4, [3.0, 3][i % 2]] as Array,
			"pair": [true, 0.5].slice(0, i % 3), "by": {"a": i - 20, "b": null}, "path": ^"a/b:c",
			"names": PackedStringArray(["abc", "abcd"].slice(0, 1 + i % 2)), "next": null,
		}
		value.next = null if i % 2 else value.duplicate(true)
		var given: Variant = _near(value, generator, random)
		if not _is_sayable(given):
			continue
		var by_value := _of_value(schema, given)
		check_same(by_value, _of_bytes(schema, given), "round %d" % i)
		for error: Array in by_value[1]:
			refused[error[0]] = true
		generator.free_live()
	check(refused.size() >= 7, "of many kinds: %s" % [refused.keys()])


## Tests dictionaries whose declared key type is not text: a schema looks for its keys in any Dictionary, and
## the engine logs an error when such a one is asked for a text.
func test_dictionaries_that_can_have_no_texts_as_keys() -> void:
	var told := VariantSchema.discriminated("kind", {"orc": VariantSchema.dict({"hp": VariantSchema.int()})})
	var checked := VariantSchema.dict({"hp?": VariantSchema.int().check_with(func(hp: int) -> bool: return hp > 0)})
	for type: int in range(TYPE_NIL + 1, TYPE_MAX):
		var is_text := type in [TYPE_STRING, TYPE_STRING_NAME]
		var none := typed_by({}, TypedContainers.builtin(type), TypedContainers.builtin(TYPE_NIL))
		check_error(told.check(none), ERR_INVALID_DATA, "keys of " + type_string(type))
		check_error(checked.check(none), OK, "keys of " + type_string(type))
		if is_text:
			none["kind"] = "orc"
			none["hp"] = 0
			check_error(told.check(none), OK, "keys of " + type_string(type))
			check_error(checked.check(none), ERR_INVALID_DATA, "keys of " + type_string(type))


## Tests a value that holds itself, which has no encoding: it is refused like one that is too deep.
func test_values_that_hold_themselves() -> void:
	var array := []
	array.append(array)
	var dictionary := {}
	dictionary["me"] = dictionary
	var list := VariantSchema.dict({"me?": VariantSchema.ref("list")})
	for pair: Array in [
		[VariantSchema.array(), array], [VariantSchema.any(), array], [VariantSchema.any(), dictionary],
		[VariantSchema.ref("list").define("list", list), dictionary],
	]:
		var schema: VariantSchema = pair[0]
		check_error(schema.check(pair[1]), ERR_OUT_OF_MEMORY, "check")
		check_same(schema.get_error().code, VariantCodec.TOO_DEEP, "code")
		check(schema.coerce(pair[1]) == null, "coerce")
	check_error(VariantSchema.array(VariantSchema.int()).check(array), ERR_INVALID_DATA, "refused before")
	check_same(VariantSchema.array(VariantSchema.int()).get_error().code, VariantCodec.WRONG_TYPE, "code")
	array.clear()
	dictionary.clear()


func test_objects_are_their_ids() -> void:
	var object := Object.new()
	check(VariantSchema.object_id().is_valid(object), "an object")
	check(not VariantSchema.int().is_valid(object), "is no int")
	check(VariantSchema.array().is_valid([object]), "anything")
	object.free()


## Tests texts that begin with a byte order mark: their bytes would be read without it, and check() counts it.
func test_texts_that_bytes_cannot_say() -> void:
	for text: Variant in ["\ufeffab", &"\ufeffab"]:
		var builder := VariantSchema.string() if text is String else VariantSchema.string_name()
		check_error(builder.max_chars(3).check(text), OK, "three characters")
		check_error(builder.max_chars(2).check(text), ERR_INVALID_DATA, "not two")
		check_error(VariantSchema.dict({text: VariantSchema.int()}).check({text: 1}), OK, "as a key")
		check_error(VariantSchema.dict({"ab": VariantSchema.int()}).check({text: 1}), ERR_INVALID_DATA, "another key")


## Tests large values. A value of up to 4 MiB of bytes is checked by its bytes, a larger one token by token, with
## the same verdict.
func test_large_values() -> void:
	var items := []
	items.resize(100_000)
	items.fill({"id": 5})
	var schema := VariantSchema.array(VariantSchema.dict({"id": VariantSchema.int(0, 9)}))
	check_error(schema.check(items), OK, "good")
	items[99_999] = {"id": 10}
	check_error(schema.check(items), ERR_INVALID_DATA, "bad")
	check_same(schema.get_error().path, "[99999].id", "path")
	var text := "x".repeat(5 << 20)
	var texts := VariantSchema.array(VariantSchema.string().max_chars(5 << 20))
	check_error(texts.check([text]), OK, "a text beyond the bound")
	check_error(texts.check([text + "x"]), ERR_INVALID_DATA, "one that is too long")


## Makes a value in which each level holds the one below twice, so that it has 2^levels leaves.
static func _doubled(levels: int) -> Array:
	var value := [1]
	for i in levels:
		value = [value, value]
	return value


func test_what_is_shared_is_not_walked_for_ever() -> void:
	var start := Time.get_ticks_msec()
	var ints := VariantSchema.array(VariantSchema.int())
	check_error(ints.check(_doubled(40)), ERR_INVALID_DATA, "wrong at its first element")
	check_same(ints.get_error().path, "[0]", "path")
	var item := VariantSchema.union([VariantSchema.int(), VariantSchema.ref("tree")])
	var tree := VariantSchema.ref("tree").define("tree", VariantSchema.array(item))
	check_error(tree.check(_doubled(40)), ERR_OUT_OF_MEMORY, "right, and without an end")
	check_same(tree.get_error().code, VariantCodec.TOO_MANY_VALUES, "code")
	check("at most 4194304 values" in tree.get_error_message(), tree.get_error_message())
	check_same(tree.get_errors().size(), 1, "nothing else")
	check_same(tree.coerce(_doubled(40), "kept"), "kept", "coerce")
	check_same(tree.get_error().code, VariantCodec.TOO_MANY_VALUES, "code")
	check("at most 4194304 values" in VariantSchema.from_example(_doubled(40)).get_build_errors()[0].message, "example")
	check(not VariantSchema.any().optional(_doubled(40)).is_well_formed(), "default")
	check_error(tree.check(_doubled(10)), OK, "a small one")
	check_same(tree.coerce(_doubled(10)), _doubled(10), "coerce")
	check(Time.get_ticks_msec() - start < 20_000, "in time")


## Tests that a refusal does not check all the elements behind it.
func test_violations_far_behind_the_first_are_not_looked_for() -> void:
	var items: Array = range(200_000)
	var ints := VariantSchema.array(VariantSchema.int())
	var paths := func() -> Array: return ints.get_errors().map(func(error: Dictionary) -> String: return error.path)
	items[199_999] = "z"
	check_error(ints.check(items), ERR_INVALID_DATA, "the last one")
	check_same(paths.call(), ["[199999]"], "is the first")
	items[0] = "x"
	items[60_000] = "y"
	check_error(ints.check(items), ERR_INVALID_DATA, "three")
	check_same(paths.call(), ["[0]", "[60000]"], "two of them near")


## Tests deep values. Levels of the value cost stack where a check of the game gets its values; references
## between definitions do not.
func test_deep_values_under_checks() -> void:
	var seen := [0]
	var count := func(_value: Array) -> bool:
		seen[0] += 1
		return true
	var schema := VariantSchema.ref("list").define("list", VariantSchema.array(VariantSchema.ref("to 0")).check_with(count))
	for i in 60:
		var next := VariantSchema.ref("to %d" % (i + 1) if i < 59 else "list").nullable()
		schema = schema.define("to %d" % i, next.check_with(count) if i == 30 else next)
	var deep := []
	for i in 1000:
		deep = [deep]
	check_error(schema.check(deep), OK, "here")
	check_same(seen[0], 2001, "each list, and each way to one")
	var thread := Thread.new()
	thread.start(schema.check.bind(deep))
	check_error(thread.wait_to_finish(), OK, "on a thread")


func test_unique_node_paths_are_those_that_differ() -> void:
	var schema := VariantSchema.array(VariantSchema.node_path()).unique()
	var paths: Array[NodePath] = [^"a/b", ^"/a/b", ^"a:b", ^":a:b", ^"a", ^"/a", ^"ab", ^""]
	for one in paths:
		for other in paths:
			check_same(schema.is_valid([one, other]), one != other, "%s and %s" % [one, other])


## Tests that a kind which begins with a byte order mark is another one, wherever it stands.
func test_a_kind_is_the_text_that_is_there() -> void:
	var orc := VariantSchema.dict({"hp": VariantSchema.int(1, 9), "kind": VariantSchema.string()})
	var schema := VariantSchema.discriminated("kind", {"orc": orc})
	for kind: String in ["orc", "\ufefforc"]:
		for value: Dictionary in [{"hp": 5, "kind": kind}, {"kind": kind, "hp": 5}]:
			check_same(schema.is_valid(value), kind == "orc", "%s is valid" % value)
