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
