extends "engine_suite.gd"
## Tests decoding and encoding in place where their code paths meet. These are lengths at which kernels
## change, pieces of long texts, depth, caches, slots that are not empty, and containers that come twice.
## Everything is compared with the engine's own bytes.

## The number of kinds of run that _of_kind() makes.
const RUN_KINDS := 18

var _codec := VariantCodec.new()


func _init() -> void:
	super()
	_codec.limits = VariantLimits.engine()


func test_texts_of_every_length_and_kind() -> void:
	for unit: String in ["a", "ж", "漢", "😀", "aж", "漢a", "😀bж漢"]:
		for count in range(0, 40):
			var text := "".rpad(count, "x").replace("x", unit)
			_both_ways([text, StringName(text), PackedStringArray([text, ""]), {text: 1}], "%d of %s" % [count, unit])


func test_texts_at_the_seams_of_pieces() -> void:
	for unit: String in ["a", "ж", "漢", "😀"]:
		for count: int in [8191, 8192, 8193, 16384, 40000]:
			_both_ways(unit.repeat(count), "%d of %s" % [count, unit])
			_both_ways([unit.repeat(count), 1, "b" + unit.repeat(count)], "%d of %s in an array" % [count, unit])


func test_values_around_the_end_of_scratch() -> void:
	for count: int in [65_400, 65_450, 65_500, 65_550, 65_600, 131_072, 1_100_000]:
		var bytes := PackedByteArray()
		bytes.resize(count)
		_both_ways(bytes, "%d bytes" % count)
		_both_ways([bytes, "after", Transform3D.IDENTITY], "%d bytes in an array" % count)


## Tests runs of one type in an array, which are written in one loop as far as there is room. They begin and
## end anywhere, after so much output that the room ends anywhere too.
func test_runs_of_one_type() -> void:
	var random := RandomNumberGenerator.new()
	random.seed = 20261126
	for round in 4000 if long else 133:
		var array := ["x".repeat(random.randi() % 3000)]
		for run in random.randi_range(1, 6):
			var kind := random.randi() % RUN_KINDS
			for i in random.randi() % [3, 12, 300, 1500][random.randi() % 4]:
				array.append(_of_kind(kind, random))
		_both_ways(array, "runs of round %d" % round)
		var expected := var_to_bytes(array)
		var limits := VariantLimits.engine()
		limits.max_output_bytes = expected.size() - round % 2
		_codec.limits = limits
		check_same(_codec.encode(array).is_empty(), round % 2 == 1, "the limit in round %d" % round)
		_codec.limits = VariantLimits.engine()


func _of_kind(kind: int, random: RandomNumberGenerator) -> Variant:
	var number := random.randi() % 1000
	match kind:
		0: return number - 500
		1: return (number - 500) << 40
		2: return (number - 500) << (random.randi() % 54)
		3: return number / 8.0
		4: return number / 10.0
		5: return [0.5, 0.1, NAN, INF, -0.0][number % 5]
		6: return Vector2(number, 0.1)
		7: return Vector2i(number, -1)
		8: return Vector3(number, 0.1, -0.0)
		9: return Vector3i(number, -1, 7)
		10: return Vector4(number, 0.1, NAN, INF)
		11: return Vector4i(number, -1, 7, 1 << 30)
		12: return Rect2(number, 0.1, 2, 3)
		13: return Rect2i(number, -1, 7, 8)
		14: return Color(number, 0.1, 0.2, 0.3)
		15: return Plane(number, 0.1, 0.2, 0.3)
		16: return Transform2D(number, Vector2(0.1, number))
	return null if number % 2 else number % 3 == 0


## Tests small values, which a fast path makes and checks where no limit can be reached. The errors must be
## those of a walk, the values those of ENGINE strictness, which always walks; inputs are whole, spoiled or
## cut.
func test_small_values_are_what_the_walk_makes_of_them() -> void:
	var random := RandomNumberGenerator.new()
	random.seed = 20261122
	var walked := VariantCodec.new()
	var built := VariantCodec.new()
	built.strictness = VariantCodec.ENGINE
	var accepted := 0
	for kind in 4:
		_codec.limits = _small_limits(kind)
		built.limits = _small_limits(kind)
		# Limits that allow a Signal switch the fast path off.
		var with_signals := _small_limits(kind)
		with_signals.allowed_types |= 1 << TYPE_SIGNAL
		walked.limits = with_signals
		for round in 50000 if long else 667:
			var bytes := var_to_bytes(_small(random, 4))
			for spoiled in 3:
				var what := "round %d: %s" % [round, bytes.hex_encode()]
				var error := _decode(bytes, what)
				var details: Variant = _codec.get_error()
				# The allowed Signal is the one difference between the two.
				if error != OK and details.got == "Signal":
					break
				accepted += int(error == OK)
				check_error(walked.validate(bytes), error, what)
				check_same(details, walked.get_error(), what)
				if error == OK:
					check_error(built.decode(bytes), OK, what)
				check_same(_codec.data, built.data if error == OK else null, what)
				check_error(_codec.validate(bytes), error, what)
				check_same(_codec.get_error(), details, what)
				if random.randi() % 4 == 0:
					bytes.resize(random.randi() % (bytes.size() + 8))
				elif not bytes.is_empty():
					bytes[random.randi() % bytes.size()] = [0, 1, 2, 3, 4, 21, 27, 28, random.randi() % 256].pick_random()
	check(accepted > 1600, "%d accepted" % accepted)


## Tests saves against the walk: names and paths that are repeated, and long rows of numbers among other
## values.
func test_saves_are_what_the_walk_makes_of_them() -> void:
	var random := RandomNumberGenerator.new()
	random.seed = 20261123
	var walked := VariantCodec.new()
	var with_signals := VariantLimits.save_file()
	with_signals.allowed_types |= 1 << TYPE_SIGNAL
	walked.limits = with_signals
	_codec.limits = VariantLimits.save_file()
	for names: int in [1, 12, 13, 40]:
		var entities := []
		for i in 300:
			entities.append({"id": i, "at": Vector2(i, 1), "state": StringName("state_%d" % (i % names)),
				"path": NodePath("a/%d" % (i % 3)) if names < 12 else null, "bag": [1, "two", PackedInt32Array([i])]})
		var save := {"version": 3, "entities": entities, "seeds": range(names * 20), "more": {&"deep": [[[{}]]]}}
		var bytes := var_to_bytes(save)
		for again in 3:
			check_error(_codec.decode(bytes), OK, "%d names" % names)
			check_same(_codec.data, save, "%d names" % names)
		for round in 2000 if long else 33:
			var spoiled := bytes.duplicate()
			spoiled[random.randi() % bytes.size()] = [0, 1, 2, 4, 21, 27, 28, random.randi() % 256].pick_random()
			var what := "%d names, round %d" % [names, round]
			var error := _decode(spoiled, what)
			var details: Variant = _codec.get_error()
			# The allowed Signal is the one difference between the two.
			if error != OK and details.got == "Signal":
				continue
			check_error(walked.decode(spoiled), error, what)
			check_same(details, walked.get_error(), what)
			check_same(_codec.data, walked.data, what)
			check_error(_codec.validate(spoiled), error, what)


## Decodes twice: after inputs that the fast path gave up, when it checks before it makes anything, and after
## inputs that it took, when it makes a value while it checks. Both must give the same result.
func _decode(bytes: PackedByteArray, what: String) -> Error:
	_codec.decode(hex("1c000000"))
	var error := _codec.decode(bytes)
	var data: Variant = _codec.data
	var details := _codec.get_error()
	for i in 9:
		_codec.decode(hex("1c000000 01000000 00000000"))
	check_error(_codec.decode(bytes), error, what)
	check_same(_codec.data, data, what)
	check_same(_codec.get_error(), details, what)
	return error


func _small_limits(kind: int) -> VariantLimits:
	var limits := VariantLimits.save_file() if kind == 1 else VariantLimits.network()
	if kind == 2:
		limits.allowed_types &= ~(1 << TYPE_NODE_PATH | 1 << TYPE_PACKED_STRING_ARRAY | 1 << TYPE_TRANSFORM2D)
		limits.allowed_key_types &= ~(1 << TYPE_VECTOR2I | 1 << TYPE_STRING_NAME)
	elif kind == 3:
		limits.max_path_segments = 2
	return limits


## Tests the limit of levels, and the lengths at which arrays are too long for the fast path.
func test_small_values_at_their_bounds() -> void:
	for limits: VariantLimits in [VariantLimits.network(), VariantLimits.save_file()]:
		for most: int in [1, 2, 9, 64, 255, 256, 257, 300]:
			limits.max_depth = most
			_codec.limits = limits
			for levels: int in [most - 2, most - 1, most, most + 1]:
				var value: Variant = "core"
				for level in levels:
					value = [value] if level % 2 else {"k": value}
				var bytes := var_to_bytes(value)
				var error := ERR_OUT_OF_MEMORY if levels >= most else OK
				for again in 3:
					check_error(_codec.validate(bytes), error, "%d levels of %d, checked" % [levels, most])
					check_error(_decode(bytes, "%d levels of %d" % [levels, most]), error, "%d levels of %d" % [levels, most])
					check_same(_codec.data, value if error == OK else null, "%d levels of %d" % [levels, most])
	_codec.limits = VariantLimits.engine()
	for count: int in [7, 8, 9, 127, 128, 129, 1000]:
		var numbers := range(count)
		_both_ways(numbers, "%d numbers" % count)
		_both_ways([numbers, 1, numbers], "%d numbers twice" % count)
		numbers[count - 1] = "text"
		_both_ways(numbers, "%d numbers and a text" % count)
		numbers[count / 2] = 1 << 40
		_both_ways(numbers, "%d numbers, a wide one and a text" % count)


## Tests {1: ["a text"], 1: ["a text"]}, whose second value would lie where the first one does.
func test_equal_keys_leave_nothing_behind() -> void:
	var entry := var_to_bytes(1) + var_to_bytes(["a text"])
	var bytes := hex("1b00000002000000") + entry + entry
	for i in 100:
		check_error(_decode(bytes, "an equal key"), ERR_INVALID_DATA, "an equal key")
	var before := OS.get_static_memory_usage()
	for i in 10000:
		_decode(bytes, "an equal key")
	check(OS.get_static_memory_usage() - before < 65536, "%d bytes are left" % [OS.get_static_memory_usage() - before])


## Tests short texts that are repeated and therefore shared: a script that changes one has a text of its own.
func test_texts_that_come_again() -> void:
	for length in range(1, 20):
		var text := "a text of any length".left(length)
		var bytes := var_to_bytes({1: text, 2: [text, text + "!"], 3: text})
		var made := []
		for i in 6:
			check_error(_codec.decode(bytes), OK, text)
			made.append(_codec.data)
			made[i][1][0] = "A"
			made[i][1] += "another"
			made[i][2].append(text.to_upper())
			made[i][2][0] += str(i)
		for i in 6:
			check_same(made[i], {1: "A" + text.substr(1) + "another", 2: [text + str(i), text + "!", text.to_upper()], 3: text}, text)
		check_same(bytes_to_var(bytes), {1: text, 2: [text, text + "!"], 3: text}, text)


func test_many_texts_leave_little_behind() -> void:
	var before := 0
	for i in 20000:
		if i == 1000:
			before = OS.get_static_memory_usage()
		_codec.decode(var_to_bytes({1: "text %d" % (i / 2), 2: "text %d" % (i / 3)}))
	check(OS.get_static_memory_usage() - before < 65536, "%d bytes are left" % [OS.get_static_memory_usage() - before])


## Tests that texts which are repeated in a row are shared, although a few hundred others stand between them.
func test_texts_in_a_row_are_shared() -> void:
	var is_kept := OS.get_environment("VARIANT_STREAM_RAW") != "off"
	for every: int in [2, 10, 1000]:
		var texts: Array[String] = []
		for i in 20000:
			texts.append("another %d" % i if i % every == 1 else "kind")
		var bytes := var_to_bytes(texts)
		for again in 3:
			_codec.decode(var_to_bytes(null))
			var before := OS.get_static_memory_usage()
			check_error(_codec.decode(bytes), OK, "every %d" % every)
			# Each has a Variant, and the others have their text too.
			var most := 20000 * (40 if is_double else 24) + 20000 / every * 96 + 65536
			check(not is_kept or OS.get_static_memory_usage() - before < most, "%d bytes, not %d" % [OS.get_static_memory_usage() - before, most])
		check_same(_codec.data, texts, "every %d" % every)


## Tests that nothing is allocated because bytes claim a count.
func test_counts_that_bytes_do_not_hold() -> void:
	var before := OS.get_static_memory_peak_usage()
	for head: String in ["1c000000", "1c000100 04000000", "1c000100 02000000", "1c000100 15000000", "1b000000", "22000000",
			"1b000500 04000000 02000000", "1d000000", "24000000"]:
		for count: String in ["00002000", "ffffff0f", "ffffff7f"]:
			for rest: String in ["", "04000000 01000000 61000000"]:
				var bytes := hex(head + count + rest)
				check(_decode(bytes, head) != OK, head + count + rest)
	check(OS.get_static_memory_peak_usage() - before < 1 << 20, "%d bytes more" % [
		OS.get_static_memory_peak_usage() - before])


## Tests sixty-four ints that hash to one slot of the engine's table: their probes are counted, also after
## inputs that the fast path took.
func test_keys_of_one_place_are_counted() -> void:
	var keys := range(20000).filter(func(key: int) -> bool: return hash(key) % 97 == 0).slice(0, 64)
	check_same(keys.size(), 64, "keys of one place")
	var crowded := {}
	var ordinary := {}
	for at in 64:
		crowded[keys[at]] = at
		ordinary[at] = at
	for most: int in [8, 256]:
		_codec.limits.max_key_probes = most
		for again in 4:
			check_error(_decode(var_to_bytes(ordinary), "ordinary keys"), OK, "ordinary keys")
			check_error(_decode(var_to_bytes(crowded), "keys of one place"), OK if most == 256 else ERR_OUT_OF_MEMORY,
				"%d steps, keys of one place" % most)


func _small(random: RandomNumberGenerator, levels: int) -> Variant:
	match random.randi() % (17 if levels > 0 else 10):
		0: return null
		1: return random.randi() % 2 == 0
		2: return random.randi() % 100 - 50
		3: return [1 << 40, -(1 << 62), 0.1, 0.5, INF].pick_random()
		4: return "a text that is long enough, ж".left(random.randi() % 30)
		5: return Vector3(1, 2, random.randf())
		6: return [Vector2i.ONE, Color.RED, Plane.PLANE_XZ, Vector4(1, 2, 3, 4), Quaternion(), Transform2D(), AABB(), Basis(), Transform3D(), Projection()].pick_random()
		7: return _packed(random)
		8: return StringName(["", "a", "name", "a name that is too long to be kept", "a name".rpad(65, "x")][random.randi() % 5])
		9: return [^"", ^"/", ^"a/b", ^"/root/a:b:c", ^"a/b/c/d", ^"a/b/c/d/e/f/g/h/i/j/k"][random.randi() % 6]
		10: return _typed(random)
		11: return {random.randi() % 3: _small(random, levels - 1), 1 << 40: 1, 2: 2} if random.randi() % 2 else {7: 7}
		12: return {["x", "y", &"x", Vector2i(1, 2), Vector2(1, 2), true, &"a key that is too long to be kept", [1, "x"], {&"a": {[]: {}}}][random.randi() % 9]: _small(random, levels - 1)}
		13: return {"kind": random.randi() % 3, "part": _small(random, levels - 1), ["x", "yy"][random.randi() % 2]: 1}
		15: return _many_keys(random)
		14: return {&"kind": &"orc", Vector2i(random.randi() % 2, 1): _small(random, levels - 1), Vector2i.ONE: &"elf"}
	return range(random.randi() % 4).map(func(_i: int) -> Variant: return _small(random, levels - 1))


## Makes a dictionary of as many keys as make the engine's table grow.
func _many_keys(random: RandomNumberGenerator) -> Dictionary:
	var count: int = [17, 18, 19, 36, 37, 64, 65][random.randi() % 7]
	var keys: int = [TYPE_NIL, TYPE_NIL, TYPE_INT, TYPE_STRING].pick_random()
	var made := {} if keys == TYPE_NIL else typed_dictionary({}, keys, TYPE_INT)
	for i in count:
		if keys != TYPE_NIL:
			made[i if keys == TYPE_INT else "key_%d" % i] = i
		else:
			made[[i, "key_%d" % i, StringName("name_%d" % i), Vector2i(i, i)][count % 4]] = i
	return made


func _packed(random: RandomNumberGenerator) -> Variant:
	var count := random.randi() % 4
	match random.randi() % 5:
		0: return PackedByteArray([1, 2, 3]).slice(0, count)
		1: return PackedStringArray(["", "a", "имя", "a text that is longer than sixteen"]).slice(0, count + 1)
		2: return PackedFloat64Array([1, 2, 0.1]).slice(0, count)
		3: return PackedVector3Array([Vector3.ONE, Vector3.ZERO, Vector3.UP]).slice(0, count)
	return PackedInt32Array([1, 2, 3]).slice(0, count)


func _typed(random: RandomNumberGenerator) -> Variant:
	match random.randi() % 11:
		0: return [] as Array[int]
		1: return [1, 1 << 40, 3] as Array[int]
		2: return ["a", ""] as Array[String]
		3: return [0.5, 0.1] as Array[float]
		4: return [Vector2.ONE] as Array[Vector2]
		5: return [[1]] as Array[Array]
		6: return [&"a", &"", &"name"] as Array[StringName]
		7: return typed_dictionary({"a": 1, "b": 2}, TYPE_STRING, TYPE_INT)
		8: return typed_dictionary({&"a": "x", &"name": ""}, TYPE_STRING_NAME, TYPE_STRING)
		9: return typed_dictionary({1: [1], 2: null}, TYPE_INT, TYPE_NIL)
	return typed_dictionary({"a": &"name", 1: &""}, TYPE_NIL, TYPE_STRING_NAME)


## Tests paths that are new: the engine makes them straight from the bytes if all of their names are allowed.
## By every API, right ones and spoiled ones must be as a walk makes them.
func test_paths_that_differ() -> void:
	var random := RandomNumberGenerator.new()
	random.seed = 20261123
	var walked := VariantCodec.new()
	var reader := VariantReader.new()
	reader.framing = VariantReader.FRAMING_U32
	var accepted := 0
	for kind in 4:
		var limits := _small_limits(kind)
		limits.max_bytes = 1 << 20
		limits.max_heap_bytes = 1 << 22
		if kind == 3:
			limits.max_key_probes = 2
		_codec.limits = limits
		reader.codec.limits = limits
		var with_signals: VariantLimits = limits.duplicate()
		with_signals.allowed_types |= 1 << TYPE_SIGNAL
		walked.limits = with_signals
		for round in 4000 if long else 83:
			var bytes := var_to_bytes(_paths(random))
			for spoiled in 3:
				var what := "kind %d, round %d: %s" % [kind, round, bytes.hex_encode()]
				var error := _codec.decode(bytes)
				accepted += int(error == OK)
				if error != OK and _codec.get_error().got == "Signal":
					break
				check_error(walked.validate(bytes), error, what)
				check_same(_codec.get_error(), walked.get_error(), what)
				check_same(_codec.data, bytes_to_var(bytes) if error == OK else null, what)
				if error == OK:
					reader.clear()
					var frame := PackedByteArray()
					frame.resize(4)
					frame.encode_u32(0, bytes.size())
					reader.feed(frame + bytes)
					check_error(reader.next(), OK, what)
					check_same(reader.data, _codec.data, what)
				bytes = var_to_bytes(_paths(random))
				if random.randi() % 4 == 0:
					bytes.resize(random.randi() % bytes.size())
				else:
					bytes[random.randi() % bytes.size()] = [0, 1, 2, 4, 22, 0x80, random.randi() % 256].pick_random()
	check(accepted > 230, "%d accepted" % accepted)


func _paths(random: RandomNumberGenerator) -> Variant:
	var made := func() -> NodePath:
		var names: Array = range(random.randi() % 4).map(
			func(_at: int) -> String: return ["a", "%d" % random.randi(), "имя %d" % (random.randi() % 999)].pick_random())
		return NodePath(["", "/", "..:"].pick_random() + ["/", ":"].pick_random().join(names))
	var count := random.randi() % 40
	match random.randi() % 4:
		0:
			var typed: Array[NodePath] = []
			typed.resize(count)
			for at in count:
				typed[at] = made.call()
			return typed
		1:
			var entities := {}
			for at in count:
				entities[at] = {"path": made.call(), "also": [made.call(), 1]}
			return entities
	return range(count).map(func(at: int) -> Variant: return made.call() if at % 7 < 6 else at)


func test_depth_beyond_what_is_walked_in_place() -> void:
	for depth: int in [100, 254, 255, 256, 257, 500]:
		var value: Variant = "core"
		for level in depth:
			value = [value] if level % 2 else {"k": value}
		_both_ways(value, "%d levels" % depth)


func test_more_keys_than_are_kept() -> void:
	for round in 3:
		var many := {}
		for i in 2000:
			many["key_%d" % i] = i
			many[StringName("name_%d" % i)] = "key_%d" % i
		_both_ways(many, "4000 keys")


func test_slots_of_typed_containers() -> void:
	var strings: Array[String] = ["a", "", "a text that is longer than sixteen"]
	var arrays: Array[Array] = [[1], [], [[2]]]
	var packed: Array[PackedInt32Array] = [PackedInt32Array([1, 2]), PackedInt32Array()]
	var boxes: Array[AABB] = [AABB(Vector3.ONE, Vector3.ONE)]
	for value: Variant in [strings, arrays, packed, boxes]:
		_both_ways(value, "typed %s" % [value])


func test_updates_with_changes_of_shape() -> void:
	var states: Array[Dictionary] = [
		{"a": 1, "b": "text", "c": {"d": [1, 2]}, "e": Vector3.ONE},
		{"a": 2, "b": "another text", "c": {"d": [3, 4]}, "e": Vector3.ZERO},
		{"a": "now text", "b": 3, "c": [1], "e": null},
		{"b": 3, "a": 1},
		{"b": 3, "a": 1, "new": {"x": {}}},
		{"b": [1, 2, 3], "a": {}, "new": {"x": {"y": 1}}},
	]
	var target := {}
	for round in 3:
		for state in states:
			var bytes := var_to_bytes(state)
			check(_codec.decode_into(target, bytes) == OK, "refused: %s" % _codec.get_error_message())
			check_bytes(var_to_bytes(target), bytes, "after %s" % state)


func test_updates_of_a_part_that_stands_in_two_places() -> void:
	var shared := [1]
	var target := {"a": shared, "b": shared}
	var bytes := var_to_bytes({"a": [2], "b": [3]})
	check(_codec.decode_into(target, bytes) == OK, "refused")
	check_bytes(var_to_bytes(target), bytes, "one part for two values")


func test_updates_leave_copies_and_locked_parts_alone() -> void:
	var locked := [1]
	locked.make_read_only()
	var copied := [1, 2]
	var copy := copied.duplicate()
	var target := {"locked": locked, "copied": copied}
	var bytes := var_to_bytes({"locked": [2], "copied": [3, 4]})
	check(_codec.decode_into(target, bytes) == OK, "refused")
	check_bytes(var_to_bytes(target), bytes, "values")
	check(locked == [1] and copy == [1, 2], "changed: %s, %s" % [locked, copy])


func _both_ways(value: Variant, what: String) -> void:
	var bytes := var_to_bytes(value)
	check_bytes(_codec.encode(value), bytes, what)
	if check(_codec.decode(bytes) == OK, "%s: %s" % [what, _codec.get_error_message()]):
		check_bytes(var_to_bytes(_codec.data), bytes, what + ", read")
