extends "suite.gd"
## Tests what the engine wrote with full objects, read by a VariantClassSet: real bytes of its own functions come back as
## objects, hostile ones are refused, and nothing in them is loaded, compiled or made. Promise O15.

const SavedHero := preload("objects/saved_hero.gd")
const SavedItem := preload("objects/saved_item.gd")
const Cast := preload("objects/cast.gd")

const PATH := "user://objects_engine_test.bin"
const HERO := "res://tests/objects/saved_hero.gd"
const ITEM := "res://tests/objects/saved_item.gd"

var _codec := _reading(_classes())


func clean_up() -> void:
	_codec = _reading(_classes())
	if FileAccess.file_exists(PATH):
		DirAccess.remove_absolute(PATH)


static func _classes() -> VariantClassSet:
	var classes := VariantClassSet.new()
	classes.allow("hero", SavedHero)
	classes.allow("item", SavedItem)
	classes.property("hero", "best", VariantClassSet.object("item").nullable())
	classes.property("hero", "notes", VariantSchema.map(VariantSchema.string(), VariantSchema.any()))
	# The first use makes an object of each class, to ask for what declarations do not tell.
	assert(classes.is_well_formed())
	return classes


static func _reading(classes: VariantClassSet) -> VariantCodec:
	var codec := VariantCodec.new()
	codec.classes = classes
	codec.read_engine_objects = true
	return codec


static func _hero() -> SavedHero:
	var hero := SavedHero.new()
	var item := SavedItem.new()
	item.name = "sword"
	item.count = 3
	item.tags = [&"sharp"]
	item.resource_name = "a name of the engine's"
	item.set_meta("editor", [1, {"a": 2}])
	hero.hp = 77
	hero.at = Vector2(3, 4)
	hero.items = [item, SavedItem.new()]
	hero.best = item
	hero.notes = {"list": [item, 7, null], "text": "x"}
	return hero


func _made() -> int:
	return SavedHero.made + SavedItem.made + Cast.count()


## The engine's bytes with a text in them replaced by one that is made as long.
func _with(bytes: PackedByteArray, from: String, to: String) -> PackedByteArray:
	to = to.rpad(from.length(), "x")
	assert(from.length() == to.length())
	var changed := bytes.hex_encode().replace(from.to_utf8_buffer().hex_encode(), to.to_utf8_buffer().hex_encode())
	return _of_hex(changed)


static func _of_hex(hex: String) -> PackedByteArray:
	var bytes := PackedByteArray()
	for at in range(0, hex.length(), 2):
		bytes.append(hex.substr(at, 2).hex_to_int())
	return bytes


func test_real_bytes_come_back_as_objects() -> void:
	var bytes := var_to_bytes_with_objects([_hero(), {"item": _hero().items[0]}, null])
	check_error(_codec.validate(bytes), OK, _codec.get_error_message())
	if not check_error(_codec.decode(bytes), OK, _codec.get_error_message()):
		return
	check_same(_codec.get_consumed(), bytes.size(), "bytes read")
	var hero: SavedHero = _codec.data[0]
	check(hero.hp == 77 and hero.at == Vector2(3, 4), "plain properties")
	check(hero.items.size() == 2 and hero.items.get_typed_script() == SavedItem, "a typed array of items")
	check(hero.items[0].name == "sword" and hero.items[0].count == 3 and hero.items[0].tags == [&"sharp"], "an item")
	check_same(hero.items[0].resource_name, "", "a property of the engine is dropped")
	check(not hero.items[0].has_meta("editor"), "metadata is dropped")
	check((hero.best as SavedItem).name == "sword" and hero.best != hero.items[0], "the bytes know no sharing")
	check((hero.notes["list"][0] as SavedItem).count == 3 and hero.notes["list"][1] == 7, "an item in a dictionary")
	check(_codec.data[1]["item"] is SavedItem and _codec.data[2] == null, "the rest")


func test_documents_are_read_beside_them() -> void:
	var document := _codec.encode(_hero())
	check_error(_codec.decode(document), OK, _codec.get_error_message())
	check(_codec.data is SavedHero, "a document")
	check_error(_codec.decode(var_to_bytes([1, "x"])), OK, "bytes without any object")
	check_same(_codec.data, [1, "x"], "their value")
	_codec.read_engine_objects = false
	check_error(_codec.decode(var_to_bytes_with_objects(_hero())), ERR_INVALID_DATA, "only where it is asked for")
	check_error(_codec.decode(var_to_bytes([1])), ERR_INVALID_DATA, "and nothing else without")
	check_same(_codec.get_error().code, VariantCodec.NOT_A_DOCUMENT, _codec.get_error_message())
	_codec.read_engine_objects = true
	_codec.strictness = VariantCodec.CANONICAL
	check_error(_codec.decode(var_to_bytes_with_objects(_hero())), ERR_INVALID_DATA, "a writer writes documents")
	check_same(_codec.get_error().code, VariantCodec.NOT_CANONICAL, "its kind")


func test_scripts_that_moved_and_properties_that_changed() -> void:
	var classes := VariantClassSet.new()
	classes.allow("item", SavedItem, ["count"])
	classes.engine_path("item", ["res://old/item.gd"])
	classes.rename("item", {"name": "count"})
	classes.forget("item", ["tags"])
	classes.version("item", 2)
	# What is written knows no version: it is from before there was one.
	classes.migrate("item", 1, func(old: Dictionary) -> Dictionary: return {"count": int(old["count"]) + 1})
	var path_bytes := func(path: String) -> PackedByteArray:
		return _of_hex(("18000000 08000000 5265736f75726365 02000000 06000000 7363726970740000 04000000 "
				+ "%02x000000" % path.length() + path.to_utf8_buffer().hex_encode()
				+ "00".repeat((4 - path.length() % 4) % 4) + "05000000 636f756e74000000 02000000 07000000").replace(" ", ""))
	var codec := _reading(classes)
	for path: String in ["res://old/item.gd", ITEM]:
		check_error(codec.decode(path_bytes.call(path)), OK, "%s: %s" % [path, codec.get_error_message()])
		check_same((codec.data as SavedItem).count, 8, path)
	check_error(codec.decode(path_bytes.call("res://old/other.gd")), ERR_INVALID_DATA, "another path")
	var ill := VariantClassSet.new()
	ill.allow("item", SavedItem)
	ill.engine_path("item", ["user://item.gd"])
	check(ill.get_build_errors()[0].message.contains("expected paths of scripts under res://"), str(ill.get_build_errors()))


func test_o15_nothing_is_loaded_compiled_or_made() -> void:
	var source := GDScript.new()
	source.source_code = "extends RefCounted\nfunc _init():\n\tOS.alert('compiled')\n"
	var good := var_to_bytes_with_objects(_hero())
	var hostile := {
		"a script itself": [var_to_bytes_with_objects(source), VariantCodec.SCRIPT_IN_DATA],
		"one among values": [var_to_bytes_with_objects([1, {"a": source}]), VariantCodec.SCRIPT_IN_DATA],
		"a path elsewhere": [_with(good, HERO, "user://tests/objects/saved.gd"), VariantCodec.SCRIPT_IN_DATA],
		"an id for a path": [_with(good, HERO, "uid://a"), VariantCodec.SCRIPT_IN_DATA],
		"a path that goes up": [_with(good, HERO, "res://tests/../a.gd"), VariantCodec.SCRIPT_IN_DATA],
		"another script of the game": [_with(good, HERO, "res://tests/objects/other.gd"), VariantCodec.CLASS_NOT_ALLOWED],
		"a class of the engine": [var_to_bytes_with_objects(Gradient.new()), VariantCodec.CLASS_NOT_ALLOWED],
		"a class with another base": [_with(good, "RefCounted", "PCKPackers"), VariantCodec.CLASS_NOT_ALLOWED],
		"an object without a script": [var_to_bytes_with_objects(Resource.new()), VariantCodec.CLASS_NOT_ALLOWED],
		"a property of nobody": [_with(good, "notes", "evil_"), VariantCodec.UNKNOWN_PROPERTY],
	}
	# At its first use the set makes an object of each class, to learn what its variables hold at first.
	_codec.decode(good)
	for name: String in hostile:
		var bytes: PackedByteArray = hostile[name][0]
		var before := _made()
		check_error(_codec.decode(bytes), ERR_INVALID_DATA if hostile[name][1] == VariantCodec.UNKNOWN_PROPERTY
				else ERR_INVALID_DATA, name)
		check_same(_codec.get_error().code, hostile[name][1], "%s: %s" % [name, _codec.get_error_message()])
		check_same(_made(), before, "%s: nothing ran" % name)
		check_same(_codec.data, null, "%s: nothing is there" % name)


func test_o4_no_property_of_the_engine_can_be_set() -> void:
	for name: String in ["resource_path", "resource_scene_unique_id", "owner", "_init", "tags:x"]:
		var bytes := _of_hex(("18000000 08000000 5265736f75726365 02000000 06000000 7363726970740000 04000000 %02x000000"
				% ITEM.length()).replace(" ", ""))
		bytes.append_array(ITEM.to_utf8_buffer())
		bytes.resize(bytes.size() + (4 - ITEM.length() % 4) % 4)
		var padded := name.to_utf8_buffer()
		padded.resize((name.length() + 3) / 4 * 4)
		bytes.append_array(_of_hex("%02x000000" % name.length()) + padded + var_to_bytes("x"))
		check_error(_codec.decode(bytes), ERR_INVALID_DATA, name)
		check_same(_codec.get_error().code, VariantCodec.UNKNOWN_PROPERTY, "%s: %s" % [name, _codec.get_error_message()])


func test_errors_point_into_the_bytes() -> void:
	var hero := _hero()
	hero.hp = 101
	var bytes := var_to_bytes_with_objects([1, hero])
	check_error(_codec.decode(bytes), ERR_INVALID_DATA, "out of range")
	var at: int = _codec.get_error().byte_offset
	check_same(bytes.slice(at, at + 8), var_to_bytes(101), _codec.get_error_message())
	check(_codec.get_error_message().begins_with("hero[0].hp: expected int 0..100, got int 101"), _codec.get_error_message())
	hero.hp = 1
	hero.best = Resource.new()
	check_error(_codec.decode(var_to_bytes_with_objects({"a": hero})), ERR_INVALID_DATA, "another resource")
	check(_codec.get_error_message().contains("without a script"), _codec.get_error_message())


func test_every_spoiled_byte_is_refused_or_means_objects() -> void:
	var bytes := var_to_bytes_with_objects([_hero(), 1])
	_codec.limits = VariantLimits.network()
	for at in bytes.size():
		_codec.decode(bytes.slice(0, at))
		for change: int in [1, 0x55, 0x80]:
			var spoiled := bytes.duplicate()
			spoiled[at] ^= change
			var valid := _codec.validate(spoiled)
			var before := _made()
			if _codec.decode(spoiled) != OK:
				check_same(_made(), before, "nothing ran when byte %d was refused" % at)
			check_error(_codec.validate(spoiled), valid, "byte %d, twice" % at)


func test_objects_are_counted_before_they_are_made() -> void:
	var items := []
	for i in 50:
		items.append(SavedItem.new())
	var bytes := var_to_bytes_with_objects(items)
	_codec.limits = VariantLimits.network()
	_codec.limits.max_objects = 50
	check_error(_codec.decode(bytes), OK, _codec.get_error_message())
	_codec.limits.max_objects = 49
	var before := _made()
	check_error(_codec.decode(bytes), ERR_OUT_OF_MEMORY, "one more than the limit")
	check_same(_codec.get_error().code, VariantCodec.TOO_MANY_OBJECTS, "its kind")
	check_same(_made(), before, "nothing ran")


func test_a_reader_reads_files_of_store_var() -> void:
	var file := FileAccess.open(PATH, FileAccess.WRITE)
	for value: Variant in [_hero(), 7, [SavedItem.new()]]:
		file.store_var(value, true)
	file.close()
	var reader := VariantReader.new()
	reader.codec.classes = _classes()
	reader.codec.read_engine_objects = true
	check_error(reader.open_file(PATH), OK, reader.get_error_message())
	var read := []
	while reader.next() == OK:
		read.append(reader.data)
	if check_same(read.size(), 3, reader.get_error_message()):
		check(read[0] is SavedHero and read[0].items[0].count == 3 and read[1] == 7 and read[2][0] is SavedItem, "values")
	reader = VariantReader.new()
	reader.codec.classes = _classes()
	reader.open_file(PATH)
	check(reader.next() != OK, "only where it is asked for")


func test_a_save_reads_files_of_store_var() -> void:
	var file := FileAccess.open(PATH, FileAccess.WRITE)
	file.store_var({"hero": _hero()}, true)
	file.close()
	var save := VariantSave.new()
	save.classes = _classes()
	save.unversioned = 1
	check(save.load(PATH) != OK, "only where it is asked for")
	save.read_engine_objects = true
	if check_error(save.load(PATH), OK, save.get_error_message()):
		check(save.data["hero"] is SavedHero and save.data["hero"].items[0].name == "sword", "the hero")
