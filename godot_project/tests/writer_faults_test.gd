extends "suite.gd"
## Tests saves that go wrong: killed at any moment, on a full disk, in a folder or under a name that takes
## none. The old save is there each time. The savers are processes of their own (stream/).

## The reason why run.gd skips this suite in a packed game.
const EDITOR_ONLY := "starts scripts of the checkout"
const ONCE := "is about files and processes that end"

const EngineProcess := preload("load/engine_process.gd")
const Saver := preload("stream/saver.gd")

const FOLDER := "user://writer_faults"
const PATH := FOLDER + "/save.bin"


func clean_up() -> void:
	if not DirAccess.dir_exists_absolute(FOLDER):
		return
	for name in DirAccess.get_files_at(FOLDER):
		DirAccess.remove_absolute(FOLDER.path_join(name))
	DirAccess.remove_absolute(FOLDER.path_join("folder/inside"))
	DirAccess.remove_absolute(FOLDER.path_join("folder"))
	DirAccess.remove_absolute(FOLDER)


## Tests ten kills, with --long two hundred: the old save or the new one is there and whole.
func test_killed_at_any_moment() -> void:
	DirAccess.make_dir_absolute(FOLDER)
	var random := RandomNumberGenerator.new()
	random.seed = 20240
	var kills := 200 if long else 10
	var whole := 0
	for kill in kills:
		var options := PackedStringArray([ProjectSettings.globalize_path(PATH)])
		if kill % 3 == 2:
			options.append("async")
		var words := EngineProcess.command("res://tests/stream/saver.gd", options)
		var pid := OS.create_process(words[0], words.slice(1))
		if not check(pid > 0, "no process"):
			return
		_wait_for_a_save(pid)
		OS.delay_usec(random.randi_range(0, 40000))
		OS.kill(pid)  # and waits for its end
		whole += int(_turn(PATH, "kill %d" % kill) > 0)
	check_same(whole, kills, "saves that are whole")
	var job: VariantJob = VariantStream.save_file_async(PATH, "after all")
	check_error(job.wait(), OK, "a save after all that")
	check_same(_leftovers(), [], "what the kills left behind")


## Tests quitting, which is no crash: pending saves are completed.
func test_quitting_at_once() -> void:
	DirAccess.make_dir_absolute(FOLDER)
	var options := PackedStringArray([ProjectSettings.globalize_path(PATH), "quit"])
	var words := EngineProcess.command("res://tests/stream/saver.gd", options)
	var output := []
	check_same(OS.execute(words[0], words.slice(1), output, true), 0, "how it ended")
	check(not str(output[0]).contains("ERROR"), str(output[0]))
	check_same(_turn(PATH, "after quitting"), Saver.LAST, "the save that stays")
	check_same(_leftovers(), [], "temporary files")


## Tests quitting during a load with a check: it ends without a crash, and does not wait for all the checks.
func test_quitting_while_a_load_asks_a_check() -> void:
	DirAccess.make_dir_absolute(FOLDER)
	var job := VariantStream.save_file_async(PATH, range(10000))
	check_error(job.wait(), OK, "what is loaded")
	var turns := 20 if long else 10
	for turn in turns:
		var way: String = ["lambda", "lambda_of_object", "method", "method_of_object"][turn % 4]
		var options := PackedStringArray([ProjectSettings.globalize_path(PATH), way, str(turn * 60 / turns)])
		if turn % 5 == 4:
			options.append("from other places")
		var words := EngineProcess.command("res://tests/stream/quits_in_a_check.gd", options)
		var output := []
		var begun := Time.get_ticks_msec()
		check_same(OS.execute(words[0], words.slice(1), output, true), 0, "how turn %d ended, %s" % [turn, way])
		check(not str(output[0]).contains("ERROR"), "turn %d, %s: %s" % [turn, way, output[0]])
		check(Time.get_ticks_msec() - begun < 30000, "turn %d, %s took as long as 10000 checks do" % [turn, way])


func test_a_full_disk() -> void:
	if OS.get_name() == "Windows":
		skip("there is no such limit on Windows")
		return
	DirAccess.make_dir_absolute(FOLDER)
	_store_old()
	var words := EngineProcess.command("res://tests/stream/full_disk.gd", [ProjectSettings.globalize_path(PATH)])
	var script := ProjectSettings.globalize_path("res://tests/stream/limited.sh")
	var output := []
	var code := OS.execute("sh", PackedStringArray([script]) + words, output, true)
	check(code == 0 and str(output[0]).strip_edges().ends_with("PASS"), "it ended with %d: %s" % [code, output])
	_check_old()


func test_a_disk_that_breaks() -> void:
	if OS.get_name() != "Linux" or EngineProcess.is_emulated():
		skip("calls are made to fail on Linux only, and by a compiler of the engine's processor")
		return
	DirAccess.make_dir_absolute(FOLDER)
	var library := ProjectSettings.globalize_path(FOLDER.path_join("broken_disk.so"))
	var source := ProjectSettings.globalize_path("res://tests/stream/broken_disk.c")
	var output := []
	var options_of_cc := PackedStringArray(["-shared", "-fPIC", "-o", library, source, "-ldl"])
	if Engine.get_architecture_name() == "x86_32":
		options_of_cc.append("-m32")
	var built := OS.execute("cc", options_of_cc, output, true)
	if not check(built == 0, "cc: %s" % [output]):
		return
	for fault: String in ["write", "sync", "rename", "short"]:
		_store_old()
		var options := PackedStringArray([ProjectSettings.globalize_path(PATH)])
		if fault == "short":
			options.append("good")
		var words := EngineProcess.command("res://tests/stream/broken_disk.gd", options)
		output.clear()
		var script := ProjectSettings.globalize_path("res://tests/stream/preloaded.sh")
		var code := OS.execute("sh", PackedStringArray([script, library, fault]) + words, output, true)
		check(code == 0 and str(output[0]).strip_edges().ends_with("PASS"), "%s: %d: %s" % [fault, code, output])
		if fault != "short":
			_check_old()


func test_a_name_that_is_taken() -> void:
	DirAccess.make_dir_absolute(FOLDER)
	var taken := FOLDER.path_join("folder")
	var writer := VariantWriter.new()
	check_error(writer.open_file(taken), OK, "open_file of a name that is free")
	DirAccess.make_dir_absolute(taken)
	DirAccess.make_dir_absolute(taken.path_join("inside"))
	writer.write(1)
	check_error(writer.close(), _taken(), "close: the rename fails")
	check(writer.get_error_message().contains("writing the file"), writer.get_error_message())
	check_error(writer.open_file(taken), ERR_FILE_CANT_WRITE, "open_file of a folder's name")
	check(writer.get_error_message().contains("writing the file"), writer.get_error_message())
	check_error(writer.write(1), ERR_UNCONFIGURED, "write to it")
	var job: VariantJob = VariantStream.save_file_async(taken, 1)
	check_error(job.wait(), ERR_FILE_CANT_WRITE, "save_file_async")
	check(DirAccess.dir_exists_absolute(taken.path_join("inside")), "the folder is gone")
	check_same(_leftovers(), [], "temporary files")


## Tests paths that are no files: they stay what they are. A device takes the bytes itself; a pipe could wait
## for ever, or end the game.
func test_devices_are_written_to_and_pipes_refused() -> void:
	if OS.get_name() in ["Windows", "Android", "iOS"]:
		skip("there are no such names here")
		return
	DirAccess.make_dir_absolute(FOLDER)
	var pipe := ProjectSettings.globalize_path(FOLDER.path_join("pipe"))
	if not check(OS.execute("mkfifo", [pipe]) == 0, "mkfifo"):
		return
	var writer := VariantWriter.new()
	writer.keep_backup = true
	check_error(writer.open_file(pipe), ERR_FILE_CANT_WRITE, "open_file of a pipe")
	check_error(VariantStream.save_file_async(pipe, 1).wait(), ERR_FILE_CANT_WRITE, "save_file_async into a pipe")
	check_same(OS.execute("test", ["-p", pipe]), 0, "it is still a pipe")
	# Only root can make a device; it is a copy of the null device, so that nothing can happen to the real
	# one.
	var device := ProjectSettings.globalize_path(FOLDER.path_join("null"))
	if OS.execute("mknod", [device, "c", "1", "3"]) == 0:
		check_error(writer.open_file(device), OK, "open_file of a device")
		check_error(writer.write("nothing is left of it"), OK, "write")
		check_error(writer.close(), OK, "close")
		check_error(VariantStream.save_file_async(device, 1, true).wait(), OK, "save_file_async into a device")
		check_same(OS.execute("test", ["-c", device]), 0, "it is still a device")
		check_same(DirAccess.get_files_at(FOLDER).has("null.bak"), false, "a backup of a device")
	check_same(_leftovers(), [], "temporary files")


func test_a_backup_that_cannot_be_made() -> void:
	DirAccess.make_dir_absolute(FOLDER)
	_store_old()
	DirAccess.make_dir_absolute(PATH + ".bak")
	var writer := VariantWriter.new()
	writer.keep_backup = true
	writer.open_file(PATH)
	writer.write("new")
	check_error(writer.close(), _taken(), "close")
	DirAccess.remove_absolute(PATH + ".bak")
	_check_old()


func test_a_read_only_folder() -> void:
	if OS.get_name() == "Windows":
		skip("folders have no such mode on Windows")
		return
	DirAccess.make_dir_absolute(FOLDER)
	_store_old()
	var path := ProjectSettings.globalize_path(PATH)
	var words := EngineProcess.command("res://tests/stream/read_only_folder.gd", [path])
	var script := ProjectSettings.globalize_path("res://tests/stream/read_only_folder.sh")
	var output := []
	var code := OS.execute("sh", PackedStringArray([script, path.get_base_dir()]) + words, output, true)
	if code == 77:
		skip("this user may write into every folder")
	else:
		check(code == 0 and str(output[0]).strip_edges().ends_with("PASS"), "it ended with %d: %s" % [code, output])
	_check_old()


## Tests the error where no file can be made, and so no old save exists.
func test_a_folder_that_takes_no_files() -> void:
	if OS.get_name() != "Linux":
		skip("there is no such folder here")
		return
	var writer := VariantWriter.new()
	check(writer.open_file("/proc/save.bin") in [ERR_FILE_BAD_PATH, ERR_FILE_NO_PERMISSION], "open_file")
	check_error(writer.write(1), ERR_UNCONFIGURED, "write")
	var job: VariantJob = VariantStream.save_file_async("/proc/save.bin", 1)
	check(job.wait() in [ERR_FILE_BAD_PATH, ERR_FILE_NO_PERMISSION], "save_file_async")


## Waits until the process has saved at least once, or has ended.
func _wait_for_a_save(pid: int) -> void:
	var old := FileAccess.get_md5(PATH) if FileAccess.file_exists(PATH) else ""
	var until := Time.get_ticks_msec() + 20000
	while Time.get_ticks_msec() < until and OS.is_process_running(pid):
		if FileAccess.file_exists(PATH) and FileAccess.get_md5(PATH) != old:
			return
		OS.delay_msec(2)
	fail("nothing was saved")


## Returns the system's error for a file that is to take a folder's name.
static func _taken() -> Error:
	return ERR_FILE_NO_PERMISSION if OS.get_name() == "Windows" else ERR_FILE_CANT_WRITE


## Returns the number of a save, or -1 when it is not whole.
func _turn(path: String, what: String) -> int:
	for value: Variant in VariantStream.read_file(path):
		if check(value is Dictionary and value.keys() == ["turn", "data", "again"], what + ": another value"):
			check_same(value, Saver.value(value.turn), what)
			return value.turn
	fail("%s: %s" % [what, VariantStream.get_last_error()])
	return -1


func _store_old() -> void:
	var job: VariantJob = VariantStream.save_file_async(PATH, "old")
	check_error(job.wait(), OK, "the old save")


func _check_old() -> void:
	var job: VariantJob = VariantStream.load_file_async(PATH)
	check_error(job.wait(), OK, "loading the old save")
	check_same(job.data, "old", "the old save")
	check_same(_leftovers(), [], "temporary files")


static func _leftovers() -> Array:
	return Array(DirAccess.get_files_at(FOLDER)).filter(
			func(name: String) -> bool: return name.contains(".tmp"))
