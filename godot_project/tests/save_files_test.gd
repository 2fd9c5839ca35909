extends "engine_suite.gd"
## Tests what VariantSave does with saves as files: copies, moves, lists, reports, and files of JSON.

const FOLDER := "user://save_files_test"
const SLOT := FOLDER + "/slot1.save"
const OTHER := FOLDER + "/slot2.save"


class Item:
	var count := 1


class Owner:
	var number := 0
	var words := ""
	var item: Item
	var next: Owner


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


func _store(path: String, text: String) -> void:
	DirAccess.make_dir_recursive_absolute(FOLDER)
	var file := FileAccess.open(path, FileAccess.WRITE)
	file.store_string(text)
	file.close()


func _data(save: VariantSave, path: String) -> Variant:
	check_error(save.load(path), OK, path)
	return save.data


func test_a_copy_is_the_same_save() -> void:
	var save := VariantSave.new()
	for gold in 3:
		check_error(save.save(SLOT, {"gold": gold}), OK, "save")
	check_error(save.copy(SLOT, OTHER), OK, "copy")
	check_same(FileAccess.get_file_as_bytes(OTHER), FileAccess.get_file_as_bytes(SLOT), "its bytes")
	check_same(VariantSave.compare(VariantSave.peek(SLOT), VariantSave.peek(OTHER)), VariantSave.ORDER_SAME, "the order")
	check_error(save.save(OTHER, {"gold": 9}), OK, "save over the copy")
	check_same(VariantSave.compare(VariantSave.peek(SLOT), VariantSave.peek(OTHER)), VariantSave.ORDER_OLDER, "afterwards")
	# What is there is kept, as by a save.
	check_error(save.copy(SLOT, OTHER), OK, "copy over it")
	check(save.get_report().backed_up and save.get_report().used == OTHER, str(save.get_report()))
	check_same(_data(save, OTHER), {"gold": 2}, "the copy")
	check_same(_data(save, OTHER + ".bak"), {"gold": 9}, "the backup")
	save.version = 0
	var before := FileAccess.get_file_as_bytes(OTHER)
	check_error(save.copy(SLOT, OTHER), ERR_FILE_UNRECOGNIZED, "a file of a newer version")
	save.version = 1
	check_error(save.copy(SLOT, SLOT), ERR_INVALID_PARAMETER, "onto itself")
	check_error(save.copy(FOLDER + "/none.save", OTHER), ERR_FILE_NOT_FOUND, "of nothing")
	check_error(save.copy("slot.save", OTHER), ERR_FILE_BAD_PATH, "a relative path")
	check_error(save.move_to(SLOT, SLOT), ERR_INVALID_PARAMETER, "a move onto itself")
	check_same(FileAccess.get_file_as_bytes(OTHER), before, "what is there")
	# A damaged file is copied as a load takes it, and a file of another form as it is.
	_store(SLOT, "\u0089VSAV")
	check_error(save.copy(SLOT, FOLDER + "/slot3.save"), OK, "copy of a backup")
	check_same(_data(save, FOLDER + "/slot3.save"), {"gold": 1}, "the backup")


func test_a_save_moves_with_its_backups() -> void:
	var save := VariantSave.new()
	for gold in 3:
		check_error(save.save(SLOT, {"gold": gold}), OK, "save")
	_store(SLOT + ".v1", "an older version")
	check_error(save.move_to(SLOT, FOLDER + "/deeper/slot2.save"), OK, "into a folder that is made")
	check_error(save.move_to(FOLDER + "/deeper/slot2.save", OTHER), OK, "and back")
	DirAccess.remove_absolute(FOLDER + "/deeper")
	check_same(Array(DirAccess.get_files_at(FOLDER)), ["slot2.save", "slot2.save.bak", "slot2.save.v1"], "files")
	check_same(_data(save, OTHER), {"gold": 2}, "the save")
	check_error(save.save(SLOT, {"gold": 7}), OK, "save")
	check_error(save.move_to(SLOT, OTHER), ERR_ALREADY_EXISTS, "onto another save")
	check(save.get_error_message().contains("remove() it first"), save.get_error_message())
	check_same([_data(save, SLOT), _data(save, OTHER)], [{"gold": 7}, {"gold": 2}], "both")
	check_error(save.move_to(FOLDER + "/none.save", FOLDER + "/new.save"), ERR_FILE_NOT_FOUND, "of nothing")


func test_bytes_go_on_from_each_other() -> void:
	var save := VariantSave.new()
	check_error(save.save(SLOT, {"gold": 1}), OK, "save")
	var copies: Array[Dictionary] = [VariantSave.peek(SLOT)]
	for gold in 20:
		var file := FileAccess.open(OTHER, FileAccess.WRITE)
		file.store_buffer(save.to_bytes({"gold": gold}))
		file.close()
		copies.append(VariantSave.peek(OTHER))
	check_error(save.save(SLOT, {"gold": 2}), OK, "save")
	copies.append(VariantSave.peek(SLOT))
	for at in copies.size() - 1:
		check_same(VariantSave.compare(copies[at], copies[-1]), VariantSave.ORDER_OLDER, "copy %d" % at)
	check_same(copies[-1].ancestors.size(), 0, "other writers that are named")


func test_a_report_tells_what_was_tried_in_vain() -> void:
	var save := VariantSave.new()
	for gold in 2:
		check_error(save.save(SLOT, {"gold": gold}), OK, "save")
	check_same(save.get_report().used, SLOT, "the file as the game names it")
	_store(SLOT, "\u0089VSAV")
	_store(SLOT + ".bak", "\u0089VSAV")
	check_error(save.load(SLOT), ERR_FILE_CORRUPT, "load")
	var refused: Array = save.get_report().refused
	check_same(refused.map(func(it: Dictionary) -> String: return it.path), [SLOT, SLOT + ".bak"], "files")
	check(refused.all(func(it: Dictionary) -> bool: return not it.message.is_empty()), str(refused))
	check_same(save.get_report().used, "", "the file that was loaded")
	if OS.has_feature("threads"):
		check_error(save.remove(SLOT), OK, "remove")
		check_same(save.get_report().refused.size(), 0, "after a call that worked")
		_store(SLOT, "\u0089VSAV")
		check_error(save.load_async(SLOT).wait(), ERR_FILE_UNRECOGNIZED, "load_async")
		check_same(save.get_report().refused.size(), 1, "files of a job")


func test_lists_show_files_of_before() -> void:
	var save := VariantSave.new()
	check_error(save.save(SLOT, {"gold": 1}), OK, "save")
	var file := FileAccess.open(FOLDER + "/stored", FileAccess.WRITE)
	file.store_var({"gold": 1})
	file.store_var(5)
	file.close()
	file = FileAccess.open_compressed(FOLDER + "/packed", FileAccess.WRITE)
	file.store_var({"gold": 1})
	file.close()
	_store(FOLDER + "/readme.txt", "four words of text")
	_store(FOLDER + "/cut", "\u0004")
	var list := VariantSave.list(FOLDER)
	check_same(list.map(func(it: Dictionary) -> String: return it.path.get_file()), ["packed", "slot1.save", "stored"],
		"files")
	check_same(list.map(func(it: Dictionary) -> bool: return it.is_unversioned), [true, false, true], "forms")
	for facts in list:
		check(absf(facts.time - Time.get_unix_time_from_system()) < 600.0, "the time is %s" % facts.time)
		var bias: int = Time.get_time_zone_from_system().bias
		check_same(facts.local_time, Time.get_datetime_string_from_unix_time(int(facts.time) + bias * 60, true), "as text")


func test_json_is_loaded_by_the_schema() -> void:
	_store(SLOT, "{\"coins\": 5, \"pos\": [1, 2.5]}")
	var save := VariantSave.new()
	save.schema = VariantSchema.dict({"gold": VariantSchema.int(), "pos": VariantSchema.vector2()})
	save.version = 2
	save.rename(1, {"coins": "gold"})
	check_error(save.load(SLOT), ERR_FILE_UNRECOGNIZED, "when no version is set for such files")
	check(save.get_error_message().contains("it looks like JSON: unversioned = 1 loads it"), save.get_error_message())
	save.unversioned = 1
	check_same(_data(save, SLOT), {"pos": Vector2(1, 2.5), "gold": 5}, "data")
	check_error(save.save(SLOT, save.data), OK, "save over it")
	check(FileAccess.file_exists(SLOT + ".v1"), "the file of before is gone")
	_store(OTHER, "{\"coins\": \"many\", \"pos\": [1, 2]}")
	check_error(save.load(OTHER), ERR_INVALID_DATA, "what the schema does not take")
	check_same(save.get_error().path, "gold", "where")
	# One object a line, as the engine's own tutorial saves games.
	_store(OTHER, "{\"hp\": 1}\n\n{\"hp\": 2}\n")
	var lines := VariantSave.new()
	lines.unversioned = 1
	check_error(lines.load(OTHER), ERR_INVALID_DATA, "several values")
	check(lines.get_error_message().contains("2 lines of JSON, one after another: set unversioned_array"),
		lines.get_error_message())
	lines.unversioned_array = true
	check_same(_data(lines, OTHER), [{"hp": 1}, {"hp": 2}], "lines")
	for text: String in ["{\"hp\": 1", "[1\n2]", "{\"hp\": 1}\n{\"hp\"", "[" .repeat(100_000)]:
		_store(OTHER, text)
		check_error(lines.load(OTHER), ERR_FILE_UNRECOGNIZED, text.left(20))


func test_steps_make_objects_of_json() -> void:
	_store(SLOT, "{\"items\": [{\"count\": 3}]}")
	var classes := VariantClassSet.new()
	classes.allow("Item", Item)
	var save := VariantSave.new()
	save.classes = classes
	save.unversioned = 1
	save.version = 2
	save.migrate(1, func(data: Dictionary) -> Dictionary:
		data["items"] = classes.from_rows("Item", data["items"])
		return data)
	var data: Dictionary = _data(save, SLOT)
	check(data.items[0] is Item and data.items[0].count == 3, str(data))


## Entries that are got out of a save take the steps of classes, as the entries of a whole one do.
func test_what_is_recovered_takes_the_steps_of_classes() -> void:
	check_error(VariantSave.new().save(SLOT, {"items": [{"count": 3}]}), OK, "a save of before there were classes")
	var classes := VariantClassSet.new()
	classes.allow("Item", Item)
	var save := VariantSave.new()
	save.classes = classes
	save.version = 3
	save.migrate(1, func(data: Dictionary) -> Dictionary:
		data["items"] = classes.from_rows("Item", data["items"])
		return data)
	save.rename(2, {"amount": "count"}, "Item")
	check_error(save.recover(SLOT), OK, "recover")
	check(save.data.items[0] is Item and save.data.items[0].count == 3, str(save.data))


## Rows of a save with objects stand in slices as entries do: damage loses those in its slice alone (C4).
func test_objects_of_a_damaged_save_are_recovered() -> void:
	var save := VariantSave.new()
	save.compression = VariantSave.COMPRESSION_NONE
	save.backups = 0
	save.classes = VariantClassSet.new()
	save.classes.allow("Owner", Owner, VariantClassSet.VARIABLES)
	save.classes.allow("Item", Item, VariantClassSet.VARIABLES)
	save.classes.property("Owner", "item", VariantClassSet.object("Item").nullable())
	save.classes.property("Owner", "next", VariantClassSet.object("Owner").nullable())
	var owners: Array[Owner] = []
	for i in 2000:
		var owner := Owner.new()
		owner.number = i
		owner.words = "the words of owner %d" % i
		owner.item = Item.new()
		owner.item.count = i
		owner.next = owners[i / 2] if i > 0 else null
		owners.append(owner)
	check_error(save.save(SLOT, {"owners": owners, "gold": 7}), OK, "save")
	var bytes := FileAccess.get_file_as_bytes(SLOT)
	bytes[bytes.size() / 2] ^= 1
	var file := FileAccess.open(SLOT, FileAccess.WRITE)
	file.store_buffer(bytes)
	file.close()
	check_error(save.load(SLOT), ERR_FILE_CORRUPT, "load")
	if not check_error(save.recover(SLOT), OK, save.get_error_message()):
		return
	var report := save.get_report()
	check(report.lost_entries > 10 and report.lost_entries < 600, "%d entries are lost" % report.lost_entries)
	check_same([report.lost_slices, report.lost_references.size()], [1, 100], "the report")
	check(report.lost_references[0].begins_with("owners["), report.lost_references[0])
	check_same([save.data.gold, save.data.owners.size()], [7, 2000], "the value")
	check(save.data.owners.is_same_typed(owners), "its types")
	var kept := 0
	for i in 2000:
		var owner: Owner = save.data.owners[i]
		if owner == null:
			continue
		kept += 1
		check_same([owner.number, owner.words], [i, owners[i].words], "owner %d" % i)
		check(owner.item == null or owner.item.count == i, "the item of owner %d" % i)
		check(i == 0 or owner.next == save.data.owners[i / 2], "the next of owner %d" % i)
	check(kept > 1700 and kept < 2000, "%d owners" % kept)


func test_a_password_costs_what_the_game_says() -> void:
	var save := VariantSave.new()
	check_same(save.kdf, {"memory_kib": 19456, "passes": 2, "lanes": 1}, "at first")
	save.password = "s3cret"
	save.kdf = {"memory_kib": 64, "passes": 3}
	check_same(save.kdf, {"memory_kib": 64, "passes": 3, "lanes": 1}, "afterwards")
	var bytes := save.to_bytes({"gold": 1})
	var keys := bytes.hex_encode().find("KEYS".to_utf8_buffer().hex_encode()) / 2 + 4
	check_same([bytes.decode_u32(keys), bytes.decode_u32(keys + 4), bytes.decode_u32(keys + 8)], [64, 3, 1], "in the file")
	var other := VariantSave.new()
	other.password = "s3cret"
	check_error(other.from_bytes(bytes), OK, "a file of a lower cost")
	var dear := VariantSave.new()
	dear.kdf = {"memory_kib": 80 << 10, "passes": 1}
	dear.password = "s3cret"
	bytes = dear.to_bytes({"gold": 1})
	check_error(other.from_bytes(bytes), ERR_OUT_OF_MEMORY, "a file of a higher one")
	check_error(dear.from_bytes(bytes), OK, "in the game that chose it")


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
