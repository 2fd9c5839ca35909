extends "engine_suite.gd"
## Tests VariantSave as a game uses it: slots, backups, damage, versions, keys, and what a list of saves shows.

const NEEDS := {
	"test_jobs_tell_how_far_they_are_and_can_be_cancelled": "threads",
	"test_a_load_that_its_last_step_cancels_encodes_nothing": "threads",
}
const FOLDER := "user://save_test"
const SLOT := FOLDER + "/slot1.save"


func clean_up() -> void:
	super()
	for name in DirAccess.get_files_at(FOLDER):
		DirAccess.remove_absolute(FOLDER.path_join(name))
	DirAccess.remove_absolute(FOLDER)


func _save() -> VariantSave:
	DirAccess.make_dir_recursive_absolute(FOLDER)
	var save := VariantSave.new()
	save.schema = VariantSchema.dict({
		"gold": VariantSchema.int(0),
		"name": VariantSchema.string().max_chars(32),
		"bag": VariantSchema.array(VariantSchema.int(0, 9999)).optional([]),
	})
	return save


func _state(gold: int) -> Dictionary:
	return {"gold": gold, "name": "Ada", "bag": [1, 2]}


## Changes a byte in the middle of a file.
func _spoil(path: String) -> void:
	var bytes := FileAccess.get_file_as_bytes(path)
	bytes[bytes.size() / 2] ^= 1
	var file := FileAccess.open(path, FileAccess.WRITE)
	file.store_buffer(bytes)
	file.close()


func test_what_is_saved_loads() -> void:
	var save := _save()
	var picture := PackedByteArray([1, 2, 3])
	save.game_version = "1.4"
	check_error(save.save(SLOT, _state(7), {"level": 3}, picture), OK, "save")
	check(FileAccess.file_exists(SLOT), "there is no file")
	var other := _save()
	check_error(other.load(SLOT), OK, "load")
	check_same(other.data, _state(7), "data")
	check_same(other.metadata, {"level": 3}, "metadata")
	check_same(other.thumbnail, picture, "thumbnail")
	var report := other.get_report()
	check_same(report.game_version, "1.4", "the game's version")
	check(absf(report.time - Time.get_unix_time_from_system()) < 60.0, "the time is %s" % report.time)
	# Defaults of the schema are filled in, as everywhere.
	check_error(save.save(SLOT, {"gold": 1, "name": "b"}), OK, "save without a key that may be missing")
	check_error(other.load(SLOT), OK, "load")
	check_same(other.data, {"gold": 1, "name": "b", "bag": []}, "data with its default")


func test_the_schema_is_asked_before_anything_is_written() -> void:
	var save := _save()
	check_error(save.save(SLOT, {"gold": -1, "name": "x"}), ERR_INVALID_DATA, "a save that no load takes")
	check(not FileAccess.file_exists(SLOT), "it was written all the same")
	check(save.get_error_message().begins_with(SLOT + ": gold: expected int >= 0, got int -1"),
		save.get_error_message())
	check_same(save.get_error().code, VariantCodec.OUT_OF_RANGE, "the kind")


func test_damage_falls_back_to_a_backup_and_says_so() -> void:
	var save := _save()
	save.backups = 2
	for gold in 3:
		check_error(save.save(SLOT, _state(gold)), OK, "save")
	_spoil(SLOT)
	check_error(save.load(SLOT), OK, "load")
	check_same(save.data, _state(1), "the backup")
	var report := save.get_report()
	check(report.used.ends_with("slot1.save.bak"), report.used)
	check_same(report.refused.size(), 1, "refused files")
	check_same(report.refused[0].code, VariantCodec.SAVE_DAMAGED, "why")
	# A game that goes on sets the damaged file aside, and its backups stay.
	check_error(save.save(SLOT, _state(9)), OK, "save over it")
	check(save.get_report().set_aside and FileAccess.file_exists(SLOT + ".damaged"), "it is not set aside")
	check_error(save.load(SLOT), OK, "load")
	check_same(save.data, _state(9), "the new one")
	save.fallback = VariantSave.FALLBACK_NEVER
	_spoil(SLOT)
	check_error(save.load(SLOT), ERR_FILE_CORRUPT, "without fallback")
	check(save.data == null, "data of a refused load")


func test_nothing_unread_is_overwritten_unasked() -> void:
	var save := _save()
	save.backups = 1
	check_error(save.save(SLOT, _state(1)), OK, "save")
	check_error(save.save(SLOT, _state(2)), OK, "save")
	_spoil(SLOT)
	_spoil(SLOT + ".bak")
	check_error(save.load(SLOT), ERR_FILE_CORRUPT, "load")
	check_same(save.get_error().code, VariantCodec.NO_INTACT_SAVE, "the kind")
	var before := FileAccess.get_file_as_bytes(SLOT)
	check_error(save.save(SLOT, _state(3)), ERR_LOCKED, "save over it")
	check_same(save.get_error().code, VariantCodec.SAVE_LOCKED, "the kind")
	check_same(FileAccess.get_file_as_bytes(SLOT), before, "the file")
	save.discard_damaged = true
	check_error(save.save(SLOT, _state(3)), OK, "when it is asked to")
	check_error(save.load(SLOT), OK, "load")


func _versioned() -> VariantSave:
	var save := _save()
	save.version = 3
	save.rename(1, {"inventory": "bag"})
	save.migrate(1, func(data: Dictionary) -> Dictionary:
		data["gold"] = data.get("coins", 0)
		data.erase("coins")
		return data)
	save.migrate(2, func(data: Dictionary) -> Dictionary:
		data["name"] = data.get("player", "?")
		data.erase("player")
		return data)
	return save


func test_older_versions_are_brought_to_todays() -> void:
	var old := VariantSave.new()
	DirAccess.make_dir_recursive_absolute(FOLDER)
	check_error(old.save(SLOT, {"coins": 5, "inventory": [7], "player": "Ada"}), OK, "a save of version 1")
	var first := FileAccess.get_file_as_bytes(SLOT)
	var save := _versioned()
	check_error(save.load(SLOT), OK, "load")
	check_same(save.data, {"bag": [7], "gold": 5, "name": "Ada"}, "data")
	check_same(save.get_report().migrated_from, 1, "the version that it was")
	check_same(FileAccess.get_file_as_bytes(SLOT), first, "a load wrote")
	check_error(save.save(SLOT, save.data), OK, "save")
	check_same(FileAccess.get_file_as_bytes(SLOT + ".v1"), first, "the last save of the older version")
	# A newer version is never guessed at, and not overwritten either.
	check_error(old.load(SLOT), ERR_FILE_UNRECOGNIZED, "a newer version")
	check(old.get_error_message().contains("its data has version 3, this game reads up to 1"), old.get_error_message())


func test_steps_that_fail_are_named() -> void:
	DirAccess.make_dir_recursive_absolute(FOLDER)
	var old := VariantSave.new()
	check_error(old.save(SLOT, {"coins": 5}), OK, "a save of version 1")
	var save := _save()
	save.version = 2
	check_error(save.load(SLOT), ERR_INVALID_DATA, "without a step")
	check_same(save.get_error().code, VariantCodec.MIGRATION_MISSING, "the kind")
	save.migrate(1, func(_data: Dictionary) -> Variant: return null)
	check_error(save.load(SLOT), ERR_INVALID_DATA, "a step that returns nothing")
	check_same(save.get_error().code, VariantCodec.MIGRATION_FAILED, "the kind")
	save.migrate(1, func(data: Dictionary) -> Dictionary: return data)
	check_error(save.load(SLOT), ERR_INVALID_DATA, "a step that gives what the schema refuses")
	check_same(save.get_error().code, VariantCodec.MIGRATION_FAILED, "the kind")
	check(save.get_error_message().contains("the migrated data is refused"), save.get_error_message())
	save.migrate(1, func(_data: Dictionary) -> Dictionary: return _state(1), "",
		{"schema": VariantSchema.dict({"silver": VariantSchema.int()})})
	check_error(save.load(SLOT), ERR_INVALID_DATA, "data that is not of the step's version")


func test_keys_and_passwords() -> void:
	var save := _save()
	save.password = "s3cret"
	check_same(save.password, "", "a password that can be read")
	check_error(save.save(SLOT, _state(1), {"level": 1}), OK, "save")
	check(not _holds(FileAccess.get_file_as_bytes(SLOT), "Ada"), "the state can be read")
	check_same(VariantSave.peek(SLOT).metadata, {"level": 1}, "metadata without the password")
	var other := _save()
	check_error(other.load(SLOT), ERR_UNAUTHORIZED, "without a password")
	check_same(other.get_error().code, VariantCodec.WRONG_KEY, "the kind")
	other.password = "another"
	check_error(other.load(SLOT), ERR_UNAUTHORIZED, "another password")
	check(not other.get_error_message().contains("another\""), other.get_error_message())
	other.password = "s3cret"
	check_error(other.load(SLOT), OK, "the password")
	check_same(other.data, _state(1), "data")
	# A file without protection is one that somebody took it from.
	check_error(_save().save(FOLDER + "/plain.save", _state(2)), OK, "save")
	check_error(other.load(FOLDER + "/plain.save"), ERR_UNAUTHORIZED, "a file without protection")
	check_same(other.get_error().code, VariantCodec.NOT_AUTHENTIC, "the kind")
	other.accept_unprotected = true
	check_error(other.load(FOLDER + "/plain.save"), OK, "where that is allowed")
	var keyed := _save()
	keyed.key = PackedByteArray(range(32))
	keyed.encrypt = false
	check_error(keyed.save(SLOT + "k", _state(3)), OK, "save")
	check_error(keyed.load(SLOT + "k"), OK, "load")


func _holds(bytes: PackedByteArray, text: String) -> bool:
	return bytes.hex_encode().contains(text.to_utf8_buffer().hex_encode())


func test_lists_show_what_can_be_told_without_the_state() -> void:
	var save := _save()
	for slot in 3:
		var path := "%s/slot%d.save" % [FOLDER, slot]
		check_error(save.save(path, _state(slot), {"slot": slot}, PackedByteArray([slot])), OK, "save")
		check_error(save.save(path, _state(slot), {"slot": slot}, PackedByteArray([slot])), OK, "save again")
	var list := VariantSave.list(FOLDER)
	check_same(list.map(func(it: Dictionary) -> int: return it.metadata.slot), [0, 1, 2], "slots")
	check_same(list[1].thumbnail, PackedByteArray([1]), "thumbnail")
	check(list[2].is_readable and list[2].path == FOLDER + "/slot2.save", str(list[2]))
	check_same(VariantSave.list(FOLDER + "/nowhere").size(), 0, "a folder that is not there")
	var facts := VariantSave.peek(FOLDER + "/nothing.save")
	check(not facts.is_readable and not facts.error.is_empty(), str(facts))


func test_copies_are_compared_by_their_ancestors() -> void:
	var save := _save()
	check_error(save.save(SLOT, _state(1)), OK, "save")
	var cloud := FOLDER + "/cloud.save"
	DirAccess.copy_absolute(SLOT, cloud)
	check_same(VariantSave.compare(VariantSave.peek(SLOT), VariantSave.peek(cloud)), VariantSave.ORDER_SAME, "a copy")
	check_error(save.save(SLOT, _state(2)), OK, "save")
	check_same(VariantSave.compare(VariantSave.peek(cloud), VariantSave.peek(SLOT)), VariantSave.ORDER_OLDER, "older")
	check_same(VariantSave.compare(VariantSave.peek(SLOT), VariantSave.peek(cloud)), VariantSave.ORDER_NEWER, "newer")
	check_error(_save().save(cloud, _state(3)), OK, "the other machine goes on")
	check_same(VariantSave.compare(VariantSave.peek(SLOT), VariantSave.peek(cloud)), VariantSave.ORDER_DIVERGED, "both")
	check_same(VariantSave.compare({}, VariantSave.peek(cloud)), VariantSave.ORDER_UNRELATED, "nothing")


func test_bytes_and_files_are_the_same() -> void:
	var save := _save()
	var bytes := save.to_bytes(_state(4), {"a": 1})
	check(bytes.size() > 100, save.get_error_message())
	check_error(save.from_bytes(bytes), OK, "from bytes")
	check_same(save.data, _state(4), "data")
	for length: int in [0, 7, 8, 60, bytes.size() - 1]:
		check(save.from_bytes(bytes.slice(0, length)) != OK, "%d bytes are taken" % length)
	check_error(save.from_bytes("{\"gold\": 1}".to_utf8_buffer()), ERR_FILE_UNRECOGNIZED, "JSON")


func test_files_of_before_are_loaded() -> void:
	DirAccess.make_dir_recursive_absolute(FOLDER)
	var file := FileAccess.open(SLOT, FileAccess.WRITE)
	file.store_var({"coins": 5, "player": "Ada"})
	file.close()
	var save := _versioned()
	check_error(save.load(SLOT), ERR_FILE_UNRECOGNIZED, "when no version is set for them")
	check_error(save.save(SLOT, _state(1)), ERR_LOCKED, "and nothing overwrites them")
	save.unversioned = 1
	check_error(save.load(SLOT), OK, "load")
	check_same(save.data, {"gold": 5, "name": "Ada", "bag": []}, "data")
	check_error(save.save(SLOT, save.data), OK, "save")
	check(FileAccess.file_exists(SLOT + ".v1"), "the old file is gone")
	var stored := FileAccess.open(SLOT, FileAccess.WRITE)
	stored.store_buffer(var_to_bytes({"coins": 6, "player": "Bo"}))
	stored.close()
	check_error(save.load(SLOT), OK, "a file without a length")
	check_same(save.data.gold, 6, "data")


func test_a_save_is_compressed_as_it_says() -> void:
	var save := _save()
	save.schema = null
	var state := {"log": "the same line again\n".repeat(4000)}
	var sizes := PackedInt32Array()
	for compression: int in [VariantSave.COMPRESSION_NONE, VariantSave.COMPRESSION_ZSTD, VariantSave.COMPRESSION_DEFLATE]:
		save.compression = compression
		var bytes := save.to_bytes(state)
		sizes.append(bytes.size())
		check_error(save.from_bytes(bytes), OK, "compression %d" % compression)
		check_same(save.data, state, "data of compression %d" % compression)
	check(sizes[0] > 80_000, "as it is: %d bytes" % sizes[0])
	check(sizes[1] < 2000, "Zstandard: %d bytes" % sizes[1])
	check(sizes[2] < 2000 and sizes[2] != sizes[1], "Deflate: %d bytes" % sizes[2])


func test_files_that_the_engine_packed_are_loaded() -> void:
	DirAccess.make_dir_recursive_absolute(FOLDER)
	var key := "0123456789abcdef0123456789abcdef".to_utf8_buffer()
	var save := _versioned()
	save.unversioned = 1
	for mode: int in [FileAccess.COMPRESSION_FASTLZ, FileAccess.COMPRESSION_DEFLATE, FileAccess.COMPRESSION_ZSTD,
			FileAccess.COMPRESSION_GZIP]:
		_store(FileAccess.open_compressed(SLOT, FileAccess.WRITE, mode))
		check_error(save.load(SLOT), OK, "compression %d" % mode)
		check_same(save.data, {"gold": 5, "name": "Ada", "bag": []}, "data")
	save.accept_unprotected = true  # anybody can change what the engine encrypted
	_store(FileAccess.open_encrypted_with_pass(SLOT, FileAccess.WRITE, "s3cret"))
	check_error(save.load(SLOT), ERR_UNAUTHORIZED, "without its password")
	check_same(save.get_error().code, VariantCodec.WRONG_KEY, "the kind")
	save.password = "s3cre"
	check_error(save.load(SLOT), ERR_UNAUTHORIZED, "another password")
	check_same(save.get_error().code, VariantCodec.WRONG_KEY, "the kind")
	save.password = "s3cret"
	check_error(save.load(SLOT), OK, "its password")
	check_same(save.data, {"gold": 5, "name": "Ada", "bag": []}, "data")
	_store(FileAccess.open_encrypted(SLOT, FileAccess.WRITE, key))
	save.key = key
	check_error(save.load(SLOT), OK, "its key")
	# A file that anybody could have put there is none of a game with a key.
	save.accept_unprotected = false
	_store(FileAccess.open(SLOT, FileAccess.WRITE))
	check_error(save.load(SLOT), ERR_UNAUTHORIZED, "a plain file")
	check_same(save.get_error().code, VariantCodec.NOT_AUTHENTIC, "the kind")
	save.accept_unprotected = true
	check_error(save.load(SLOT), OK, "where that is allowed")


func _store(file: FileAccess) -> void:
	file.store_var({"coins": 5, "player": "Ada"})
	file.close()


## Godot 3 has other types and another form of encryption; the engine reads neither.
func test_files_of_godot_3_are_loaded() -> void:
	DirAccess.make_dir_recursive_absolute(FOLDER)
	var save := VariantSave.new()
	save.unversioned = 1
	var state := {"pos": Vector3(1, 2, 3), "name": "Ada", "tags": PackedStringArray(["a"])}
	var bytes := VariantStream.transcode(var_to_bytes(state), VariantStream.GODOT_4, VariantStream.GODOT_3)
	var framed := PackedByteArray()
	framed.resize(4)
	framed.encode_u32(0, bytes.size())
	framed.append_array(bytes)
	for form: PackedByteArray in [bytes, framed]:
		_write_bytes(form)
		check_error(save.load(SLOT), OK, "a file of Godot 3")
		check_same(save.data, state, "data")
	save.password = "s3cret"
	save.accept_unprotected = true
	_write_bytes(_encrypted_by_godot_3(framed, "s3cret"))
	check_error(save.load(SLOT), OK, "an encrypted file of Godot 3")
	check_same(save.data, state, "data")
	save.password = "other"
	check_error(save.load(SLOT), ERR_UNAUTHORIZED, "another password")


func _write_bytes(bytes: PackedByteArray) -> void:
	var file := FileAccess.open(SLOT, FileAccess.WRITE)
	file.store_buffer(bytes)
	file.close()


func _encrypted_by_godot_3(plain: PackedByteArray, password: String) -> PackedByteArray:
	var head := PackedByteArray()
	head.resize(32)
	head.encode_u32(0, 0x43454447)
	head.encode_u32(4, 1)
	var hashing := HashingContext.new()
	hashing.start(HashingContext.HASH_MD5)
	hashing.update(plain)
	var sum := hashing.finish()
	for at in 16:
		head[8 + at] = sum[at]
	head.encode_u64(24, plain.size())
	var data := plain.duplicate()
	data.resize((plain.size() + 15) / 16 * 16)
	var aes := AESContext.new()
	aes.start(AESContext.MODE_ECB_ENCRYPT, password.md5_text().to_utf8_buffer())
	head.append_array(aes.update(data))
	aes.finish()
	return head


func test_a_damaged_save_is_recovered_in_part() -> void:
	DirAccess.make_dir_recursive_absolute(FOLDER)
	var save := VariantSave.new()
	save.compression = VariantSave.COMPRESSION_NONE
	save.backups = 0
	var state := {}
	for i in 20_000:
		state["entity %d" % i] = {"hp": i}
	check_error(save.save(SLOT, state), OK, "save")
	_spoil(SLOT)
	check_error(save.load(SLOT), ERR_FILE_CORRUPT, "load")
	check_error(save.recover(SLOT), OK, "recover")
	var report := save.get_report()
	check(report.lost_entries > 0 and report.lost_entries < 2000, "%d entries are lost" % report.lost_entries)
	check_same(save.data.size() + report.lost_entries, 20_000, "all entries")
	for key: String in save.data:
		if save.data[key] != state[key]:
			fail("another value at " + key)
			break


func test_a_ring_of_automatic_saves() -> void:
	DirAccess.make_dir_recursive_absolute(FOLDER)
	var save := _save()
	for gold in 7:
		check_error(save.save_auto(FOLDER, 3, _state(gold)), OK, "save")
	var golds := []
	for facts in VariantSave.list(FOLDER):
		check_error(save.load(facts.path), OK, "load")
		golds.append(save.data.gold)
	golds.sort()
	check_same(golds, [4, 5, 6], "the last three")


func test_jobs_save_and_load() -> void:
	var save := _save()
	var saving := save.save_async(SLOT, _state(11), {"level": 2})
	check_error(saving.wait(), OK, "save_async")
	var loading := save.load_async(SLOT)
	check_error(loading.wait(), OK, "load_async")
	check_same(loading.data, _state(11), "the job's data")
	check_same(save.data, _state(11), "and the save's")
	check_same(save.metadata, {"level": 2}, "metadata")
	check_error(save.load_async(FOLDER + "/nothing.save").wait(), ERR_FILE_NOT_FOUND, "a save that is not there")
	check_error(save.save_async(SLOT, {"gold": "no"}).wait(), ERR_INVALID_DATA, "a state that no load takes")
	check_error(save.load(SLOT), OK, "the save before it")


func test_removing_takes_the_backups_along() -> void:
	var save := _save()
	for gold in 3:
		check_error(save.save(SLOT, _state(gold)), OK, "save")
	check_error(save.remove(SLOT), OK, "remove")
	check_same(DirAccess.get_files_at(FOLDER), PackedStringArray(), "files")
	check_error(save.load(SLOT), ERR_FILE_NOT_FOUND, "load")
	check_error(save.remove(SLOT), ERR_FILE_NOT_FOUND, "remove again")


func test_jobs_tell_how_far_they_are_and_can_be_cancelled() -> void:
	var save := VariantSave.new()
	DirAccess.make_dir_recursive_absolute(FOLDER)
	var state := {}
	for at in 60_000:
		state["entity %d" % at] = {"hp": at, "name": "someone %d" % at}
	check_error(save.save_async(SLOT, state).wait(), OK, "save_async")
	var seen := {}
	var loading := save.load_async(SLOT)
	while not loading.is_done():
		seen[loading.progress] = true
		OS.delay_usec(20)
	check_error(loading.wait(), OK, "load_async")
	check_same(loading.progress, 1.0, "the progress of a load that is over")
	check(seen.size() >= 2, "progress was %s" % [seen.keys()])
	var cancelled := 0
	for turn in 8:
		var job := save.load_async(SLOT)
		OS.delay_usec(turn * 300)
		job.cancel()
		if job.wait() == ERR_SKIP:
			cancelled += 1
			check_same(job.data, null, "data of a cancelled load")
			check_same(job.get_error().code, VariantCodec.CANCELLED, "the kind")
	check(cancelled >= 2, "%d of 8 loads were cancelled" % cancelled)
	check_same(save.data.size(), state.size(), "the data of the load before")
	# A save that is cancelled leaves the one before it.
	var before := FileAccess.get_md5(SLOT)
	var saving := save.save_async(SLOT, state)
	saving.cancel()
	if saving.wait() == ERR_SKIP:
		check_same(FileAccess.get_md5(SLOT), before, "the save before it")
	check_same(Array(DirAccess.get_files_at(FOLDER)).filter(
		func(name: String) -> bool: return name.contains(".tmp")), [], "temporary files")


## The state that the step made could not be encoded, and CANCELLED is told before that shows.
func test_a_load_that_its_last_step_cancels_encodes_nothing() -> void:
	var save := VariantSave.new()
	DirAccess.make_dir_recursive_absolute(FOLDER)
	check_error(save.save(SLOT, {"gold": 1}), OK, "save")
	var jobs := []
	save.version = 2
	save.migrate(1, func(_data: Dictionary) -> Dictionary:
		for turn in 1000:
			if not jobs.is_empty():
				jobs[0].cancel()
				break
			OS.delay_msec(1)
		return {"nothing holds this": RefCounted.new()})
	jobs.append(save.load_async(SLOT))
	check_error(jobs[0].wait(), ERR_SKIP, "load_async")
	check_same(jobs[0].get_error().code, VariantCodec.CANCELLED, "the kind")
	jobs.clear()
