extends "engine_suite.gd"
## Tests promises of VariantSave that need an engine: kills, full disks, the five kinds of refusal, and what nothing prints.

## The reason why run.gd skips this suite in a packed game.
const EDITOR_ONLY := "starts scripts of the checkout"
const ONCE := "is about files and processes that end"

const EngineProcess := preload("load/engine_process.gd")
const Keeper := preload("stream/save_keeper.gd")

const FOLDER := "user://save_promises"
const SLOT := FOLDER + "/slot1.save"
const DONE := FOLDER + "/done"


func clean_up() -> void:
	super()
	if not DirAccess.dir_exists_absolute(FOLDER):
		return
	for name in DirAccess.get_files_at(FOLDER):
		DirAccess.remove_absolute(FOLDER.path_join(name))
	DirAccess.remove_absolute(FOLDER)


func _store(path: String, bytes: PackedByteArray) -> void:
	var file := FileAccess.open(path, FileAccess.WRITE)
	file.store_buffer(bytes)
	file.close()


func _spoil(path: String) -> void:
	var bytes := FileAccess.get_file_as_bytes(path)
	bytes[bytes.size() / 2] ^= 1
	_store(path, bytes)


func _leftovers() -> Array:
	return Array(DirAccess.get_files_at(FOLDER)).filter(func(name: String) -> bool: return name.contains(".tmp"))


## Ten kills, with --long two hundred. Every third begins with a save of the version before, or with a damaged one.
func test_s1_s12_killed_at_any_moment() -> void:
	DirAccess.make_dir_recursive_absolute(FOLDER)
	var random := RandomNumberGenerator.new()
	random.seed = 33
	var old := VariantSave.new()
	var save := Keeper.keeper()
	for kill in 200 if long else 10:
		var first := PackedByteArray()
		if kill % 3 == 0:
			save.remove(SLOT)
			DirAccess.remove_absolute(SLOT + ".v1")
			check_error(old.save(SLOT, {"old": 0}), OK, "a save of version 1")
			first = FileAccess.get_file_as_bytes(SLOT)
		elif kill % 3 == 1 and FileAccess.file_exists(SLOT + ".bak"):
			_spoil(SLOT)
		var words := EngineProcess.command("res://tests/stream/save_keeper.gd",
			PackedStringArray([ProjectSettings.globalize_path(SLOT), ProjectSettings.globalize_path(DONE)]))
		DirAccess.remove_absolute(DONE)
		var pid := OS.create_process(words[0], words.slice(1))
		var until := Time.get_ticks_msec() + 20000
		while Time.get_ticks_msec() < until and OS.is_process_running(pid) and _done() == 0:
			OS.delay_msec(1)
		OS.delay_usec(random.randi_range(0, 40000))
		OS.kill(pid)  # and waits for its end
		var what := "kill %d" % kill
		var done := _done()
		if not check_error(save.load(SLOT), OK, what + ": " + save.get_error_message()):
			continue
		check(save.data.turn >= done, "%s: turn %d is older than %d" % [what, save.data.turn, done])
		check_same(save.data, Keeper.state(save.data.turn), what)
		check(save.get_report().refused.is_empty(), what + ": a file is damaged")
		if not first.is_empty() and done > 0:
			check_same(FileAccess.get_file_as_bytes(SLOT + ".v1"), first, what + ": the save of version 1")
	check_error(save.save(SLOT, Keeper.state(1)), OK, "a save after all that")
	check_same(_leftovers(), [], "what the kills left behind")


func _done() -> int:
	var file := FileAccess.open(DONE, FileAccess.READ)
	return 0 if file == null else file.get_length()


func test_s2_a_full_disk() -> void:
	if OS.get_name() == "Windows":
		skip("there is no such limit on Windows")
		return
	DirAccess.make_dir_recursive_absolute(FOLDER)
	var save := VariantSave.new()
	for turn in 3:
		check_error(save.save(SLOT, turn), OK, "save")
	var before := _all_files()
	var words := EngineProcess.command("res://tests/stream/save_full_disk.gd", [ProjectSettings.globalize_path(SLOT)])
	var script := ProjectSettings.globalize_path("res://tests/stream/limited.sh")
	var output := []
	var code := OS.execute("sh", PackedStringArray([script]) + words, output, true)
	check(code == 0 and str(output[0]).strip_edges().ends_with("PASS"), "it ended with %d: %s" % [code, output])
	check_same(_all_files(), before, "the files")


func _all_files() -> Dictionary:
	var files := {}
	for name in DirAccess.get_files_at(FOLDER):
		files[name] = FileAccess.get_md5(FOLDER.path_join(name))
	return files


## A refusal of each kind, by what brings it about.
func _refused() -> Dictionary:
	DirAccess.make_dir_recursive_absolute(FOLDER)
	var save := VariantSave.new()
	var whole := save.to_bytes({"gold": 1})
	var damaged := whole.duplicate()
	damaged[damaged.size() / 2] ^= 1
	var newer := VariantSave.new()
	newer.version = 9
	var sealed := VariantSave.new()
	sealed.password = "s3cret"
	var old := VariantSave.new()
	old.version = 0
	return {
		VariantCodec.SAVE_DAMAGED: damaged,
		VariantCodec.SAVE_CUT_SHORT: whole.slice(0, whole.size() - 1),
		VariantCodec.NOT_A_SAVE: "no save at all".to_utf8_buffer(),
		VariantCodec.SAVE_NEWER: newer.to_bytes({"gold": 1}),
		VariantCodec.WRONG_KEY: sealed.to_bytes({"gold": 1}),
		VariantCodec.MIGRATION_MISSING: old.to_bytes({"gold": 1}),
		VariantCodec.OUT_OF_RANGE: save.to_bytes({"gold": -1}),
	}


func _reader() -> VariantSave:
	var save := VariantSave.new()
	save.schema = VariantSchema.dict({"gold": VariantSchema.int(0)})
	save.backups = 2
	return save


func test_s5_refusals_are_told_apart() -> void:
	var refused := _refused()
	for kind: int in refused:
		var save := _reader()
		check(save.from_bytes(refused[kind]) != OK, "%d is loaded" % kind)
		check_same(save.get_error().code, kind, save.get_error_message())
		check(save.data == null, "data of a refused save")


## Each kind of refusal, with a good backup, a bad one, and none.
func test_s6_only_damage_falls_back() -> void:
	var refused := _refused()
	var damage := [VariantCodec.SAVE_DAMAGED, VariantCodec.SAVE_CUT_SHORT, VariantCodec.NOT_A_SAVE]
	var good := VariantSave.new().to_bytes({"gold": 5})
	for kind: int in refused:
		for backup: PackedByteArray in [good, refused[VariantCodec.SAVE_DAMAGED], PackedByteArray()]:
			for fallback: int in [VariantSave.FALLBACK_NEVER, VariantSave.FALLBACK_DAMAGED, VariantSave.FALLBACK_REFUSED]:
				clean_up()
				DirAccess.make_dir_recursive_absolute(FOLDER)
				_store(SLOT, refused[kind])
				if not backup.is_empty():
					_store(SLOT + ".bak", backup)
				var save := _reader()
				save.fallback = fallback
				var goes_on := fallback == VariantSave.FALLBACK_REFUSED \
					or fallback == VariantSave.FALLBACK_DAMAGED and kind in damage
				var loads := goes_on and backup == good
				var what := "kind %d, fallback %d, backup of %d bytes" % [kind, fallback, backup.size()]
				check_same(save.load(SLOT) == OK, loads, what)
				if loads:
					check_same(save.data, {"gold": 5}, what)
					check(save.get_report().used.ends_with(".bak"), what)
					check_same(save.get_report().refused[0].code, kind, what)


## Each byte of the front, in a game that also loads files of before VariantSave: the signature is damaged like any other byte.
func test_s6_s7_a_damaged_signature_is_damage() -> void:
	DirAccess.make_dir_recursive_absolute(FOLDER)
	var save := _reader()
	save.unversioned = 1
	for gold in 2:
		check_error(save.save(SLOT, {"gold": gold}), OK, "save")
	var whole := FileAccess.get_file_as_bytes(SLOT)
	for byte in 40:
		var damaged := whole.duplicate()
		damaged[byte] ^= 0xFF
		_store(SLOT, damaged)
		var error := save.load(SLOT)
		if save.get_error().get("code", 0) == VariantCodec.SAVE_NEWER:
			continue
		if check_error(error, OK, "byte %d: %s" % [byte, save.get_error_message()]):
			check_same(save.data, {"gold": 0}, "byte %d" % byte)
	_store(SLOT, whole.slice(1))
	check_error(save.save(SLOT, {"gold": 2}), OK, save.get_error_message())
	check(save.get_report().set_aside, "a damaged file became a backup")
	DirAccess.remove_absolute(SLOT + ".bak")
	_store(SLOT, whole.slice(1))
	check_error(save.save(SLOT, {"gold": 3}), ERR_LOCKED, "a damaged file is overwritten")


## A game that cannot load, starts anew and saves: what it could not read stays.
func test_s7_nothing_unread_is_overwritten() -> void:
	var refused := _refused()
	for kind: int in [VariantCodec.SAVE_DAMAGED, VariantCodec.SAVE_CUT_SHORT, VariantCodec.NOT_A_SAVE, VariantCodec.WRONG_KEY]:
		_store(SLOT, refused[kind])
		var save := _reader()
		check(save.load(SLOT) != OK, "%d is loaded" % kind)
		check_error(save.save(SLOT, {"gold": 0}), ERR_LOCKED, "%d is overwritten" % kind)
		check_same(FileAccess.get_file_as_bytes(SLOT), refused[kind], "the file of kind %d" % kind)


func test_s8_what_was_saved_loads() -> void:
	DirAccess.make_dir_recursive_absolute(FOLDER)
	var random := RandomNumberGenerator.new()
	random.seed = 8
	var save := VariantSave.new()
	var saved := 0
	for turn in 10_000 if long else 300:
		var value: Variant = _value(random, 5)
		if save.to_bytes(value).is_empty():
			check(not save.get_error_message().is_empty(), "a refusal without words")
			continue
		check_error(save.save(SLOT, value), OK, save.get_error_message())
		if not check_error(save.load(SLOT), OK, "turn %d: %s" % [turn, save.get_error_message()]):
			return
		check(var_to_bytes(save.data) == var_to_bytes(value), "turn %d: another value" % turn)
		saved += 1
	check(saved > 200, "%d values were saved" % saved)


func _value(random: RandomNumberGenerator, depth: int) -> Variant:
	match random.randi_range(0, 9 if depth > 0 else 6):
		0: return null
		1: return random.randi() - 5
		2: return random.randfn()
		3: return "text %d" % random.randi()
		4: return Vector3(random.randf(), 1, -1)
		5: return PackedInt32Array(range(random.randi_range(0, 40)))
		6: return [RID(), RefCounted.new(), StringName("n"), ^"a/b:c"][random.randi_range(0, 3)]
		7, 8:
			var made := {}
			for at in random.randi_range(0, 6):
				made[["a", at, &"b", Vector2i(at, 2)][random.randi_range(0, 3)]] = _value(random, depth - 1)
			return made
	return range(random.randi_range(0, 6)).map(func(_at: int) -> Variant: return _value(random, depth - 1))


## The engine's own decompressor sees their slices, since all checksums are right.
func test_s9_forged_slices_are_refused() -> void:
	var folder := ProjectSettings.globalize_path("res://").path_join("../tests/attacks/saves")
	var save := VariantSave.new()
	save.version = 3
	save.backups = 0  # nothing else is looked at
	var names := DirAccess.get_files_at(folder)
	for name in names:
		if name.ends_with(".save"):
			check_error(save.load(folder.path_join(name)), ERR_FILE_CORRUPT, name)
			check_same(save.get_error().code, VariantCodec.SAVE_DAMAGED, name)
	check(names.size() >= 8, "only %s" % names)


## Recorded files of format 1, which the library wrote without an engine.
func test_s13_recorded_files_load() -> void:
	var folder := ProjectSettings.globalize_path("res://").path_join("../tests/golden/saves")
	var save := VariantSave.new()
	save.version = 3
	for name: String in ["plain", "zstd", "deflate", "slices", "slices_zstd", "metadata", "generations"]:
		check_error(save.load(folder.path_join(name + ".save")), OK, name + ": " + save.get_error_message())
		check_same(save.data.size(), 40 if name.begins_with("slices") else 12, name)
		check_same(save.data["entity 11"], "the quick brown fox jumps over the lazy dog ".repeat(3) + "11", name)


func test_s16_no_secret_is_told() -> void:
	DirAccess.make_dir_recursive_absolute(FOLDER)
	var save := VariantSave.new()
	save.password = "swordfish"
	check_error(save.save(SLOT, {"gold": 1}), OK, "save")
	var other := VariantSave.new()
	other.password = "sardine"
	check_error(other.load(SLOT), ERR_UNAUTHORIZED, "another password")
	var told := "%s %s %s %s" % [other.get_error(), other.get_error_message(), other.get_report(), var_to_str(other)]
	for property in other.get_property_list():
		told += str(other.get(property.name))
	check(not told.contains("sardine") and not told.contains("swordfish"), told)
	var bytes := FileAccess.get_file_as_bytes(SLOT)
	check(bytes.hex_encode().find("swordfish".to_utf8_buffer().hex_encode()) < 0, "the password is in the file")
