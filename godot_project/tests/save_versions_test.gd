extends "suite.gd"
## Tests how VariantSave brings older saves to today's version: steps of the state and of classes, classes that were not there
## before, files of other forms, and that nothing is lost in silence on the way.

const FOLDER := "user://save_versions"
const SLOT := FOLDER + "/slot.save"


class Item:
	var count := 1
	var label := ""


class OldItem:
	var amount := 1
	var weight := 2.5


class Pet:
	var name := ""
	var toy: OldItem


class Hero:
	var items: Array[Item] = []
	var bag: Dictionary = {}
	var anything: Array = []
	var pet: RefCounted


class OldHero:
	var items: Array[OldItem] = []
	var pet: Pet


class Nothing:
	extends Resource


class WithCall:
	var call_me: Callable
	var number := 1


class Kinded:
	enum Kind { MAGE = 3, KNIGHT = 7 }
	var kind := Kind.MAGE


class Odd:
	var number := 1:
		set(value):
			if value == 99:
				set_script(null)
			number = value

	func _variant_loaded() -> void:
		if number == 13:
			unreference()
			unreference()


func _init() -> void:
	DirAccess.make_dir_recursive_absolute(FOLDER)


func clean_up() -> void:
	for name in DirAccess.get_files_at(FOLDER):
		DirAccess.remove_absolute(FOLDER.path_join(name))


func _save(value: Variant, version := 1) -> void:
	var saves := VariantSave.new()
	saves.version = version
	check_error(saves.save(SLOT, value), OK, saves.get_error_message())


func _classes() -> VariantClassSet:
	var classes := VariantClassSet.new()
	classes.allow("Item", Item)
	classes.allow("Hero", Hero)
	classes.property("Hero", "pet", VariantClassSet.object().nullable())
	return classes


func _old_classes() -> VariantClassSet:
	var classes := VariantClassSet.new()
	classes.allow("Item", OldItem)
	classes.allow("Pet", Pet)
	classes.allow("Hero", OldHero)
	for at: Array in [["Pet", "toy", "Item"], ["Hero", "pet", "Pet"]]:
		classes.property(at[0], at[1], VariantClassSet.object(at[2]).nullable())
	return classes


## GDScript returns the empty value of the declared type when a function ends in an error.
func test_a_script_error_in_a_typed_step_is_no_empty_state() -> void:
	if not OS.is_debug_build():
		skip("a release template goes on after a cast that fails, wherever that leads")
		return
	_save({"gold": 5, "name": "Ada"})
	var saves := VariantSave.new()
	saves.version = 2
	var step := func(data: Dictionary) -> Dictionary:
		data["gold"] = (data["name"] as Object).get("gold")
		return data
	saves.migrate(1, step)
	for call: Callable in [saves.load, func(path: String) -> Error: return saves.load_async(path).wait()]:
		expect_script_error("Invalid cast")
		check_error(call.call(SLOT), ERR_INVALID_DATA, "a step that failed")
	check_same(saves.get_error().code, VariantCodec.MIGRATION_FAILED, saves.get_error_message())
	check(saves.get_error_message().contains("allow_empty"), saves.get_error_message())
	check_same(saves.data, null, "no data")
	saves.migrate(1, func(_data: Dictionary) -> Dictionary: return {}, "", {"allow_empty": true})
	check_error(saves.load(SLOT), OK, saves.get_error_message())
	check_same(saves.data, {}, "where nothing is right")


func test_a_script_error_in_a_step_of_a_class_is_no_new_object() -> void:
	if not OS.is_debug_build():
		skip("a release template goes on after a cast that fails, wherever that leads")
		return
	var old := VariantSave.new()
	old.classes = _old_classes()
	var hero := OldHero.new()
	hero.items = [OldItem.new()]
	check_error(old.save(SLOT, hero), OK, old.get_error_message())
	var saves := VariantSave.new()
	saves.classes = _classes()
	saves.classes.forget_class("Pet")
	saves.version = 2
	saves.migrate(1, func(it: Dictionary) -> Dictionary:
		it["count"] = (it["amount"] as Object).get("x")
		return it, "Item")
	expect_script_error("Invalid cast")
	check_error(saves.load(SLOT), ERR_INVALID_DATA, "a step that failed")
	check_same(saves.get_error().path, "Item[0]", saves.get_error_message())
	# In a set that a codec has, versions are those of its classes.
	var codec := VariantCodec.new()
	codec.classes = VariantClassSet.new()
	codec.classes.allow("Item", Item)
	codec.classes.version("Item", 2)
	codec.classes.migrate("Item", 1, func(_it: Dictionary) -> Dictionary: return {})
	var document := ["variant_objects/1", [["Item", 1, PackedStringArray(["count"]), [[3]]]], rid_from_int64(1 << 32)]
	check_error(codec.decode(var_to_bytes(document)), ERR_INVALID_DATA, "nothing of something")
	check_same(codec.get_error().code, VariantCodec.MIGRATION_FAILED, codec.get_error_message())


func test_several_values_are_not_another_one() -> void:
	var cases := {
		"an int and a vector": [3, Vector2(100, 200)],
		"an int and null": [5, null],
		"three": ["a", {"b": 1}, 2],
	}
	for name: String in cases:
		var file := FileAccess.open(SLOT, FileAccess.WRITE)
		for value: Variant in cases[name]:
			file.store_var(value)
		file.close()
		var saves := VariantSave.new()
		saves.unversioned = 1
		check_error(saves.load(SLOT), ERR_INVALID_DATA, name)
		check(saves.get_error_message().contains("unversioned_array"), saves.get_error_message())
		saves.unversioned_array = true
		check_error(saves.load(SLOT), OK, saves.get_error_message())
		check_same(saves.data, cases[name], name)
		var job := VariantStream.load_file_async(SLOT)
		check_error(job.wait(), ERR_INVALID_DATA, "a job: " + name)
		check(job.get_error_message().contains("VariantReader"), job.get_error_message())
		var bytes := FileAccess.get_file_as_bytes(SLOT)
		var packed := FileAccess.open_compressed(SLOT, FileAccess.WRITE, FileAccess.COMPRESSION_ZSTD)
		packed.store_buffer(bytes)
		packed.close()
		saves.unversioned_array = false
		check_error(saves.load(SLOT), ERR_INVALID_DATA, "compressed: " + name)


## A game that sets `classes` for the first time has saves without objects.
func test_saves_from_before_classes_are_data() -> void:
	_save({"gold": 5, "items": [{"count": 3}]})
	var saves := VariantSave.new()
	# A step that held the save would be held by it.
	var classes := _classes()
	saves.classes = classes
	check_error(saves.load(SLOT), OK, saves.get_error_message())
	check_same(saves.data, {"gold": 5, "items": [{"count": 3}]}, "without a step")
	saves.version = 2
	saves.migrate(1, func(data: Dictionary) -> Dictionary:
		data["items"] = classes.from_rows("Item", data["items"])
		data["first"] = data["items"][0]
		data["hero"] = Hero.new()
		data["hero"].bag = {"best": data["first"]}
		return data)
	check_error(saves.load(SLOT), OK, saves.get_error_message())
	check(saves.data.items[0] is Item and saves.data.items[0].count == 3, "an object of a row")
	check(saves.data.first == saves.data.items[0] and saves.data.hero.bag.best == saves.data.first, "one object")
	check_same(saves.get_report().migrated_from, 1, "the version")
	check_error(saves.save(SLOT, saves.data), OK, saves.get_error_message())
	check(FileAccess.file_exists(SLOT + ".v1"), "the old one is kept")
	var without := VariantSave.new()
	without.version = 2
	check_error(without.load(SLOT), ERR_INVALID_PARAMETER, "without classes")
	check(without.get_error_message().contains("classes"), without.get_error_message())
	var file := FileAccess.open(SLOT, FileAccess.WRITE)
	file.store_var({"items": [{"count": 4}]})
	file.close()
	saves.unversioned = 1
	check_error(saves.load(SLOT), OK, saves.get_error_message())
	check_same(saves.data.items[0].count, 4, "of store_var()")


func test_rows_are_checked() -> void:
	var classes := _classes()
	check_same(classes.from_rows("Item", {"count": 7}).count, 7, "an object")
	check_same(classes.from_rows("Item", [{"count": 7}, {"label": "x"}]).size(), 2, "several")
	for wrong: Array in [["Item", {"count": "7"}], ["Item", {"amount": 1}], ["Itm", {}], ["Item", 5]]:
		expect_error("VariantClassSet.from_rows(): ")
		check_same(classes.from_rows(wrong[0], wrong[1]), null, "%s" % [wrong])


func test_one_version_counts_state_and_classes() -> void:
	var old := VariantSave.new()
	old.classes = _old_classes()
	var hero := OldHero.new()
	hero.items = [OldItem.new(), OldItem.new()]
	hero.items[1].amount = 3
	hero.pet = Pet.new()
	hero.pet.toy = hero.items[0]
	check_error(old.save(SLOT, {"hero": hero, "pet": hero.pet, "inventory": hero.items}), OK, old.get_error_message())
	var saves := VariantSave.new()
	saves.classes = _classes()
	saves.classes.forget_class("Pet")
	saves.version = 3
	saves.rename(1, {"inventory": "bag"})
	saves.forget(1, ["pet"])
	saves.rename(1, {"amount": "count"}, "Item")
	saves.migrate(1, func(it: Dictionary) -> Dictionary:
		it["label"] = "weighs %s" % it["weight"]
		return it, "Item")
	saves.forget(1, ["weight"], "Item")
	saves.migrate(2, func(it: Dictionary) -> Dictionary:
		it["count"] *= 12
		return it, "Item")
	saves.migrate(2, func(data: Dictionary) -> Dictionary:
		data["new"] = Item.new()
		return data)
	check_error(saves.load(SLOT), OK, saves.get_error_message())
	var loaded: Hero = saves.data.hero
	check_same([loaded.items[0].count, loaded.items[1].count], [12, 36], "renamed, then by the dozen")
	check_same(loaded.items[0].label, "weighs 2.5", "one becomes another, without forget()")
	check(saves.data.bag[1] == loaded.items[1], "sharing is kept")
	check(loaded.pet == null and not saves.data.has("pet"), "what is no more")
	check_same(saves.data.new.count, 1, "an object of a step is of today")
	check_error(saves.save(SLOT, saves.data), OK, saves.get_error_message())
	check_error(saves.load(SLOT), OK, saves.get_error_message())
	check_same(saves.data.hero.items[1].count, 36, "no step runs twice")


func test_a_save_has_one_version() -> void:
	var old := VariantSave.new()
	old.classes = _classes()
	check_error(old.save(SLOT, {"item": Item.new()}), OK, old.get_error_message())
	var saves := VariantSave.new()
	saves.classes = _classes()
	saves.classes.version("Item", 2)
	saves.classes.migrate("Item", 1, func(it: Dictionary) -> Dictionary: return it)
	check_error(saves.load(SLOT), OK, saves.get_error_message())
	saves.version = 2
	saves.migrate(1, func(data: Dictionary) -> Dictionary: return data.merged({"new": Item.new()}))
	check_error(saves.load(SLOT), ERR_INVALID_DATA, "a class with another version in the same save")
	check(saves.get_error_message().contains("to the VariantSave"), saves.get_error_message())
	var other := VariantSave.new()
	clean_up()
	_save({"a": 1})
	other.version = 2
	other.rename(1, {"a": "b"}, "Item")
	check_error(other.load(SLOT), ERR_INVALID_DATA, "a step of a class that is not there")
	check(other.get_error_message().contains("\"Item\""), other.get_error_message())


func test_a_class_that_is_no_more_is_null() -> void:
	var codec := VariantCodec.new()
	codec.classes = _old_classes()
	var pet := Pet.new()
	pet.toy = OldItem.new()
	var bytes := codec.encode({"pet": pet, "all": [pet, 1]})
	codec.classes = VariantClassSet.new()
	codec.classes.allow("Item", OldItem)
	check_error(codec.decode(bytes), ERR_INVALID_DATA, "a class that is not there")
	codec.classes = VariantClassSet.new()
	codec.classes.allow("Item", OldItem)
	codec.classes.forget_class("Pet")
	check_error(codec.validate(bytes), OK, codec.get_error_message())
	check_error(codec.decode(bytes), OK, codec.get_error_message())
	check_same(codec.data, {"pet": null, "all": [null, 1]}, "null in its place")
	check(codec.encode(pet).is_empty(), "none is written")


func test_keys_of_assets_change() -> void:
	var sword := Resource.new()
	var bow := Resource.new()
	var codec := VariantCodec.new()
	codec.classes = VariantClassSet.new()
	codec.classes.allow_assets("icon", {"sword": sword, "bow": bow, "club": Resource.new()})
	var old := codec.encode([sword, bow])
	codec.classes = VariantClassSet.new()
	codec.classes.allow_assets("icon", {"blade": sword})
	check_error(codec.decode(old), ERR_INVALID_DATA, "keys that are no more")
	check(codec.get_error_message().contains("\"sword\""), codec.get_error_message())
	codec.classes = VariantClassSet.new()
	codec.classes.allow_assets("icon", {"blade": sword})
	codec.classes.rename("icon", {"sword": "blade"})
	codec.classes.forget("icon", ["bow"])
	check_error(codec.decode(old), OK, codec.get_error_message())
	check_same(codec.data, [sword, null], "one renamed, one forgotten")


func test_what_a_set_takes() -> void:
	var classes := VariantClassSet.new()
	classes.allow("Nothing", Nothing)
	check_same(str(classes.get_build_errors()), "[]", "a class without variables")
	classes.allow("Hero", Hero)
	classes.property("Hero", "pet", VariantClassSet.object().nullable())
	check_same(classes.get_build_errors()[0].path, "Hero.items", "a class that is not allowed yet")
	classes.allow("Item", Item)
	check_same(str(classes.get_build_errors()), "[]", "asking is not using")
	var codec := VariantCodec.new()
	codec.classes = classes
	var hero := Hero.new()
	hero.anything = [Item.new(), {"deep": Item.new()}, 5]
	hero.bag = {&"a": Item.new(), 5: "x"}
	check_error(codec.decode(codec.encode([hero, Nothing.new()])), OK, codec.get_error_message())
	check(codec.data[0].anything[1].deep is Item and codec.data[0].bag[&"a"] is Item, "objects in what is untyped")
	check(codec.data[1] is Nothing, "an object without variables")
	var wrong := VariantClassSet.new()
	wrong.allow("call", WithCall, VariantClassSet.VARIABLES)
	check_same(wrong.get_build_errors()[0].path, "call.call_me", "a Callable")
	wrong = VariantClassSet.new()
	wrong.allow(Item)
	check(wrong.get_build_errors()[0].message.contains("class_name"), str(wrong.get_build_errors()))


func test_all_mistakes_of_saves_are_told() -> void:
	var saves := VariantSave.new()
	check_same(str(saves.get_build_errors()), "[]", "nothing is declared")
	saves.version = 3
	saves.schema = VariantSchema.dict({"hp": VariantSchema.int(9, 1), "name": VariantSchema.int().typed()})
	saves.classes = VariantClassSet.new()
	saves.classes.allow("call", WithCall, VariantClassSet.VARIABLES)
	saves.classes.allow("Hero", Hero)
	expect_error("rename(): -1 is no version")
	saves.rename(-1, {})
	saves.migrate(1, func(data: Variant) -> Variant: return data, "", {"schema": VariantSchema.int(9, 1)})
	var places := saves.get_build_errors().map(func(mistake: Dictionary) -> String: return mistake.path)
	var of_classes := ["classes.call.call_me", "classes.Hero.items", "classes.Hero.pet"]
	check_same(places, ["(root)", "schema.hp", "schema.name"] + of_classes + ["steps[1]"], "all of them")
	saves.classes = VariantClassSet.new()
	saves.rename(2, {"a": "b"}, "hero")
	check_same(saves.get_build_errors()[-1].path, "steps[2].hero", "a step of no class")


func test_enums_by_name() -> void:
	var codec := VariantCodec.new()
	codec.classes = VariantClassSet.new()
	codec.classes.allow("kinded", Kinded)
	codec.classes.property("kinded", "kind", VariantClassSet.enum_names(Kinded.Kind))
	var kinded := Kinded.new()
	kinded.kind = Kinded.Kind.KNIGHT
	var bytes := codec.encode(kinded)
	check_same(codec.get_error_message(), "", "encode")
	check_same(bytes_to_var(bytes)[1][0][3], [["KNIGHT"]], "its name is written")
	check_error(codec.decode(bytes), OK, codec.get_error_message())
	check_same(codec.data.kind, Kinded.Kind.KNIGHT, "its number comes back")
	kinded.kind = 5 as Kinded.Kind
	check(codec.encode(kinded).is_empty(), "a number without a name")
	check(codec.get_error_message().begins_with("kind: "), codec.get_error_message())
	var numbers := VariantCodec.new()
	numbers.classes = VariantClassSet.new()
	numbers.classes.allow("kinded", Kinded)
	check_error(codec.decode(numbers.encode(Kinded.new())), OK, codec.get_error_message())
	check_same(codec.data.kind, Kinded.Kind.MAGE, "from before the names")


func test_code_of_a_class_that_takes_it_apart() -> void:
	var codec := VariantCodec.new()
	codec.classes = VariantClassSet.new()
	codec.classes.allow("odd", Odd)
	var names := PackedStringArray(["number"])
	for number: int in [99, 13]:
		var document := ["variant_objects/1", [["odd", 1, names, [[1], [number], [2]]]],
			[rid_from_int64(1 << 32), rid_from_int64((1 << 32) + 1), rid_from_int64((1 << 32) + 2)]]
		var error := codec.decode(var_to_bytes(document))
		if number == 13 and error == OK:
			continue  # the value holds it still
		check(error != OK, "%d" % number)
		check_same(codec.get_error().code, VariantCodec.NOT_CONSTRUCTED, codec.get_error_message())
		check(codec.get_error().path.begins_with("odd["), codec.get_error_message())


func test_messages_say_what_to_write() -> void:
	var file := FileAccess.open(SLOT, FileAccess.WRITE)
	file.store_var({"gold": 5})
	file.close()
	var saves := VariantSave.new()
	check(saves.load(SLOT) != OK and saves.get_error_message().contains("unversioned = 1"), saves.get_error_message())
	var packed := FileAccess.open_compressed(SLOT, FileAccess.WRITE, FileAccess.COMPRESSION_ZSTD)
	packed.store_var({"gold": 5})
	packed.close()
	check(saves.load(SLOT) != OK and saves.get_error_message().contains("unversioned = 1"), saves.get_error_message())
	var sealed := FileAccess.open_encrypted_with_pass(SLOT, FileAccess.WRITE, "x")
	sealed.store_var({"gold": 5})
	sealed.close()
	check(saves.load(SLOT) != OK and saves.get_error_message().contains("unversioned = 1, and its password"),
			saves.get_error_message())
	file = FileAccess.open(SLOT, FileAccess.WRITE)
	file.store_var({"gold": 5, "item": Item.new()})
	file.close()
	saves.unversioned = 1
	check(saves.load(SLOT) != OK and saves.get_error_message().contains("an id alone"), saves.get_error_message())
	file = FileAccess.open(SLOT, FileAccess.WRITE)
	file.store_var({"gold": 5, "item": Resource.new()}, true)
	file.close()
	check(saves.load(SLOT) != OK and saves.get_error_message().contains("VariantClassSet.allow("), saves.get_error_message())
	check(saves.save(FOLDER + "/other.save", {"player": Item.new()}) != OK, "an object without classes")
	check(saves.get_error_message().contains("VariantClassSet.allow("), saves.get_error_message())


func test_the_newest_save_and_pictures() -> void:
	var saves := VariantSave.new()
	check_same(saves.game_version, ProjectSettings.get_setting("application/config/version", ""), "of the project")
	check_same(VariantSave.newest(FOLDER), "", "of no saves")
	check(not VariantSave.exists(SLOT), "no save")
	var picture := Image.create_empty(4, 4, false, Image.FORMAT_RGB8)
	check_error(saves.save(SLOT, {"a": 1}, null, picture), OK, saves.get_error_message())
	var shown := Image.new()
	check_error(shown.load_png_from_buffer(VariantSave.peek(SLOT).thumbnail), OK, "the picture")
	check(VariantSave.exists(SLOT), "a save")
	check_error(saves.save_auto_async(FOLDER, 3, {"a": 2}).wait(), OK, "a job")
	check_error(saves.save_auto_async(FOLDER, 3, {"a": 3}).wait(), OK, "another")
	check_error(saves.load(VariantSave.newest(FOLDER)), OK, "the newest")
	check_same(saves.data, {"a": 3}, VariantSave.newest(FOLDER))
