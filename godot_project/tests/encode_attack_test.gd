extends "engine_suite.gd"
## Encodes hostile values: cycles, depth, shared parts that explode, containers that change meanwhile. Each
## gives an error with a path or the right bytes; never a crash, never a part of the bytes.

const NEEDS := {"test_another_thread_that_changes_what_is_under_way": "threads"}
const ProcessMemory := preload("process_memory.gd")
const ProcessorTime := preload("processor_time.gd")
const RestlessObject := preload("restless_object.gd")

const DEEPEST := 1024

var _codec := VariantCodec.new()
var _objects: Array[Object] = []


func _init() -> void:
	super()
	_codec.limits = VariantLimits.engine()


func clean_up() -> void:
	super()
	for object in _objects:
		if is_instance_valid(object):
			object.free()


func test_cycles() -> void:
	var array := []
	array.append(array)
	var dictionary := {}
	dictionary["self"] = dictionary
	var one := []
	var other := {"one": one}
	one.append_array([1, other])
	var typed: Array[Array] = []
	typed.append(typed)
	for cycle: Variant in [array, dictionary, one, other, typed, {"deep": [[array]]}]:
		_refused(cycle, VariantCodec.TOO_DEEP, "a cycle")
		check(VariantStream.encode(cycle).is_empty(), "a cycle has bytes")
		check(VariantStream.encoded_size(cycle) <= 0, "a cycle has a size")
	_refused({"a": {"b": array}}, VariantCodec.TOO_DEEP, "a cycle inside")
	check(str(_codec.get_error().path).begins_with("a.b[0][0]"), "its path is %s" % _codec.get_error().path)
	for container: Variant in [array, dictionary, one, other, typed]:
		container.clear()


func test_depth() -> void:
	for wrap: Callable in [func(v: Variant) -> Variant: return [v], func(v: Variant) -> Variant: return {"k": v}]:
		var value: Variant = null
		for level in DEEPEST:
			value = wrap.call(value)
		check_bytes(_codec.encode(value), var_to_bytes(value), "%d levels around nil" % DEEPEST)
		_refused(wrap.call(value), VariantCodec.TOO_DEEP, "one level more")
		_codec.limits = VariantLimits.network()
		_refused(value, VariantCodec.TOO_DEEP, "network limits")
		_codec.limits = VariantLimits.engine()


## Tests 24 levels that each hold the level below twice: 256 MiB of bytes out of 24 arrays.
func test_shared_parts_that_explode() -> void:
	var memory := ProcessMemory.new()
	var shared: Variant = [1, 2]
	for level in 24:
		shared = [shared, shared] if level % 2 else {"a": shared, "b": shared}
	for row: Array in [[VariantLimits.network(), 8 << 20], [VariantLimits.save_file(), 160 << 20]]:
		_codec.limits = row[0]
		memory.reset()
		var before := memory.peak()
		var started := ProcessorTime.usec()
		_refused(shared, VariantCodec.OUTPUT_TOO_LARGE, "24 levels")
		var usec := ProcessorTime.usec() - started
		check(memory.peak() - before < row[1], "took %d bytes" % (memory.peak() - before))
		check(usec < row[1], "took %d us" % usec)  # a microsecond a byte is slow


## Tests 5 GiB of output from 1 MiB that is shared.
func test_more_output_than_there_are_lengths() -> void:
	var mebibyte := PackedByteArray()
	mebibyte.resize(1 << 20)
	var large := []
	large.resize(5 * 1024)
	large.fill(mebibyte)
	for limits: VariantLimits in [VariantLimits.network(), VariantLimits.save_file()]:
		_codec.limits = limits
		_refused(large, VariantCodec.OUTPUT_TOO_LARGE, "5 GiB")
	var size := VariantStream.encoded_size(large)
	check(size == 8 + 5 * 1024 * (8 + (1 << 20)) or size <= 0, "encoded_size() says %d" % size)
	if long:  # the engine's own limit is 2 GiB, which are written before it is reached
		_codec.limits = VariantLimits.engine()
		_refused(large, VariantCodec.OUTPUT_TOO_LARGE, "5 GiB under engine limits")


func test_every_output_limit_is_exact() -> void:
	var value := {"a": [1, "text", 0.1], &"b": PackedStringArray(["x", ""]), 3: Vector3.ONE, "p": ^"a/b:c"}
	var bytes := var_to_bytes(value)
	for limit in range(1, bytes.size()):
		_codec.limits.max_output_bytes = limit
		if not _codec.encode(value).is_empty():
			fail("%d bytes written under a limit of %d" % [bytes.size(), limit])
	_codec.limits.max_output_bytes = bytes.size()
	check_bytes(_codec.encode(value), bytes, "a limit of just its size")


func test_getters_that_change_the_array_around_them() -> void:
	var deeds: Array[Callable] = [
		func(array: Array) -> void: array.append(1),
		func(array: Array) -> void: array.pop_back(),
		func(array: Array) -> void: array.clear(),
		func(array: Array) -> void: array.resize(5000),
	]
	for deed in deeds:
		for extra: Array in [[], [1, 2, 3], ["a", [2], {}]]:
			var array := [1, _restless()]
			array.append_array(extra)
			array[1].deed = deed.bind(array)
			_full_objects(array, [VariantCodec.CHANGED_WHILE_ENCODING])
			array.clear()


## Tests getters that replace an element: the count stays, and what is written then is whole.
func test_getters_that_replace_elements() -> void:
	var array := [_restless(), "before", ["before"]]
	array[0].deed = func() -> void:
		array[1] = [1, [2, {"three": 3}]]
		array[2] = null
	var bytes := _full_objects(array, [])
	_check_whole(bytes)


func test_getters_that_change_the_dictionary_around_them() -> void:
	for deed in _deeds_to_a_dictionary():
		var around := {"a": _restless(), "b": 1, "c": [2]}
		var before := _full_objects(around, [])
		around.a.deed = deed.bind(around)
		var bytes := _full_objects(around, [])
		check_bytes(bytes, before, "the dictionary is written as it was")
		_check_whole(bytes)
		around.clear()


## Tests another thread that changes containers while a getter waits for it.
func test_another_thread_that_changes_what_is_under_way() -> void:
	var written := 0
	var refused := 0
	for deed in _deeds_to_a_dictionary():
		for deed_to_array: Callable in [func(_a: Array) -> void: pass, func(a: Array) -> void: a.append(1), func(a: Array) -> void: a.clear()]:
			var around := {"a": [1, _restless(), "after"], "b": 1, "c": [2]}
			var array: Array = around.a
			var before := _full_objects(around, [])
			array[1].deed = func() -> void:
				var thread := Thread.new()
				thread.start(func() -> void:
					deed.call(around)
					deed_to_array.call(array))
				thread.wait_to_finish()
			var bytes := _full_objects(around, [VariantCodec.CHANGED_WHILE_ENCODING])
			if not bytes.is_empty():
				check_bytes(bytes, before, "what is under way is written as it was")
				_check_whole(bytes)
			written += int(not bytes.is_empty())
			refused += int(bytes.is_empty())
			array.clear()
			around.clear()
	check(written > 0 and refused > 0, "%d written, %d refused" % [written, refused])


func _deeds_to_a_dictionary() -> Array[Callable]:
	return [
		func(around: Dictionary) -> void: around.clear(),
		func(around: Dictionary) -> void: around["more"] = 1,
		func(around: Dictionary) -> void: around.erase("b"),
		func(around: Dictionary) -> void: around["b"] = [1, 2],
	]


## Tests freed objects: one that is gone is written as nil, one that goes while it is written is an error.
func test_getters_that_free_objects() -> void:
	var victim := _restless()
	var killer := _restless()
	killer.deed = func() -> void: victim.free()
	var bytes := _full_objects([killer, victim], [])
	check_bytes(bytes.slice(-4), PackedByteArray([0, 0, 0, 0]), "what was freed")
	var outer := _restless()
	var inner := _restless()
	outer.first = inner
	inner.deed = func() -> void: outer.free()
	var torn := _full_objects([outer], [VariantCodec.CHANGED_WHILE_ENCODING])
	check(torn.is_empty(), "half an object was written")


func test_a_getter_that_encodes_with_the_same_codec() -> void:
	var answers := []
	var restless := _restless()
	restless.deed = func() -> void: answers.append(_codec.encode(1))
	var bytes := _full_objects(restless, [])
	check(not bytes.is_empty() and answers == [PackedByteArray()], "inside: %s" % [answers])


## Checks that the engine reads the bytes and writes them back unchanged. Its decode_var_size() would make
## objects and leave them.
func _check_whole(bytes: PackedByteArray) -> void:
	var value: Variant = bytes_to_var_with_objects(bytes)
	check_bytes(var_to_bytes_with_objects(value), bytes, "the bytes are not whole")
	_free_objects(value)


func _free_objects(value: Variant) -> void:
	if value is Object:
		value.free()
	elif value is Array or value is Dictionary:
		for part: Variant in value.values() if value is Dictionary else value:
			_free_objects(part)


func _restless() -> Object:
	var object := RestlessObject.new()
	_objects.append(object)
	return object


func _refused(value: Variant, kind: int, what: String) -> void:
	var bytes := _codec.encode(value)
	var found := _codec.get_error()
	check(bytes.is_empty(), "%s: %d bytes" % [what, bytes.size()])
	check(found.get("code") == kind and not str(found.get("path")).is_empty(), "%s: answered %s" % [what, found])


## Encodes in full; empty bytes must come with one of these kinds of error, and whole ones with none.
func _full_objects(value: Variant, kinds: Array) -> PackedByteArray:
	_codec.full_objects = true
	var bytes := _codec.encode(value)
	_codec.full_objects = false
	var found := _codec.get_error()
	check(found.is_empty() == not bytes.is_empty(), "%d bytes, %s" % [bytes.size(), found])
	check(found.is_empty() or found.code in kinds, "answered %s" % found)
	check(not kinds.is_empty() or found.is_empty(), "refused: %s" % found)
	return bytes
