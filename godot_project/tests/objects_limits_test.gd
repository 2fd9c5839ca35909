extends "suite.gd"
## Tests the promises of VariantClassSet about types, memory and failures: every property gets its declared type (O6), memory
## is charged before it is taken (O5), depth of a graph costs none (O9), and a failure while objects are made leaves none (O7).

const NEEDS := {"test_typed_dictionaries_of_objects": "Godot 4.4"}

const Cast := preload("objects/cast.gd")
const EveryType := preload("objects/every_type.gd")
const Odd := preload("objects/odd.gd")
const MemoryObjects := preload("res://bench/memory_objects.gd")
const ProcessMemory := preload("process_memory.gd")

## Every object of a class is charged at least so much.
const OBJECT_HEAP := 512


class Holder:
	var other: RefCounted
	var thing: RefCounted
	var icon: Gradient


class Point:
	var x := 1
	var y := 2
	var name := ""


## Returns values of every type, and of containers that declare types.
func _values() -> Array:
	return [
		null, true, 7, 2.5, "text", Vector2(), Vector2i(), Rect2(), Rect2i(), Vector3(), Vector3i(), Transform2D(), Vector4(),
		Vector4i(), Plane(), Quaternion(), AABB(), Basis(), Transform3D(), Projection(), Color(), &"name", ^"path",
		{"a": 1}, {}, [1], [], PackedByteArray([1]), PackedInt32Array([1]), PackedInt64Array([1]), PackedFloat32Array([1]),
		PackedFloat64Array([1]), PackedStringArray(["a"]), PackedVector2Array([Vector2()]), PackedVector3Array([Vector3()]),
		PackedColorArray([Color()]), Array([1], TYPE_INT, &"", null), Array([], TYPE_INT, &"", null),
		Array([&"a"], TYPE_STRING_NAME, &"", null), Array([1.5], TYPE_FLOAT, &"", null), Array(["a"], TYPE_STRING, &"", null),
	]


func _every_type() -> VariantClassSet:
	var classes := VariantClassSet.new()
	classes.allow("every", EveryType, VariantClassSet.VARIABLES)
	classes.property("every", "an_object", VariantClassSet.object("every").nullable())
	classes.property("every", "a_dictionary", VariantSchema.map(VariantSchema.string(), VariantSchema.any()))
	classes.property("every", "an_array", VariantSchema.array())
	assert(classes.is_well_formed(), str(classes.get_build_errors()))
	return classes


func test_o6_every_type_against_every_declared_type() -> void:
	var codec := VariantCodec.new()
	codec.classes = _every_type()
	var fresh := EveryType.new()
	var document: Array = bytes_to_var(codec.encode(fresh))
	var names: PackedStringArray = document[1][0][2]
	check_same(names.size(), 37, "variables")
	var accepted := 0
	for column in names.size():
		var declared: Variant = fresh.get(names[column])
		for value: Variant in _values():
			var what := "%s given %s" % [names[column], type_string(typeof(value))]
			document[1][0][3][0][column] = value
			EveryType.made = 0
			EveryType.seen = {}
			var error := codec.decode(var_to_bytes(document))
			if not _fits(declared, value):
				check_error(error, ERR_INVALID_DATA, what)
				check(EveryType.made == 0 and EveryType.seen.is_empty(), what + ": nothing ran")
			elif check_error(error, OK, "%s: %s" % [what, codec.get_error_message()]):
				accepted += 1
				check_same(codec.data.get(names[column]), _typed_as(declared, value), what)
				check_same(EveryType.seen, {&"an_int": TYPE_INT, &"a_string": TYPE_STRING}, what + ": setters")
		document[1][0][3][0][column] = declared
	check(accepted > names.size(), "%d values were taken" % accepted)


## Whether a variable takes a value: of its type, and with elements of the declared one. An untyped Array is made a typed one, but
## no element is converted; an untyped variable holds what the value says itself.
func _fits(declared: Variant, value: Variant) -> bool:
	if typeof(value) != typeof(declared):
		return false
	if not value is Array or not declared.is_typed() or value.is_same_typed(declared):
		return true
	return not value.is_typed() and value.all(func(item: Variant) -> bool: return typeof(item) == declared.get_typed_builtin())


func _typed_as(declared: Variant, value: Variant) -> Variant:
	if not declared is Array or not declared.is_typed():
		return value
	return Array(value, declared.get_typed_builtin(), &"", null)


func test_o5_memory_is_charged_before_it_is_taken() -> void:
	var count := 1_000_000 if long else 20_000
	var points := []
	for i in count:
		points.append(Point.new())
	var codec := VariantCodec.new()
	codec.classes = VariantClassSet.new()
	codec.classes.allow("point", Point, VariantClassSet.VARIABLES)
	codec.limits = VariantLimits.engine()
	var bytes := codec.encode(points)
	check_same(codec.get_error_message(), "", "encode")
	points.clear()
	var charge := MemoryObjects.charge(codec, bytes)
	check(charge >= count * (OBJECT_HEAP + 3 * 24), "%d bytes are charged for %d objects" % [charge, count])
	codec.limits.max_heap_bytes = charge - 1
	var memory := ProcessMemory.new()
	memory.reset()
	var before := memory.peak()
	check_error(codec.decode(bytes), ERR_OUT_OF_MEMORY, "a byte less than that")
	check_same(codec.get_error().code, VariantCodec.TOO_MUCH_MEMORY, "its kind")
	codec.limits.max_heap_bytes = charge
	memory.reset()
	before = memory.now()
	check_error(codec.decode(bytes), OK, codec.get_error_message())
	var grown := memory.peak() - before
	# Small graphs reuse what was freed, and what the allocator keeps is no object's.
	check(grown <= 1.25 * charge + (4 << 20), "%d bytes more, %d charged" % [grown, charge])


## The charge for an object of a Resource with ten variables is within a quarter of what the object holds, in editors and in release
## templates, which do not count what they allocate (B9).
func test_an_object_is_charged_what_it_holds() -> void:
	var codec := VariantCodec.new()
	codec.classes = VariantClassSet.new()
	codec.classes.allow("ten", MemoryObjects.Ten, VariantClassSet.VARIABLES)
	codec.limits = VariantLimits.engine()
	var count := 20_000
	var objects := []
	for i in count:
		objects.append(MemoryObjects.Ten.new())
	var bytes := codec.encode(objects)
	var charge := MemoryObjects.charge(codec, bytes)
	codec.limits = VariantLimits.engine()
	# What other tests have freed is taken first: the process tells what is held, with what the allocator needs for it.
	var memory := ProcessMemory.new()
	for turn in 40:
		var so_far := memory.now()
		for i in count:
			objects.append(MemoryObjects.Ten.new())
		if memory.now() - so_far > 0.8 * charge:
			break
	var before := memory.now()
	if not check_error(codec.decode(bytes), OK, codec.get_error_message()) or before == 0:
		return
	var held := memory.now() - before
	check(held <= 1.25 * charge + (1 << 20), "%d bytes are charged, %d held" % [charge, held])
	check(charge <= 1.25 * held + (1 << 20), "%d bytes are charged, %d held" % [charge, held])
	check(objects.size() >= 2 * count, "they are there")


func test_o9_a_million_links() -> void:
	var links := 1_000_000 if long else 30_000
	var codec := VariantCodec.new()
	codec.classes = Cast.classes()
	codec.limits = VariantLimits.engine()
	codec.limits.max_depth = 8
	codec.limits.max_object_depth = links
	var rows := []
	rows.resize(links)
	for i in links:
		rows[i] = [rid_from_int64((1 << 32) + i + 1) if i + 1 < links else null, i]
	var names := PackedStringArray(["next", "number"])
	var bytes := var_to_bytes(["variant_objects/1", [["link", 1, names, rows]], rid_from_int64(1 << 32)])
	rows.clear()
	check_error(codec.validate(bytes), OK, codec.get_error_message())
	if not check_error(codec.decode(bytes), OK, codec.get_error_message()):
		return
	var count := 1
	var link: Cast.Link = codec.data
	while link.next:
		link = link.next
		count += 1
	check_same(count, links, "links")
	codec.classes.release(codec.data)


## Dropping a value frees each object inside the call that frees its holder: whatever is accepted has to fit on the stack
## of a thread.
func test_what_is_accepted_can_be_freed() -> void:
	for preset: String in ["save_file", "network"]:
		var codec := VariantCodec.new()
		codec.classes = Cast.classes()
		codec.limits = VariantLimits.save_file() if preset == "save_file" else VariantLimits.network()
		var most := mini(codec.limits.max_object_depth, codec.limits.max_objects)
		for links: int in [most, most + 1, 30_000]:
			var bytes := _chain(links, 0)
			var before := Cast.count()
			var is_right := links <= most
			var kinds := [VariantCodec.TOO_DEEP, VariantCodec.TOO_MANY_OBJECTS]
			for call: Callable in [codec.validate, codec.decode]:
				var error: Error = call.call(bytes)
				check((error == OK) == is_right, "%s: %d links: %s" % [preset, links, codec.get_error_message()])
				check(is_right or codec.get_error().code in kinds, codec.get_error_message())
			check(is_right or Cast.count() == before, "nothing is made")
			if is_right:
				var thread := Thread.new()
				thread.start(func() -> void: codec.decode(codec.encode({})))
				thread.wait_to_finish()
			# The other objects first, and the one that holds all of them last.
			check_error(codec.validate(_chain(links, 0, true)), ERR_OUT_OF_MEMORY, "behind all others")
	var codec := VariantCodec.new()
	codec.classes = Cast.classes()
	codec.limits = VariantLimits.network()
	check_error(codec.decode(_chain(1000, 55)), ERR_OUT_OF_MEMORY, "containers around each link")
	check_same(codec.get_error().expected, "at most 1024 objects and containers in one another (max_object_depth)",
			codec.get_error_message())
	check_error(codec.decode(_chain(17, 55)), OK, codec.get_error_message())


## A value that could not be freed is not written either.
func test_a_chain_that_no_load_takes_is_not_written() -> void:
	var codec := VariantCodec.new()
	codec.classes = Cast.classes()
	var first := Cast.Link.new()
	var last := first
	for i in 5000:
		last.next = Cast.Link.new()
		last = last.next
	check(codec.encode(first).is_empty(), "5001 links")
	check_same(codec.get_error().code, VariantCodec.TOO_DEEP, codec.get_error_message())
	var saves := VariantSave.new()
	saves.classes = codec.classes
	check_error(saves.save("user://chain.save", first), ERR_OUT_OF_MEMORY, saves.get_error_message())
	check(not FileAccess.file_exists("user://chain.save"), "no file")
	var copy: Cast.Link = codec.classes.copy(first)
	check(copy != null and copy.next != null, "what is there can be copied")
	codec.classes.release(copy)
	codec.classes.release(first)


func test_circles_are_no_packets() -> void:
	var codec := VariantCodec.new()
	codec.classes = Cast.classes()
	var link := Cast.Link.new()
	link.next = link
	var bytes := codec.encode(link)
	check_error(codec.decode(bytes), OK, "in a save")
	codec.classes.release(codec.data)
	codec.limits = VariantLimits.network()
	check_error(codec.decode(bytes), ERR_INVALID_DATA, "in a packet")
	check_same(codec.get_error().code, VariantCodec.CIRCULAR_REFERENCE, codec.get_error_message())
	check(codec.encode(link).is_empty(), "and it is not written")
	codec.limits.circles = true
	check_error(codec.decode(bytes), OK, "by choice")
	codec.classes.release(codec.data)
	codec.classes.release(link)
	var dog := Cast.Dog.new()
	dog.owner = weakref(dog)
	codec.limits = VariantLimits.network()
	check_error(codec.decode(codec.encode(dog)), OK, "a WeakRef closes none")


## Returns the bytes of links that hold one another, each inside so many Arrays of its notes.
func _chain(links: int, arrays: int, last_first := false) -> PackedByteArray:
	var rows := []
	for i in links:
		var next: Variant = rid_from_int64((1 << 32) + i + 1) if i + 1 < links else null
		if arrays == 0:
			rows.append([next, i])
			continue
		for wrap in arrays:
			next = [next]
		rows.append([{"next": next}])
	var value: Variant = rid_from_int64(1 << 32)
	if last_first:
		value = []
		for i in links:
			value.append(rid_from_int64((1 << 32) + links - 1 - i))
	var names := PackedStringArray(["next", "number"]) if arrays == 0 else PackedStringArray(["notes"])
	var tag := "link" if arrays == 0 else "hero"
	return var_to_bytes(["variant_objects/1", [[tag, 1, names, rows]], value])


## Returns a set in which making an object, or a property that takes another class, can fail.
func _fragile() -> VariantClassSet:
	var classes := VariantClassSet.new()
	classes.allow("holder", Holder, VariantClassSet.VARIABLES)
	classes.allow_value("time", Odd.GameTime, VariantSchema.int(0), Odd.GameTime.to_ticks,
			func(ticks: int) -> Variant: return null if ticks == 13 else Odd.GameTime.new(ticks))
	classes.allow_assets("asset", {"gradient": Gradient.new(), "curve": Curve.new()})
	classes.property("holder", "other", VariantClassSet.object("holder").nullable())
	classes.property("holder", "thing", VariantClassSet.object("time").nullable())
	classes.property("holder", "icon", VariantClassSet.object("asset").nullable())
	assert(classes.is_well_formed(), str(classes.get_build_errors()))
	return classes


func test_o7_a_failure_while_objects_are_made_leaves_none() -> void:
	var classes := _fragile()
	var codec := VariantCodec.new()
	codec.classes = classes
	# Two holders that hold each other, so that only cutting their references frees them.
	var names := PackedStringArray(["other", "thing", "icon"])
	var first := rid_from_int64(1 << 32)
	var second := rid_from_int64((1 << 32) + 1)
	var time := rid_from_int64(2 << 32)
	var asset := rid_from_int64(3 << 32)
	for failing: Array in [[13, "gradient", "time[0]"], [7, "curve", "holder[1].icon"]]:
		var document := ["variant_objects/1", [
			["holder", 1, names, [[second, time, null], [first, time, asset]]],
			["time", 0, PackedStringArray(), [failing[0]]],
			["asset", 0, PackedStringArray(), [failing[1]]],
		], [first]]
		var bytes := var_to_bytes(document)
		check_error(codec.validate(bytes), OK, "the bytes are good: %s" % codec.get_error_message())
		check_error(codec.decode(bytes), FAILED, failing[2])
		check_same(codec.get_error().code, VariantCodec.NOT_CONSTRUCTED, codec.get_error_message())
		check_same(codec.get_error().path, failing[2], codec.get_error_message())
		check_same(codec.data, null, "nothing is there")
		var before := Performance.get_monitor(Performance.OBJECT_COUNT)
		for i in 1000:
			codec.decode(bytes)
		check_same(Performance.get_monitor(Performance.OBJECT_COUNT), before, "%s: the number of objects" % failing[2])


func test_assets_are_those_that_were_given() -> void:
	var codec := VariantCodec.new()
	codec.classes = _fragile()
	var good := ["variant_objects/1", [["asset", 0, PackedStringArray(), ["curve"]]], rid_from_int64(1 << 32)]
	check_error(codec.decode(var_to_bytes(good)), OK, codec.get_error_message())
	check(codec.data is Curve, "the resource itself")
	good[1][0][3][0] = "other"
	check_error(codec.decode(var_to_bytes(good)), ERR_INVALID_DATA, "a key that was not listed")


func test_typed_dictionaries_of_objects() -> void:
	var typed: GDScript = load("res://tests/objects/typed_entries.gd")
	var classes: VariantClassSet = typed.classes()
	check_same(str(classes.get_build_errors()), "[]", "the set")
	var codec := VariantCodec.new()
	codec.classes = classes
	var bytes := codec.encode([typed.shelf()])
	check_same(codec.get_error_message(), "", "encode")
	if not check_error(codec.decode(bytes), OK, codec.get_error_message()):
		return
	var back: RefCounted = codec.data[0]
	var by_name: Variant = back.by_name
	check(by_name.is_same_typed(typed.shelf().by_name) and by_name.keys() == ["a", "b", "c"], "typed as declared")
	check(by_name["a"] == by_name["c"] and by_name["a"].count == 7 and by_name["b"] == null, "objects, and one that is shared")
	check(back.by_number == {1: &"x"} and back.by_number.is_same_typed(typed.shelf().by_number), "of plain values")
	check(back.any[2] == by_name["a"] and back.any.is_same_typed(typed.shelf().any), "of any keys")
	check(back.values["list"][0] == back.any[2] and back.values["list"][1] == 2.5, "of any values")
	check(back.exported == {"a": 1, 2: 3} and back.exported.is_same_typed(typed.shelf().exported), "of any keys, exported")
	check_bytes(codec.encode([back]), bytes, "written again")
	# A row that holds another class, or a plain value, is refused.
	for value: Variant in [7, "x", [rid_from_int64(2 << 32)]]:
		var document: Array = bytes_to_var(bytes)
		document[1][0][3][0][0] = {"a": value}
		check(codec.decode(var_to_bytes(document)) != OK, "%s in a dictionary of items" % [value])
	var untyped: Array = bytes_to_var(bytes)
	untyped[1][0][3][0][1] = {2: &"y"}
	check_error(codec.decode(var_to_bytes(untyped)), OK, codec.get_error_message())
	check(codec.data[0].by_number.is_same_typed(typed.shelf().by_number), "an untyped one is made a typed one")
	untyped[1][0][3][0][1] = {2.5: &"y"}
	check_error(codec.decode(var_to_bytes(untyped)), ERR_INVALID_DATA, "no key is converted")
