extends "suite.gd"
## Tests a game's checks that would not end: those that change what is being checked, and those that ask
## within themselves. Each ends with an error, whatever calls it: a live value, bytes, an encoding, coerce(),
## on any thread.

const NEEDS := {"test_a_packet_within_packets_on_a_thread": "threads"}
const PATH := "user://schema_checks_test.save"
const CHANGED := "expected a check_with() that leaves containers as they are, got one that changed what is being checked"
const DEEP := "expected checks that come to an end, got one that is asked within itself, again and again"

var _schema: VariantSchema
var _calls := 0


func clean_up() -> void:
	_schema = null
	DirAccess.remove_absolute(PATH)


func test_a_check_that_appends_to_what_is_checked() -> void:
	var list := [1, 2, 3]
	var grow := func(number: int) -> bool:
		_calls += 1
		list.append(number)
		return true
	var schema := VariantSchema.array(VariantSchema.int().check_with(grow))
	_calls = 0
	check_error(schema.check(list), ERR_INVALID_PARAMETER, "check()")
	check_same(schema.get_error_message(), "(root): " + CHANGED, "its message")
	check_same([list.size(), _calls], [4, 1], "it was asked once")
	var codec := VariantCodec.new()
	codec.schema = schema
	list.resize(3)
	check_same(codec.encode(list), PackedByteArray(), "encode()")
	check_same(codec.get_error_message(), "(root): " + CHANGED, "its message")
	check_same(codec.get_error().code, VariantCodec.ILL_FORMED_SCHEMA, "its code")
	# A decoded value is not in the game yet: the list that grows is another one.
	check_error(codec.decode(var_to_bytes([1, 2, 3])), OK, "decode()")


func test_whatever_container_it_changes() -> void:
	var value := {}
	var changes := {
		"list: append": func(it: Dictionary) -> void: it.list.append(5),
		"list: clear": func(it: Dictionary) -> void: it.list.clear(),
		"pair: resize": func(it: Dictionary) -> void: it.pair.resize(9),
		"map: set": func(it: Dictionary) -> void: it.map["n%d" % it.map.size()] = 5,
		"map: erase": func(it: Dictionary) -> void: it.map.erase("b"),
		"(root): set": func(it: Dictionary) -> void: it["n%d" % it.size()] = 5,
		"(root): erase": func(it: Dictionary) -> void: it.erase("map"),
	}
	for name: String in changes:
		value = {"list": [1, 2], "pair": [3, 4], "map": {"a": 5, "b": 6}}
		var change: Callable = changes[name]
		var wanted := name.get_slice(":", 0)
		var meddle := func(number: int) -> bool:
			if number == {"list": 1, "pair": 3, "map": 5, "(root)": 2}[wanted]:
				change.call(value)
			return true
		var number := VariantSchema.int().check_with(meddle)
		var schema := VariantSchema.dict({
			"list": VariantSchema.array(number), "pair": VariantSchema.tuple([number, number]),
			"map": VariantSchema.map(VariantSchema.string(), number),
		}).open()
		check_same(str(schema.get_build_errors()), "[]", name)
		check_error(schema.check(value), ERR_INVALID_PARAMETER, name)
		check_same(schema.get_error_message(), "%s: %s" % [wanted, CHANGED], name)


## Tests a check that makes each next element a deeper list, without an end, though no list grows.
func test_a_check_that_makes_what_comes_next_deeper() -> void:
	# It is captured by reference, so that the check knows the innermost.
	var innermost: Array[Array] = [[0, []]]
	var deepen := func(_number: int) -> bool:
		_calls += 1
		var deeper := [0, []]
		innermost[0][1] = deeper
		innermost[0] = deeper
		return true
	var item := VariantSchema.union([VariantSchema.int().check_with(deepen), VariantSchema.ref("list")])
	var schema := VariantSchema.ref("list").define("list", VariantSchema.array(item))
	check_same(str(schema.get_build_errors()), "[]", "the schema")
	_calls = 0
	check_error(schema.check(innermost[0]), ERR_OUT_OF_MEMORY, "check()")
	check(schema.get_error_message().ends_with(DEEP), schema.get_error_message().right(200))
	check(_calls > 500 and _calls < 1100, "%d calls" % _calls)


func test_a_check_that_asks_its_own_schema() -> void:
	_schema = VariantSchema.int().check_with(func(number: int) -> bool:
		_calls += 1
		return _schema.is_valid(number))
	_calls = 0
	check_error(_schema.check(5), ERR_INVALID_DATA, "check()")
	check(_calls > 20 and _calls < 100, "%d calls" % _calls)
	check_same(_schema.coerce(5.0), null, "coerce()")
	check_same(_codec(_schema).encode(5), PackedByteArray(), "encode()")
	check_error(_codec(_schema).decode(var_to_bytes(5)), ERR_INVALID_DATA, "decode()")
	check_error(VariantSchema.int().check(5), OK, "other schemas are checked as before")
	# The innermost call says why.
	var said := PackedStringArray()
	_schema = VariantSchema.int().check_with(func(number: int) -> bool:
		var error := _schema.check(number)
		if said.is_empty():
			said.append(_schema.get_error_message())
		return error == OK)
	check_error(_schema.check(5), ERR_INVALID_DATA, "check()")
	check_same(said, PackedStringArray(["(root): " + DEEP]), "the innermost")


## Tests packets within packets, whose depth the sender chooses.
func test_packets_within_packets() -> void:
	_schema = VariantSchema.union([VariantSchema.packed_byte_array().check_with(_decodes), VariantSchema.int()])
	check_same(str(_schema.get_build_errors()), "[]", "the schema")
	for given: Array in [[5, true], [30, true], [20_000, false]]:
		var bytes := _packet(given[0])
		var error := _codec(_schema).decode(bytes)
		check_error(error, OK if given[1] else ERR_INVALID_DATA, "%d packets" % given[0])
	# They are refused on threads with smaller stacks too.
	var file := FileAccess.open(PATH, FileAccess.WRITE)
	file.store_buffer(_packet(2000))
	file.close()
	var job: VariantJob = VariantStream.load_file_async(PATH, _schema)
	check_error(job.wait(), ERR_INVALID_DATA, "a job")


func test_a_packet_within_packets_on_a_thread() -> void:
	_schema = VariantSchema.union([VariantSchema.packed_byte_array().check_with(_decodes), VariantSchema.int()])
	var thread := Thread.new()
	thread.start(func() -> int: return _codec(_schema).decode(_packet(2000)))
	check_error(thread.wait_to_finish(), ERR_INVALID_DATA, "a thread")


## Tests a value of the greatest depth, with a check on the innermost that checks such a value again.
func test_deep_values_within_checks() -> void:
	var list := VariantSchema.array(VariantSchema.ref("list")).check_with(func(value: Array) -> bool:
		if not value.is_empty():
			return true
		_calls += 1
		return _calls > 10 or _schema.is_valid(_deep(1000)))
	_schema = VariantSchema.ref("list").define("list", list)
	_calls = 10
	check_error(_schema.check(_deep(1000)), OK, "alone")
	_calls = 0
	check_error(_schema.check(_deep(1000)), ERR_INVALID_DATA, "within one another")
	check(_calls < 5, "%d calls" % _calls)
	_calls = 0
	var file := FileAccess.open(PATH, FileAccess.WRITE)
	file.store_buffer(var_to_bytes(_deep(60)))
	file.close()
	var job: VariantJob = VariantStream.load_file_async(PATH, _schema)
	check_error(job.wait(), ERR_INVALID_DATA, "on a thread of the library")


func test_an_ok_forgets_what_was_refused_inside_of_a_check() -> void:
	var inner := VariantSchema.int(0, 5)
	var asks := func(number: int) -> bool:
		check_error(inner.check(number), ERR_INVALID_DATA, "the check inside")
		check(not inner.get_error().is_empty(), "its error, until another check ends")
		return true
	var outer := VariantSchema.int().check_with(asks)
	check_error(outer.check(9), OK, "check()")
	check_same([outer.get_error(), outer.get_errors()], [{}, [] as Array[Dictionary]], "after check()")
	check_same(outer.coerce(9), 9, "coerce()")
	check_same([outer.get_error(), outer.get_errors()], [{}, [] as Array[Dictionary]], "after coerce()")


func _decodes(bytes: PackedByteArray) -> bool:
	return _codec(_schema).validate(bytes) == OK


func _packet(levels: int) -> PackedByteArray:
	var bytes := var_to_bytes(7)
	for _level in levels:
		bytes = var_to_bytes(bytes)
	return bytes


func _deep(levels: int) -> Array:
	var value := []
	for _level in levels - 1:
		value = [value]
	return value


func _codec(schema: VariantSchema) -> VariantCodec:
	var codec := VariantCodec.new()
	codec.schema = schema
	return codec
