extends "engine_suite.gd"
## Tests the types of containers around objects, objects that a script error loses, and the order of many saves.

const FOLDER := "user://save_objects_test"
const SLOT := FOLDER + "/slot1.save"


class Item:
	var count := 1


class Time5:
	var ticks := 5
	static func broken(_time: Time5) -> Dictionary:
		return {}
	static func from_ticks(_value: Dictionary) -> Time5: return Time5.new()


func clean_up() -> void:
	super()
	if not DirAccess.dir_exists_absolute(FOLDER):
		return
	for name in DirAccess.get_files_at(FOLDER):
		DirAccess.remove_absolute(FOLDER.path_join(name))
	DirAccess.remove_absolute(FOLDER)


func _data(save: VariantSave, path: String) -> Variant:
	check_error(save.load(path), OK, path)
	return save.data


## Copies of any age in one run of the game are told, and so are conflicts.
func test_old_copies_are_told_after_many_saves() -> void:
	var save := VariantSave.new()
	var copies: Array[Dictionary] = []
	for gold in 20:
		check_error(save.save(SLOT, {"gold": gold}), OK, "save")
		copies.append(VariantSave.peek(SLOT))
	for at in copies.size() - 1:
		check_same(VariantSave.compare(copies[at], copies[-1]), VariantSave.ORDER_OLDER, "copy %d" % at)
		check_same(VariantSave.compare(copies[-1], copies[at]), VariantSave.ORDER_NEWER, "copy %d, the other way round" % at)
	check_error(save.save(FOLDER + "/slot2.save", {"gold": 1}), OK, "save under another name")
	check_error(save.save(SLOT, {"gold": 2}), OK, "and under the first one")
	check_same(VariantSave.compare(VariantSave.peek(SLOT), VariantSave.peek(FOLDER + "/slot2.save")),
		VariantSave.ORDER_NEWER, "the game went on from what it saved there")
	var other := VariantSave.new()
	check_error(other.save(FOLDER + "/slot2.save", {"gold": 3}), OK, "another run of the game goes on from there")
	check_same(VariantSave.compare(VariantSave.peek(SLOT), VariantSave.peek(FOLDER + "/slot2.save")),
		VariantSave.ORDER_DIVERGED, "both go on from one")


## A function with a declared type returns the empty value of that type when it ends in a script error.
func test_an_empty_value_stands_for_no_object() -> void:
	var classes := VariantClassSet.new()
	classes.allow_value("time", Time5, VariantSchema.map(VariantSchema.string(), VariantSchema.int()),
		Time5.broken, Time5.from_ticks)
	var save := VariantSave.new()
	save.classes = classes
	check_error(save.save(SLOT, {"at": Time5.new()}), FAILED, "save")
	check_same([save.get_error().code, save.get_error().path], [VariantCodec.NOT_CONSTRUCTED, "at"], "the kind and the place")
	check(not FileAccess.file_exists(SLOT), "it was written all the same")


## An Array of Dictionaries, or of Arrays, keeps its type although there are objects in those.
func test_containers_around_objects_keep_their_types() -> void:
	var classes := VariantClassSet.new()
	classes.allow("Item", Item)
	var save := VariantSave.new()
	save.classes = classes
	var bags: Array[Dictionary] = [{"best": Item.new()}, {}]
	var lists: Array[Array] = [[], [Item.new()]]
	check_error(save.save(SLOT, {"bags": bags, "lists": lists, "plain": [1, [Item.new()]]}), OK, "save")
	var data: Dictionary = _data(save, SLOT)
	check_same(data.bags.get_typed_builtin(), TYPE_DICTIONARY, "an Array of Dictionaries")
	check_same(data.lists.get_typed_builtin(), TYPE_ARRAY, "an Array of Arrays")
	check(data.bags[0].best is Item and data.lists[1][0] is Item and data.plain[1][0] is Item, str(data))
	check(not data.plain.is_typed(), "an Array that was untyped")


class Sword extends Item:
	var edge := 2


class Bag:
	var any: Variant = null
	var items: Array[Item] = []
	var list := []


func _items() -> VariantClassSet:
	var classes := VariantClassSet.new()
	classes.allow("Item", Item)
	classes.allow("Sword", Sword)
	classes.allow("Bag", Bag, VariantClassSet.VARIABLES)
	classes.property("Bag", "any", VariantSchema.any())
	return classes


func _check_items(it: Variant, size: int, about: String) -> void:
	check(it is Array and it.get_typed_script() == Item and it.size() == size, "%s: %s" % [about, it])


## An Array in a plain value, or in a property that declares nothing, is declared for objects of a class again, as it was.
func test_containers_declared_for_a_class_keep_that() -> void:
	var sword := Sword.new()
	var items: Array[Item] = [Item.new(), sword, null]
	var none: Array[Sword] = []
	var bag := Bag.new()
	bag.any = {"deep": [items]}
	bag.items = items
	bag.list = none
	var state := {"bag": bag, "items": items, "nested": [[1, items]], "none": none, "plain": [sword]}
	for sorts in [false, true]:
		var codec := VariantCodec.new()
		codec.classes = _items()
		codec.sort_keys = sorts
		var bytes := codec.encode(state)
		check_error(codec.decode(bytes), OK, codec.get_error_message())
		var data: Dictionary = codec.data
		_check_items(data.items, 3, "an entry")
		check(data.items[1] is Sword and is_same(data.items[1], data.plain[0]) and data.items[2] == null, str(data))
		_check_items(data.nested[0][1], 3, "in other Arrays")
		check_same(data.none.get_typed_script(), Sword, "an empty one")
		check(not data.plain.is_typed(), "an Array that was untyped")
		_check_items(data.bag.any.deep[0], 3, "in a property that holds anything")
		_check_items(data.bag.items, 3, "a property that declares it")
		check_same(data.bag.list.get_typed_script(), Sword, "a property that is an Array")
		check_same(codec.encode(data), bytes, "the same bytes again")
		codec.strictness = VariantCodec.CANONICAL
		if sorts:
			check_error(codec.decode(bytes), OK, "CANONICAL: " + codec.get_error_message())
	var copy: Dictionary = _items().copy(state)
	_check_items(copy.items, 3, "a copy")
	var seen := []
	var checked := VariantCodec.new()
	checked.classes = _items()
	checked.schema = VariantSchema.map(VariantSchema.string(), VariantSchema.any()).check_with(func(it: Dictionary) -> bool:
		seen.append([it.items.size(), it.items.is_typed()])
		return true)
	check_error(checked.decode(checked.encode({"items": items})), OK, checked.get_error_message())
	_check_items(checked.data.items, 3, "after a check")
	check_same(seen[-1], [3, false], "a check sees it as a step does")


func test_saves_keep_what_containers_are_declared_for() -> void:
	var items: Array[Item] = [Item.new(), Sword.new()]
	var bag := Bag.new()
	bag.any = items
	var save := VariantSave.new()
	save.classes = _items()
	check_error(save.save(SLOT, {"items": items, "bag": bag, "old": {"list": items}}), OK, "save")
	_check_items(_data(save, SLOT).items, 2, "load()")
	var job := VariantSave.new()
	job.classes = _items()
	var loading := job.load_async(SLOT)
	check_error(loading.wait(), OK, "load_async()")
	_check_items(job.data.items, 2, "load_async()")
	_check_items(job.data.bag.any, 2, "load_async(), in a property")
	# Renames, steps and new versions move such containers, and a step sees plain ones.
	var newer := VariantSave.new()
	newer.classes = _items()
	newer.version = 3
	newer.rename(1, {"items": "things"})
	var seen := []
	newer.migrate(2, func(state: Dictionary) -> Dictionary:
		seen.append([state.things.size(), state.things.is_typed(), typeof(state.things[0])])
		state["gold"] = 5
		return state)
	var data: Dictionary = _data(newer, SLOT)
	check_same(seen, [[2, false, TYPE_RID]], "what the step sees")
	_check_items(data.things, 2, "a new name, and a step")
	_check_items(data.old.list, 2, "in a Dictionary")
	_check_items(data.bag.any, 2, "in a property")


## Dictionaries declare types from Godot 4.4 on.
func test_dictionaries_declared_for_a_class_keep_that() -> void:
	if Engine.get_version_info().hex < 0x040400:
		return
	var script := GDScript.new()
	script.source_code = "static func of(item: GDScript, one: Object) -> Dictionary:\n" \
		+ "\treturn Dictionary({\"a\": one, \"b\": null}, TYPE_STRING, \"\", null, TYPE_OBJECT, \"RefCounted\", item)\n" \
		+ "static func types(it: Dictionary) -> Array:\n" \
		+ "\treturn [it.get_typed_key_builtin(), it.get_typed_value_script()]\n"
	check_error(script.reload(), OK, "a script of newer engines")
	var codec := VariantCodec.new()
	codec.classes = _items()
	check_error(codec.decode(codec.encode({"by_name": script.call("of", Item, Item.new())})), OK, codec.get_error_message())
	var back: Dictionary = codec.data.by_name
	check(back.a is Item and back.b == null and back.size() == 2, str(back))
	check_same(script.call("types", back), [TYPE_STRING, Item], "its types")
