extends "engine_suite.gd"
## Tests the table "What it finds" of docs/SAVES.md, a row each: what load() and save() say to a file, and what is left of it.

const FOLDER := "user://save_verdict"
const SLOT := FOLDER + "/slot1.save"
const BACKUP := SLOT + ".bak"


class Hero:
	extends RefCounted
	var hp := 80


func clean_up() -> void:
	super()
	for name in DirAccess.get_directories_at(FOLDER):
		DirAccess.remove_absolute(FOLDER.path_join(name))
	for name in DirAccess.get_files_at(FOLDER):
		DirAccess.remove_absolute(FOLDER.path_join(name))
	DirAccess.remove_absolute(FOLDER)


func _save() -> VariantSave:
	var save := VariantSave.new()
	save.schema = VariantSchema.dict({"gold": VariantSchema.int(0)})
	save.version = 2
	return save


func _store(path: String, bytes: PackedByteArray) -> void:
	DirAccess.make_dir_recursive_absolute(FOLDER)
	var file := FileAccess.open(path, FileAccess.WRITE)
	file.store_buffer(bytes)
	file.close()


func _bytes(path: String) -> PackedByteArray:
	return FileAccess.get_file_as_bytes(path)


func _spoilt(bytes: PackedByteArray) -> PackedByteArray:
	var spoilt := bytes.duplicate()
	spoilt[spoilt.size() / 2] ^= 1
	return spoilt


## A file is refused by load() with this code, and stays as it is when save() is asked.
func _check_kept(save: VariantSave, error: int, code: int, what: String) -> void:
	var before := _bytes(SLOT)
	check_error(save.load(SLOT), error, what + ": load, " + save.get_error_message())
	check_same(save.get_error().code, code, what + ": the kind, " + save.get_error_message())
	for turn in 3:
		check_error(save.save(SLOT, {"gold": 0}), ERR_LOCKED, what + ": save, " + save.get_error_message())
		check_same(save.get_error().code, VariantCodec.SAVE_LOCKED, what + ": the kind of the save")
	check_error(save.save_async(SLOT, {"gold": 0}).wait(), ERR_LOCKED, what + ": save_async")
	check_same(_bytes(SLOT), before, what + ": the file")


func test_a_newer_version_is_not_overwritten() -> void:
	var newer := _save()
	newer.version = 3
	_store(SLOT, newer.to_bytes({"gold": 9}))
	_store(BACKUP, _save().to_bytes({"gold": 1}))
	var save := _save()
	save.discard_damaged = true
	save.discard_refused = true
	_check_kept(save, ERR_FILE_UNRECOGNIZED, VariantCodec.SAVE_NEWER, "a newer state")


func _with_classes(version: int) -> VariantSave:
	var classes := VariantClassSet.new()
	classes.allow("hero", Hero, VariantClassSet.VARIABLES)
	if version > 1:
		classes.version("hero", version)
		classes.migrate("hero", 1, func(data: Dictionary) -> Dictionary: return data)
	var save := VariantSave.new()
	save.classes = classes
	return save


func test_a_newer_class_is_not_overwritten() -> void:
	var newer := _with_classes(2)
	_store(SLOT, newer.to_bytes({"hero": Hero.new()}))
	check(not _bytes(SLOT).is_empty(), newer.get_error_message())
	_check_kept(_with_classes(1), ERR_FILE_UNRECOGNIZED, VariantCodec.CLASS_NEWER, "a newer class")


func test_an_older_class_is_kept_once() -> void:
	_store(SLOT, _with_classes(1).to_bytes({"hero": Hero.new()}))
	var first := _bytes(SLOT)
	var save := _with_classes(2)
	check_error(save.load(SLOT), OK, save.get_error_message())
	var report := save.get_report()
	check_same([report.migrated_from, report.migrated_classes], [-1, {"hero": 1}], "what is told")
	for turn in 2:
		check_error(save.save(SLOT, save.data), OK, save.get_error_message())
	check_same(_bytes(SLOT + ".v1"), first, "the save with the older class")
	check_error(save.load(SLOT), OK, save.get_error_message())
	check_same(save.get_report().migrated_classes, {}, "classes of today")


func test_missing_classes_are_named() -> void:
	_store(SLOT, _with_classes(1).to_bytes({"hero": Hero.new()}))
	var save := VariantSave.new()
	_check_kept(save, ERR_INVALID_PARAMETER, VariantCodec.INVALID_ARGUMENT, "missing classes")
	save.load(SLOT)
	check(save.get_error_message().contains("set classes"), save.get_error_message())


func test_an_older_version_is_kept_once() -> void:
	var older := VariantSave.new()
	_store(SLOT, older.to_bytes({"coins": 1}))
	var first := _bytes(SLOT)
	var save := _save()
	save.rename(1, {"coins": "gold"})
	check_error(save.load(SLOT), OK, save.get_error_message())
	check_same([save.data, save.get_report().migrated_from], [{"gold": 1}, 1], "what is loaded")
	for gold in 3:
		check_error(save.save(SLOT, {"gold": gold}), OK, save.get_error_message())
	check_same(_bytes(SLOT + ".v1"), first, "the save of version 1")
	check(not FileAccess.file_exists(SLOT + ".v1-2"), "it is kept twice")


func test_a_refused_file_is_kept_and_does_not_fall_back() -> void:
	var loose := VariantSave.new()
	loose.version = 2
	_store(SLOT, loose.to_bytes({"gold": -1}))
	_store(BACKUP, loose.to_bytes({"gold": 1}))
	var save := _save()
	var first := _bytes(SLOT)
	_check_kept(save, ERR_INVALID_DATA, VariantCodec.OUT_OF_RANGE, "the schema")
	save.discard_damaged = true
	_check_kept(save, ERR_INVALID_DATA, VariantCodec.OUT_OF_RANGE, "the schema, with discard_damaged")
	save.discard_refused = true
	check_error(save.save(SLOT, {"gold": 2}), OK, save.get_error_message())
	check(save.get_report().set_aside, "it is not told")
	check_same(_bytes(SLOT + ".refused"), first, "the file that was refused")
	check_error(save.load(SLOT), OK, save.get_error_message())
	check_same(save.data, {"gold": 2}, "the new save")
	# A limit refuses as a schema does.
	var limits := VariantLimits.save_file()
	limits.max_bytes = 1000
	var large := VariantSave.new()
	_store(SLOT, large.to_bytes({"text": "x".repeat(2000)}))
	var small := VariantSave.new()
	small.limits = limits
	_check_kept(small, ERR_OUT_OF_MEMORY, VariantCodec.TOO_MANY_BYTES, "max_bytes")


func test_another_password_locks() -> void:
	var sealed := VariantSave.new()
	sealed.password = "s3cret"
	var save := VariantSave.new()
	save.discard_damaged = true
	_store(SLOT, sealed.to_bytes({"gold": 1}))
	_check_kept(save, ERR_UNAUTHORIZED, VariantCodec.WRONG_KEY, "without a password")
	save.password = "other"
	_check_kept(save, ERR_UNAUTHORIZED, VariantCodec.WRONG_KEY, "another password")
	_store(SLOT, VariantSave.new().to_bytes({"gold": 1}))
	_check_kept(save, ERR_UNAUTHORIZED, VariantCodec.NOT_AUTHENTIC, "unprotected under a password")
	check_error(save.recover(SLOT), ERR_UNAUTHORIZED, "recover")
	save.accept_unprotected = true
	check_error(save.save(SLOT, {"gold": 2}), OK, save.get_error_message())


func test_damage_with_and_without_a_backup() -> void:
	var whole := _save().to_bytes({"gold": 1})
	var damaged := _spoilt(_save().to_bytes({"gold": 2}))
	_store(SLOT, damaged)
	_check_kept(_save(), ERR_FILE_CORRUPT, VariantCodec.NO_INTACT_SAVE, "nothing whole")
	_store(BACKUP, damaged)
	_check_kept(_save(), ERR_FILE_CORRUPT, VariantCodec.NO_INTACT_SAVE, "a damaged backup")
	_store(BACKUP, whole)
	var save := _save()
	check_error(save.load(SLOT), OK, save.get_error_message())
	check_same([save.data, save.get_report().refused.size()], [{"gold": 1}, 1], "the backup, and it is told")
	check_error(save.save(SLOT, {"gold": 3}), OK, save.get_error_message())
	check(save.get_report().set_aside, "it is not told")
	check_same([_bytes(SLOT + ".damaged"), _bytes(BACKUP)], [damaged, whole], "what stands beside")
	_store(SLOT, damaged)
	DirAccess.remove_absolute(BACKUP)
	save.discard_damaged = true
	check_error(save.save(SLOT, {"gold": 4}), OK, save.get_error_message())


func test_an_empty_file_is_replaced() -> void:
	for bytes: PackedByteArray in [PackedByteArray(), "0".repeat(600).hex_decode()]:
		_store(SLOT, bytes)
		var save := _save()
		check(save.load(SLOT) != OK, "%d bytes are loaded" % bytes.size())
		_store(BACKUP, _save().to_bytes({"gold": 1}))
		check_error(save.load(SLOT), OK, "the backup of %d bytes" % bytes.size())
		DirAccess.remove_absolute(BACKUP)
		check_error(save.save(SLOT, {"gold": 2}), OK, save.get_error_message())
		check_error(save.load(SLOT), OK, save.get_error_message())
		check(not FileAccess.file_exists(BACKUP), "nothing became a backup")


func test_what_cannot_be_read_is_as_damaged() -> void:
	DirAccess.make_dir_recursive_absolute(SLOT)
	var save := _save()
	check(save.load(SLOT) != OK, "a folder is loaded")
	check(not save.get_error_message().contains("writing"), save.get_error_message())
	check_error(save.save(SLOT, {"gold": 1}), ERR_LOCKED, "a folder")
	_store(BACKUP, _save().to_bytes({"gold": 5}))
	check_error(save.load(SLOT), OK, save.get_error_message())
	check_same([save.data, save.get_report().refused.size()], [{"gold": 5}, 1], "the backup, and it is told")
	check_error(save.remove(SLOT), ERR_FILE_CANT_WRITE, "removing a folder")
	check_error(save.save(SLOT, {"gold": 6}), OK, save.get_error_message())
	check_error(save.load(SLOT), OK, save.get_error_message())
	check_same(save.data, {"gold": 6}, "the new save")
	check(DirAccess.dir_exists_absolute(SLOT + ".damaged"), "the folder is gone")


## The file is whole: an older backup is not the better choice.
func test_a_file_that_is_too_long_is_refused() -> void:
	var limits := VariantLimits.save_file()
	limits.max_bytes = 1000
	var save := _save()
	save.limits = limits
	var long := _save().to_bytes({"gold": 1})
	long.resize(1000 + (16 << 20) + 1)
	_store(SLOT, long)
	_store(BACKUP, _save().to_bytes({"gold": 1}))
	save.discard_damaged = true
	_check_kept(save, ERR_OUT_OF_MEMORY, VariantCodec.TOO_MANY_BYTES, "a long file")
	check_error(save.recover(SLOT), ERR_OUT_OF_MEMORY, "recover")


func test_a_pipe_is_refused_at_once() -> void:
	DirAccess.make_dir_recursive_absolute(FOLDER)
	if OS.get_name() == "Windows" or OS.execute("mkfifo", [ProjectSettings.globalize_path(SLOT)]) != 0:
		skip("there are no pipes")
		return
	_store(BACKUP, _save().to_bytes({"gold": 1}))
	var save := _save()
	check(save.load(SLOT) != OK, "load")
	check(save.save(SLOT, {"gold": 1}) not in [OK, ERR_LOCKED], "save")
	check(save.recover(SLOT) != OK, "recover")
	check(save.remove(SLOT) != OK, "remove")
	check(not VariantSave.peek(SLOT).is_readable, "peek")
	check_same(VariantSave.list(FOLDER).size(), 1, "list")
	check(not VariantSave.list(FOLDER)[0].is_readable, "the name in the list")
	check(FileAccess.file_exists(BACKUP), "the backup is gone")


func test_a_link_means_the_file_that_it_leads_to() -> void:
	var target := FOLDER + "/elsewhere.save"
	var save := _save()
	for gold in 2:
		check_error(save.save(target, {"gold": gold}), OK, save.get_error_message())
	var made := ["-s", ProjectSettings.globalize_path(target), ProjectSettings.globalize_path(SLOT)]
	if OS.get_name() == "Windows" or OS.execute("ln", made) != 0:
		skip("there are no links")
		return
	_store(target, _spoilt(_bytes(target)))
	check_error(save.load(SLOT), OK, save.get_error_message())
	check_same(save.data, {"gold": 0}, "the backup beside the target")
	check_error(save.save(SLOT, {"gold": 7}), OK, save.get_error_message())
	check_error(save.load(target), OK, save.get_error_message())
	check_same(save.data, {"gold": 7}, "the target")
	check_error(save.remove(SLOT), OK, save.get_error_message())
	check_same(Array(DirAccess.get_files_at(FOLDER)), [], "what is left")


func test_a_backup_is_listed_when_its_save_is_gone() -> void:
	var save := _save()
	for gold in 2:
		check_error(save.save(SLOT, {"gold": gold}, {"level": gold}), OK, save.get_error_message())
	DirAccess.remove_absolute(SLOT)
	var listed := VariantSave.list(FOLDER)
	check_same(listed.size(), 1, "saves")
	check_same([listed[0].path, listed[0].metadata, listed[0].is_backup], [SLOT, {"level": 0}, true], "the save")
	check_error(save.load(listed[0].path), OK, save.get_error_message())


func test_a_damaged_file_of_a_ring_is_replaced() -> void:
	var save := _save()
	for gold in 3:
		check_error(save.save_auto(FOLDER, 3, {"gold": gold}), OK, save.get_error_message())
	_store(FOLDER + "/auto1.save", _spoilt(_bytes(FOLDER + "/auto1.save")))
	var newer := _save()
	newer.version = 3
	_store(FOLDER + "/auto2.save", newer.to_bytes({"gold": 9}))
	var kept := _bytes(FOLDER + "/auto2.save")
	for gold in range(10, 16):
		check_error(save.save_auto(FOLDER, 3, {"gold": gold}), OK, save.get_error_message())
	check_same(_bytes(FOLDER + "/auto2.save"), kept, "the file of a newer version")
	check(FileAccess.file_exists(FOLDER + "/auto1.save.damaged"), "the damaged one is not set aside")


func test_a_damaged_backup_is_none() -> void:
	var save := _save()
	check_error(save.save(SLOT, {"gold": 1}), OK, save.get_error_message())
	var first := _bytes(SLOT)
	_store(BACKUP, _spoilt(first))
	check_error(save.save(SLOT, {"gold": 2}), OK, save.get_error_message())
	check(save.get_report().backed_up, "no backup")
	check_same(_bytes(BACKUP), first, "the backup")


func test_a_name_without_room_for_backups_is_refused_at_first() -> void:
	var save := _save()
	for length: int in [242, 251, 255]:
		var path := FOLDER + "/" + "n".repeat(length)
		check_error(save.save(path, {"gold": 1}), ERR_FILE_BAD_PATH, "%d bytes" % length)
		check(save.get_error_message().contains("at most 241 bytes"), save.get_error_message())
	var longest := FOLDER + "/" + "n".repeat(241)
	for gold in 3:
		check_error(save.save(longest, {"gold": gold}), OK, save.get_error_message())


func test_what_the_engine_encrypted_is_unprotected() -> void:
	DirAccess.make_dir_recursive_absolute(FOLDER)
	var file := FileAccess.open_encrypted_with_pass(SLOT, FileAccess.WRITE, "s3cret")
	file.store_var({"gold": 5})
	file.close()
	var save := _save()
	save.password = "s3cret"
	save.unversioned = 2
	_check_kept(save, ERR_UNAUTHORIZED, VariantCodec.NOT_AUTHENTIC, "GDEC")
	save.load(SLOT)
	check(save.get_error_message().contains("accept_unprotected"), save.get_error_message())
	save.accept_unprotected = true
	check_error(save.load(SLOT), OK, save.get_error_message())
	check_error(save.save(SLOT, save.data), OK, save.get_error_message())


func test_folders_are_made_and_paths_are_whole() -> void:
	var save := _save()
	var path := FOLDER + "/deep/er/slot.save"
	check_error(save.save(path, {"gold": 1}), OK, save.get_error_message())
	check_error(save.load(path), OK, save.get_error_message())
	check_error(save.remove(path), OK, save.get_error_message())
	DirAccess.remove_absolute(FOLDER + "/deep/er")
	for relative: String in ["slot1.save", "saves/slot1.save", ""]:
		check_error(save.save(relative, {"gold": 1}), ERR_FILE_BAD_PATH, "save to " + relative)
		check(save.get_error_message().contains("user://"), save.get_error_message())
		check_error(save.load(relative), ERR_FILE_BAD_PATH, "load of " + relative)
	check_error(save.load(FOLDER + "/none.save"), ERR_FILE_NOT_FOUND, "a missing file")
	check_error(save.recover(FOLDER + "/none.save"), ERR_FILE_NOT_FOUND, "a missing file")
	check_error(save.remove(FOLDER + "/none.save"), ERR_FILE_NOT_FOUND, "a missing file")
	check(not save.get_error_message().contains("writing"), save.get_error_message())
