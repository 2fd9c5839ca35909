extends "suite.gd"
## Tests what a VariantClassSet is told: which variables are written, versions and what changed between them, assets,
## conversions, and the mistakes that make a set ill-formed.

## Folders of assets are listed since 4.4.
const NEEDS := {
	"test_objects_are_read_on_a_thread": "threads", "test_assets_of_a_folder": "Godot 4.4",
	"test_mistakes_name_the_variable": "Godot 4.4",
}
const Cast := preload("objects/cast.gd")
const Odd := preload("objects/odd.gd")
const Versions := preload("objects/versions.gd")


func _codec(classes: VariantClassSet) -> VariantCodec:
	var codec := VariantCodec.new()
	codec.classes = classes
	return codec


func _mistake(change: Callable) -> String:
	var classes := VariantClassSet.new()
	change.call(classes)
	check(not classes.is_well_formed(), "it is ill-formed")
	var error := classes.get_build_errors()[0]
	return "%s: %s" % [error.get("path"), error.get("message")]


func test_which_variables_are_written() -> void:
	var expected := {
		VariantClassSet.STORAGE: ["kept", "_secret"], VariantClassSet.VARIABLES: ["kept", "_secret", "fleeting"],
		["fleeting", "kept"]: ["kept", "fleeting"],
	}
	for properties: Variant in expected:
		var classes := VariantClassSet.new()
		classes.allow("stored", Odd.Stored, properties)
		var document: Array = bytes_to_var(_codec(classes).encode(Odd.Stored.new()))
		check_same(Array(document[1][0][2]), expected[properties], "names by %s" % [properties])
	var classes := VariantClassSet.new()
	classes.allow("stored", Odd.Stored)
	var document: Array = bytes_to_var(_codec(classes).encode(Odd.Stored.new()))
	check_same(Array(document[1][0][2]), ["kept", "_secret"], "names by default")


func test_a_reference_is_what_a_schema_around_it_defines() -> void:
	const ALL := VariantClassSet.VARIABLES
	var small := VariantSchema.int(0, 9)
	var agreeing: Array[Callable] = [
		func(set: VariantClassSet) -> void:
			set.allow("odd", Odd.Stored, ALL)
			var either := VariantSchema.union([VariantSchema.ref("small"), VariantSchema.int(100, 200)])
			set.property("odd", "kept", either.define("small", small)),
		func(set: VariantClassSet) -> void:
			set.allow("odd", Odd.Stored, ALL)
			var inner := VariantSchema.ref("small").define("other", VariantSchema.string())
			set.property("odd", "kept", VariantSchema.union([inner]).define("small", small)),
		func(set: VariantClassSet) -> void:
			set.allow("odd", Odd.OfNumbers, ALL)
			set.property("odd", "a", VariantSchema.array(VariantSchema.ref("small")).define("small", small)),
		func(set: VariantClassSet) -> void:
			set.allow("odd", Odd.OfNumbers, ALL)
			set.property("odd", "a", VariantSchema.ref("list").define("list", VariantSchema.array(small))),
		func(set: VariantClassSet) -> void:
			set.allow("odd", Odd.OfObject, ALL)
			var either := VariantSchema.union([VariantSchema.ref("it"), VariantClassSet.object("pet")])
			set.property("odd", "a", either.define("it", VariantClassSet.object("odd"))),
	]
	for at in agreeing.size():
		var classes := VariantClassSet.new()
		classes.allow("pet", Odd.OfList)
		agreeing[at].call(classes)
		check_same(classes.get_build_errors(), [] as Array[Dictionary], "case %s" % at)
	var classes := VariantClassSet.new()
	agreeing[3].call(classes)
	var object := Odd.OfNumbers.new()
	object.a = [1, 2]
	var codec := _codec(classes)
	check_error(codec.decode(codec.encode(object)), OK, codec.get_error_message())
	check_same(codec.data.a, object.a, "the list is typed")
	var endless := VariantSchema.ref("a").define("a", VariantSchema.ref("a"))
	for schema: VariantSchema in [endless, VariantSchema.union([endless, endless]), VariantSchema.ref("nothing")]:
		var wrong := VariantClassSet.new()
		wrong.allow("odd", Odd.Stored)
		wrong.property("odd", "kept", schema)
		check(not wrong.is_well_formed(), "the mistakes of the schema are told")


func test_mistakes_name_the_variable() -> void:
	const ALL := VariantClassSet.VARIABLES
	var expected := {
		"odd: _init() needs arguments": func(set: VariantClassSet) -> void: set.allow("odd", Odd.NeedsArguments, ALL),
		"odd: expected a class that extends RefCounted or Resource, got one that extends Node":
				func(set: VariantClassSet) -> void: set.allow("odd", Odd.OnScreen),
		"odd.a: the variable has no type": func(set: VariantClassSet) -> void: set.allow("odd", Odd.Untyped, ALL),
		"odd.a: the variable is an object of a class that is no script":
				func(set: VariantClassSet) -> void: set.allow("odd", Odd.OfObject, ALL),
		"odd: no variable has @export":
				func(set: VariantClassSet) -> void: set.allow("odd", Odd.Untyped, VariantClassSet.STORAGE),
		"odd.b: the script declares no variable": func(set: VariantClassSet) -> void: set.allow("odd", Odd.Stored, ["b"]),
		"odd: the tag is there already": func(set: VariantClassSet) -> void:
			set.allow("odd", Odd.Stored)
			set.allow("odd", Odd.Stored),
		"odd: expected a script with typed variables": func(set: VariantClassSet) -> void: set.allow("odd", 7),
		"odd.kept: the variable is declared int, and the schema accepts other types": func(set: VariantClassSet) -> void:
			set.allow("odd", Odd.Stored)
			set.property("odd", "kept", VariantSchema.string()),
		"odd.kept: the variable is declared int, which is never null": func(set: VariantClassSet) -> void:
			set.allow("odd", Odd.Stored)
			set.property("odd", "kept", VariantSchema.int().nullable()),
		"odd.other: property(): the script has no such variable": func(set: VariantClassSet) -> void:
			set.allow("odd", Odd.Stored)
			set.property("odd", "other", VariantSchema.int()),
		"other: version(): the class is not allowed": func(set: VariantClassSet) -> void: set.version("other", 2),
		"odd.kept: the name is a property already": func(set: VariantClassSet) -> void:
			set.allow("odd", Odd.Stored)
			set.forget("odd", ["kept"]),
		"odd: migrate(): a step begins at version 1, and version() is 1: raise it": func(set: VariantClassSet) -> void:
			set.allow("odd", Odd.Stored)
			set.migrate("odd", 1, func(d: Dictionary) -> Dictionary: return d),
		"odd: assets: there is no resource in res://nowhere":
				func(set: VariantClassSet) -> void: set.allow_assets("odd", "res://nowhere"),
		"odd.a: nothing is defined as \"object pet\"": func(set: VariantClassSet) -> void:
			set.allow("odd", Odd.OfObject, ALL)
			set.property("odd", "a", VariantClassSet.object("pet")),
	}
	for start: String in expected:
		var said := _mistake(expected[start])
		check(said.begins_with(start), "%s is not: %s" % [said, start])
	var classes := VariantClassSet.new()
	classes.allow("odd", Odd.Untyped, ALL)
	var codec := _codec(classes)
	expect_error("VariantClassSet: odd.a: the variable has no type")
	check_same(codec.encode(1), PackedByteArray(), "an ill-formed set writes nothing")
	check_same(codec.get_error().code, VariantCodec.ILL_FORMED_SCHEMA, "its kind")


func test_a_used_set_does_not_change() -> void:
	var classes := VariantClassSet.new()
	classes.allow("stored", Odd.Stored)
	check(not _codec(classes).encode(1).is_empty(), "a document without objects")
	expect_error("a set that was used cannot change")
	classes.forget("stored", ["x"])


func _first() -> PackedByteArray:
	var first := VariantClassSet.new()
	first.allow("thing", Versions.First, VariantClassSet.VARIABLES)
	var thing := Versions.First.new()
	thing.amount = 3
	thing.label = "old"
	return _codec(first).encode([thing, thing])


func test_o14_old_names_tags_and_versions_are_read() -> void:
	var second := VariantClassSet.new()
	second.allow("object", Versions.Second, VariantClassSet.VARIABLES)
	second.alias("object", ["thing"])
	second.rename("object", {"amount": "count"})
	second.forget("object", ["weight"])
	var codec := _codec(second)
	check_error(codec.decode(_first()), OK, codec.get_error_message())
	var read: Versions.Second = codec.data[0]
	check(read == codec.data[1] and read.count == 3 and read.label == "old" and read.note == "none", "by names alone")
	var third := VariantClassSet.new()
	third.allow("object", Versions.Third, VariantClassSet.VARIABLES)
	third.alias("object", ["thing"])
	third.version("object", 2)
	third.rename("object", {"amount": "count"})
	third.forget("object", ["weight"])
	third.migrate("object", 1, func(old: Dictionary) -> Dictionary:
		old["count"] = 2 * (old["count"] as int)
		old["label"] = StringName(old["label"])
		if old.has("weight"):
			old["note"] = "weighs %s" % old["weight"]
		return old)
	codec = _codec(third)
	check_error(codec.decode(_first()), OK, codec.get_error_message())
	var made: Versions.Third = codec.data[0]
	check(made.count == 6 and made.label == &"old" and made.note == "weighs 2.5", "by a step")
	var bytes := codec.encode(codec.data)
	check_error(codec.decode(bytes), OK, "what is written is of today")
	check_same(codec.data[0].count, 6, "no step runs twice")
	check_error(_codec(second).decode(bytes), ERR_FILE_UNRECOGNIZED, "a newer version is refused")


func test_a_step_that_fails_makes_nothing() -> void:
	var steps := {
		"it returned no Dictionary": func(_old: Dictionary) -> Variant: return null,
		"it cannot be called with one argument": func() -> Variant: return {},
		"expected StringName, got String": func(old: Dictionary) -> Dictionary: return old,
		"expected int, got float": func(old: Dictionary) -> Dictionary:
			old["label"] = &"x"
			old["count"] = 1.5
			return old,
		"expected one of the keys": func(_old: Dictionary) -> Dictionary: return {"script": null},
		"expected a reference to an object of the document": func(_old: Dictionary) -> Dictionary:
			return {"label": rid_from_int64(1 << 40)},
	}
	for reason: String in steps:
		var third := VariantClassSet.new()
		third.allow("thing", Versions.Third, VariantClassSet.VARIABLES)
		third.version("thing", 2)
		third.rename("thing", {"amount": "count"})
		third.forget("thing", ["weight"])
		third.migrate("thing", 1, steps[reason])
		var codec := _codec(third)
		check_error(codec.decode(_first()), ERR_INVALID_DATA, reason)
		check(codec.get_error_message().begins_with("thing[0]"), codec.get_error_message())
		check(codec.get_error_message().contains(reason), "%s is not: %s" % [codec.get_error_message(), reason])
		check_same(codec.data, null, "nothing was made")


func test_assets_and_values_by_key() -> void:
	var sword := Resource.new()
	var bow := Resource.new()
	var classes := VariantClassSet.new()
	classes.allow("event", Odd.Event, VariantClassSet.VARIABLES)
	classes.allow_assets("icon", {"sword": sword, "bow": bow})
	classes.allow_value("time", Odd.GameTime, VariantSchema.int(0), Odd.GameTime.to_ticks, Odd.GameTime.from_ticks)
	classes.property("event", "at", VariantClassSet.object("time").nullable())
	check_same(str(classes.get_build_errors()), "[]", "the set")
	var codec := _codec(classes)
	var event := Odd.Event.new()
	event.at = Odd.GameTime.new(77)
	event.icon = bow
	event.marks = [sword, bow, null]
	var bytes := codec.encode([event, sword])
	check_same(codec.get_error_message(), "", "encode")
	check_error(codec.decode(bytes), OK, codec.get_error_message())
	var back: Odd.Event = codec.data[0]
	check(back.at is Odd.GameTime and (back.at as Odd.GameTime).ticks == 77, "the time")
	check(back.icon == bow and back.marks == [sword, bow, null] and codec.data[1] == sword, "the resources themselves")
	event.icon = Resource.new()
	check_same(codec.encode(event), PackedByteArray(), "another resource is not written")
	check_same(codec.get_error_message(), "icon: the class \"Resource\" is not allowed", "its message")
	var document: Array = bytes_to_var(bytes)
	for class_entry: Array in document[1]:
		if class_entry[0] == "icon":
			class_entry[3][0] = "../secret.tres"
	check_error(codec.decode(var_to_bytes(document)), ERR_INVALID_DATA, "another key")
	check_same(codec.get_error().code, VariantCodec.NOT_IN_ENUM, codec.get_error_message())


func test_assets_of_a_folder() -> void:
	var classes := VariantClassSet.new()
	classes.allow_assets("picture", "res://tests/objects/assets")
	check_same(str(classes.get_build_errors()), "[]", "the set")
	var codec := _codec(classes)
	var icon: Resource = load("res://tests/objects/assets/sword.tres")
	var bytes := codec.encode([icon])
	check_same(codec.get_error_message(), "", "encode")
	check_error(codec.decode(bytes), OK, codec.get_error_message())
	check(codec.data[0] == icon, "the same resource")
	check(bytes_to_var(bytes)[1][0][3] == ["sword.tres"], "its key alone is written")


func test_o13_encoding_reads_getters_once_and_refuses_the_rest() -> void:
	var classes := VariantClassSet.new()
	classes.allow("restless", Odd.Restless, VariantClassSet.VARIABLES)
	classes.property("restless", "value", VariantSchema.any())
	classes.property("restless", "next", VariantClassSet.object("restless").nullable())
	var codec := _codec(classes)
	codec.limits = VariantLimits.network()
	var restless := Odd.Restless.new()
	var list := [restless]
	# The first call compiles the class, which reads the values of a new object.
	check(codec.encode(list).size() > 100, "an object: %s" % codec.get_error_message())
	check_same(Odd.Restless.sets, 0, "no setter runs")
	Odd.Restless.hook = func() -> Variant:
		list.clear()
		return 7
	check(not codec.encode(list).is_empty(), "a getter that empties the list: %s" % codec.get_error_message())
	check_same(list, [], "it ran")
	Odd.Restless.hook = func() -> Variant: return Odd.Restless.new()
	check_same(codec.encode(restless), PackedByteArray(), "a getter that always makes another object")
	check_same(codec.get_error().code, VariantCodec.TOO_MANY_OBJECTS, codec.get_error_message())
	var circle := []
	circle.append(circle)
	Odd.Restless.hook = func() -> Variant: return circle
	check_same(codec.encode(restless), PackedByteArray(), "a getter that returns a circle")
	check_same(codec.get_error().code, VariantCodec.TOO_DEEP, codec.get_error_message())
	circle.clear()
	for value: Variant in [RID(), Callable(self, "clean_up"), Signal(), Node]:
		Odd.Restless.hook = func() -> Variant: return [value]
		check_same(codec.encode({"a": restless}), PackedByteArray(), "%s" % type_string(typeof(value)))
		check(codec.get_error_message().begins_with("a.value[0]: "), codec.get_error_message())
	Odd.Restless.hook = func() -> Variant:
		check_error(codec.decode(PackedByteArray()), ERR_BUSY, "the codec is at work")
		return 1
	check(not codec.encode(restless).is_empty(), codec.get_error_message())
	Odd.Restless.hook = Callable()


func test_the_loaded_method_runs_when_the_graph_stands() -> void:
	var classes := VariantClassSet.new()
	classes.allow("failing", Odd.Failing, VariantClassSet.VARIABLES)
	var codec := _codec(classes)
	var a := Odd.Failing.new()
	a.a = 5
	var bytes := codec.encode([a, Odd.Failing.new()])
	Odd.Failing.loaded = []
	check_error(codec.decode(bytes), OK, codec.get_error_message())
	check_same(Odd.Failing.loaded, [5, 1], "in the order of the document")
	var other := VariantClassSet.new()
	other.loaded_method = &""
	other.allow("failing", Odd.Failing, VariantClassSet.VARIABLES)
	check_error(_codec(other).decode(bytes), OK, "without one")
	check_same(Odd.Failing.loaded, [5, 1], "nothing more ran")


func test_copies_keep_sharing() -> void:
	var classes := Cast.classes()
	var heroes := Cast.heroes()
	var copy: Array = classes.copy(heroes)
	check(copy[0] == copy[1] and copy[0] != heroes[0] and copy[0].rival.rival == copy[0], "a copy")
	classes.release(heroes)
	classes.release(copy)


func test_a_schema_checks_the_value_of_a_document() -> void:
	var codec := _codec(Cast.classes())
	codec.schema = VariantSchema.dict({"best": VariantClassSet.object("item"), "gold": VariantSchema.int(0).optional(7)})
	var bytes := codec.encode({"best": Cast.Item.new()})
	check_same(codec.get_error_message(), "", "encode")
	check_error(codec.decode(bytes), OK, codec.get_error_message())
	check(codec.data["best"] is Cast.Item and codec.data["gold"] == 7, "with a default filled in")
	check_same(codec.encode({"best": Cast.Pet.new()}), PackedByteArray(), "a pet")
	check_same(codec.get_error_message(), "best: expected an object \"item\", got \"pet\"", "its message")
	check_same(codec.encode({"best": Cast.Item.new(), "gold": -1}), PackedByteArray(), "a number")
	check_same(codec.get_error().code, VariantCodec.OUT_OF_RANGE, codec.get_error_message())


func test_from_script_takes_variables_of_allowed_classes() -> void:
	var classes := Cast.classes()
	var schema := VariantSchema.from_script(Cast.State, classes)
	var codec := _codec(classes)
	codec.schema = schema
	var item := Cast.Item.new()
	var bytes := codec.encode({"items": Array([item], TYPE_OBJECT, &"RefCounted", Cast.Item), "best": item})
	check_same(codec.get_error_message(), "", "encode")
	if check_error(codec.decode(bytes), OK, codec.get_error_message()):
		check(codec.data["items"][0] == codec.data["best"] and codec.data["best"] is Cast.Item, "objects")
		check_same(codec.data["gold"], 5, "a default")
	check_same(codec.encode({"items": [Cast.Pet.new()], "best": item}), PackedByteArray(), "a pet among items")
	check_same(codec.get_error_message(), "items[0]: expected an object \"item\", got \"pet\"", "its message")
	# Without the classes it is of dictionaries, as before.
	check(VariantSchema.from_script(Cast.State).is_well_formed(), "without classes")


func test_objects_are_read_on_a_thread() -> void:
	var classes := Cast.classes()
	var bytes := _codec(classes).encode([Cast.Item.new()])
	var thread := Thread.new()
	thread.start(func() -> Variant:
		var codec := VariantCodec.new()
		codec.classes = classes
		return codec.data if codec.decode(bytes) == OK else null)
	var read: Variant = thread.wait_to_finish()
	check(read is Array and read[0] is Cast.Item, "an item")
