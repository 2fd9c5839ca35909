extends "engine_suite.gd"
## Tests files that VariantStream loads and saves in the background: their order, their forms, and refusals.
## stream/waits.gd tests how a game waits for a job, writer_faults_test.gd what killing or quitting does to
## one.

## The reason why this runs once: see run.gd.
const ONCE := "is about files and threads"
const LibraryGate := preload("res://addons/variant_stream/ci/library_gate.gd")

const PATH := "user://jobs_test.bin"


func clean_up() -> void:
	super()
	for path: String in [PATH, PATH + ".bak"]:
		if FileAccess.file_exists(path):
			DirAccess.remove_absolute(path)


## Tests that small saves, which are quicker than large ones, are not written before them.
func test_saves_of_one_file_come_in_the_order_of_the_calls() -> void:
	for turn in 20:
		var jobs: Array[VariantJob] = []
		for i in 8:
			# The path is spelled in another way each time.
			var path: String = [PATH, ProjectSettings.globalize_path(PATH), PATH.replace("://", "://./")][i % 3]
			jobs.append(VariantStream.save_file_async(path, _save(turn, i)))
		var load: VariantJob = VariantStream.load_file_async(PATH)
		check_error(load.wait(), OK, "a load behind them")
		check_same(_name(load.data), [turn, 7], "what the load gives")
		for job in jobs:
			check_error(job.wait(), OK, "save")
		check_same(_name(_stored()), [turn, 7], "what stays")


func test_a_load_gives_what_was_saved_before_it() -> void:
	var seen := PackedInt32Array()
	var loads: Array[VariantJob] = []
	for i in 10:
		VariantStream.save_file_async(PATH, _save(0, i))
		loads.append(VariantStream.load_file_async(PATH))
	for load in loads:
		check_error(load.wait(), OK, "load")
		seen.append(_name(load.data)[1])
	check_same(seen, PackedInt32Array(range(10)), "what the loads give")


func test_a_writer_that_closes_comes_behind_earlier_jobs() -> void:
	for turn in 20:
		VariantStream.save_file_async(PATH, _save(turn, 0))
		var writer := VariantWriter.new()
		writer.open_file(PATH, VariantReader.FRAMING_U32)
		writer.write("the writer's")
		check_error(writer.close(), OK, "close")
		check_same(_name(_stored()), ["the writer's"], "what stays, turn %d" % turn)


func test_a_cancelled_save_leaves_the_one_before() -> void:
	VariantStream.save_file_async(PATH, "first")
	var cancelled: VariantJob = VariantStream.save_file_async(PATH, _save(0, 0))
	cancelled.cancel()
	var outcome := cancelled.wait()
	check(outcome in [OK, ERR_SKIP], "it ended with %d" % outcome)
	check_same(_name(_stored()), ["first"] if outcome == ERR_SKIP else [0, 0], "what stays")


func test_a_backup_on_demand() -> void:
	for turn in 3:
		_check_saved("turn %d" % turn, true)
	check_same(_load(PATH), "turn 2", "the file")
	check_same(_load(PATH + ".bak"), "turn 1", "the one before")
	_check_saved("turn 3", false)
	check_same(_load(PATH + ".bak"), "turn 1", "without asking for one")


## Tests values with a length before them and without, of every size near the number of a type, where either
## could be meant.
func test_a_value_is_loaded_with_its_length_or_without() -> void:
	var values: Array = [null, true, 5, 1 << 40, 0.1, "", "text", {}, {"hp": 80}, Vector2(1, 2), &"name", ^"a/b:c"]
	for count in 40:
		values.append(range(count))
		values.append("x".repeat(count))
		values.append(PackedByteArray(range(count)))
		values.append(PackedInt32Array(range(count)))
	for value: Variant in values:
		var bytes := var_to_bytes(value)
		_store(bytes)
		# The empty text alone is a framed null as well.
		check_same(_load(PATH), null if value is String and value.is_empty() else value, "bare %s" % [value])
		var writer := VariantWriter.new()
		writer.open_file(PATH, VariantReader.FRAMING_U32)
		writer.write(value)
		check_error(writer.close(), OK, "close")
		check_same(_load(PATH), value, "framed %s" % [value])


func test_a_file_of_another_kind_is_told_by_its_looks() -> void:
	_store('{"hp": 80}\n'.to_utf8_buffer())
	_check_foreign(ERR_FILE_UNRECOGNIZED, "JSON")
	_store(PackedByteArray([0x89, 0x50, 0x4E, 0x47, 13, 10, 26, 10, 0, 0, 0, 13]))
	_check_foreign(ERR_FILE_UNRECOGNIZED, "this is no file of values: its length says 1196314761 bytes, 8 bytes are there")
	for is_compressed: bool in [true, false]:
		var file := FileAccess.open_compressed(PATH, FileAccess.WRITE) if is_compressed else (
				FileAccess.open_encrypted(PATH, FileAccess.WRITE, PackedByteArray(range(32))))
		file.store_var({"hp": 80})
		file.close()
		_check_foreign(ERR_FILE_UNRECOGNIZED, "open_compressed" if is_compressed else "open_encrypted")
	# A loop finds out how values stand.
	var swapped := FileAccess.open(PATH, FileAccess.WRITE)
	swapped.big_endian = true
	swapped.store_var({"hp": 80})
	swapped.close()
	_check_refused(ERR_FILE_UNRECOGNIZED, "FRAMING_U32_BE")
	var seen := []
	for value: Variant in VariantStream.read_file(PATH):
		seen.append(value)
	check_same(seen, [{"hp": 80}], "lengths in big endian")


## Tests text behind the first value of a file, where the length is beyond every limit.
func test_a_loop_over_a_file_that_turns_into_text() -> void:
	var file := FileAccess.open(PATH, FileAccess.WRITE)
	file.store_var({"hp": 80})
	file.store_string("and then text")
	file.close()
	var seen := []
	for value: Variant in VariantStream.read_file(PATH):
		seen.append(value)
	check_same(seen, [{"hp": 80}], "values before it")
	var error := VariantStream.get_last_error()
	check_same([error.code, error.fatal], [VariantCodec.INCOMPLETE, true], "kind")
	check(error.message.begins_with("this is no file of values: its length says 543452769 bytes, 9 bytes are there"),
		error.message)


func test_a_file_cut_off_or_too_long() -> void:
	var job: VariantJob = VariantStream.save_file_async(PATH, {"hp": 80, "list": range(100)})
	check_error(job.wait(), OK, "save")
	var whole := FileAccess.get_file_as_bytes(PATH)
	_store(whole.slice(0, 60))
	_check_refused(ERR_FILE_EOF, "the file is cut off")
	_store(whole + whole)
	_check_refused(ERR_INVALID_DATA, "the file goes on after its value")
	_store(var_to_bytes([5]) + var_to_bytes(5))
	_check_refused(ERR_INVALID_DATA, "the file goes on after its value")
	_store(PackedByteArray())
	_check_refused(ERR_FILE_EOF, "the file is empty")
	_store(PackedByteArray([4, 0]))
	_check_refused(ERR_FILE_EOF, "header is truncated")
	# Where only limits on the value are exceeded, the error is about them.
	_store(var_to_bytes({"player": self}))
	_check_refused(ERR_INVALID_DATA, "player: expected a type that the limits allow (allowed_types), got Object")


func test_what_no_load_lets_pass_is_not_saved() -> void:
	_check_saved("old", false)
	var node := Node.new()
	for value: Variant in [node, RID(), Signal(self, &"x"), Callable(self, &"clean_up")]:
		var job: VariantJob = VariantStream.save_file_async(PATH, {"player": value})
		check_error(job.wait(), ERR_INVALID_DATA, "a %s" % type_string(typeof(value)))
		check_same(job.get_error().path, "player", "where it stands")
	node.free()
	var deep: Variant = 1
	for level in 63:
		deep = [deep]
	_check_saved(deep, false)
	check_same(_load(PATH), deep, "64 levels")
	check_error((VariantStream.save_file_async(PATH, [deep]) as VariantJob).wait(), ERR_OUT_OF_MEMORY, "65 levels")
	check_same(_load(PATH), deep, "the save before")


func _check_saved(value: Variant, keep_backup: bool) -> void:
	var job: VariantJob = VariantStream.save_file_async(PATH, value, keep_backup)
	check_error(job.wait(), OK, "save %s" % [value])


## Checks that a load and a loop both refuse the file, with the same error.
func _check_foreign(error: Error, words: String) -> void:
	_check_refused(error, words)
	for value: Variant in VariantStream.read_file(PATH):
		fail("a loop over it gives %s" % [value])
	check_same(VariantStream.get_last_error().get("code"), VariantCodec.INCOMPLETE, "what a loop leaves")
	check(str(VariantStream.get_last_error().get("message")).contains(words), str(VariantStream.get_last_error()))


func _check_refused(error: Error, words: String) -> void:
	var job: VariantJob = VariantStream.load_file_async(PATH)
	check_error(job.wait(), error, "load: " + words)
	check(job.data == null and job.get_error_message().contains(words), job.get_error_message())


func _load(path: String) -> Variant:
	var job: VariantJob = VariantStream.load_file_async(path)
	check_error(job.wait(), OK, "load %s: %s" % [path, job.get_error_message()])
	return job.data


static func _store(bytes: PackedByteArray) -> void:
	var file := FileAccess.open(PATH, FileAccess.WRITE)
	file.store_buffer(bytes)


static func _save(turn: int, i: int) -> Dictionary:
	return {"turn": turn, "i": i, "padding": "x".repeat(160000 >> i)}


## Returns which save this is.
static func _name(save: Variant) -> Array:
	return [save.turn, save.i] if save is Dictionary else [save, -1] if save == null else [save]


func _stored() -> Variant:
	var file := FileAccess.open(PATH, FileAccess.READ)
	return file.get_var() if file else null


## Tests a StringName as a path, which Godot's own functions take as well.
func test_a_path_may_be_a_string_name() -> void:
	check_error(VariantStream.save_file_async(StringName(PATH), 7).wait(), OK, "saved")
	var load := VariantStream.load_file_async(StringName(PATH))
	check_error(load.wait(), OK, "loaded")
	var reader := VariantReader.new()
	reader.framing = VariantReader.FRAMING_U32
	check_error(reader.open_file(StringName(PATH)), OK, "a reader")
	check_error(reader.next(), OK, "read")
	check_same([load.data, reader.data], [7, 7], "the value")
	reader.clear()
	var writer := VariantWriter.new()
	check_error(writer.open_file(StringName(PATH)), OK, "a writer")
	check_error(writer.write(8), OK, "written")
	check_error(writer.close(), OK, "closed")
	check_bytes(FileAccess.get_file_as_bytes(PATH), var_to_bytes(8), "the file")


## Tests the declared return types: the editor completes them, and `:=` takes them.
func test_what_they_return_has_a_type() -> void:
	var save := VariantStream.save_file_async(PATH, 7)
	check_error(save.wait(), OK, "saved")
	var load := VariantStream.load_file_async(PATH)
	check_error(load.wait(), OK, "loaded")
	var reader := VariantStream.read_file(PATH)
	check_error(reader.next(), OK, "read")
	check_same([load.data, reader.data], [7, 7], "the value")
	var returns := {"save_file_async": &"VariantJob", "load_file_async": &"VariantJob", "read_file": &"VariantReader"}
	for method: Dictionary in ClassDB.class_get_method_list(&"VariantStream", true):
		if returns.has(method.name):
			check_same(method["return"]["class_name"], returns[method.name], str(method.name))
			returns.erase(method.name)
	check(returns.is_empty(), "not found: %s" % [returns.keys()])


## Tests a check that waits for its own load: the call is refused, and everything goes on. Without threads a
## job is over before its call returns, or was refused.
func test_a_check_does_not_wait_for_its_own_load() -> void:
	check_error(VariantStream.save_file_async(PATH, 7).wait(), OK, "saved")
	var has_threads := LibraryGate.has_threads()
	var begun := Semaphore.new()
	var load: Array[VariantJob] = []
	var behind: Array[VariantJob] = []
	var codes := {}
	var schema := VariantSchema.int().check_with(func(_value: int) -> bool:
		if has_threads:
			begun.wait()
			codes["own"] = load[0].wait()
		behind.append(VariantStream.save_file_async(PATH, 8))
		codes["behind"] = behind[0].wait()
		var writer := VariantWriter.new()
		writer.open_file(PATH)
		writer.write(9)
		codes["writer"] = writer.close()
		codes["elsewhere"] = VariantStream.save_file_async(PATH + ".bak", 10).wait()
		return true)
	if has_threads:
		expect_error("VariantJob.wait: this would wait for ever")
	load.append(VariantStream.load_file_async(PATH, schema))
	begun.post()
	check_error(load[0].wait(), OK, load[0].get_error_message())
	check_same(load[0].data, 7, "what it loads")
	var refused := {"behind": ERR_BUSY, "writer": ERR_BUSY, "elsewhere": OK}
	check_same(codes, {"own": ERR_BUSY}.merged(refused) if has_threads else refused, "what the check was told")
	check_error(behind[0].wait(), OK if has_threads else ERR_BUSY, "the save behind it, after it")
	check_same(_stored(), 8 if has_threads else 7, "what stays")


## A bug that makes a save no load would take does not push out the good one, nor its backup.
func test_nothing_is_saved_that_no_load_takes() -> void:
	var schema := VariantSchema.dict({"hp": VariantSchema.int(0, 100), "name": VariantSchema.string().optional("Ada")})
	for hp in [70, 80]:
		check_error(VariantStream.save_file_async(PATH, {"hp": hp}, true, schema).wait(), OK, "a good save")
	var too_large := PackedByteArray()
	too_large.resize(64 << 20)
	var checked := VariantSchema.dict({"hp": VariantSchema.int().check_with(func(hp: int) -> bool: return hp < 100)})
	for bad: Array in [[{"hp": 800}, schema, "hp: "], [{"hp": 80, "gold": 1}, schema, "gold"], [null, schema, "(root)"],
			[too_large, null, "67108864"], [{"hp": 800}, checked, "hp: "]]:
		var job := VariantStream.save_file_async(PATH, bad[0], true, bad[1])
		check(job.wait() != OK, "%s is saved" % bad[2])
		check(job.get_error_message().ends_with("; the file is " + PATH) and job.get_error_message().contains(bad[2]),
			job.get_error_message())
		check_same([_load(PATH), _load(PATH + ".bak")], [{"hp": 80}, {"hp": 70}], "what stays after %s" % bad[2])
	check_error(VariantStream.save_file_async(PATH, {"hp": 90}, true, checked).wait(), OK, "one that the check accepts")


func test_errors_of_files_name_the_file() -> void:
	var none := "user://no_such_folder/none.bin"
	for job: VariantJob in [VariantStream.load_file_async(none), VariantStream.save_file_async(none, 1)]:
		check(job.wait() != OK and job.get_error_message().ends_with("; the file is " + none), job.get_error_message())
	var reader := VariantReader.new()
	reader.open_file(none)
	check(reader.get_error_message().ends_with("; the file is " + none), reader.get_error_message())
	var writer := VariantWriter.new()
	writer.open_file(none)
	check(writer.get_error_message().ends_with("; the file is " + none), writer.get_error_message())
	_store("no value".to_utf8_buffer())
	for value: Variant in VariantStream.read_file(PATH):
		fail("it holds %s" % [value])
	check(str(VariantStream.get_last_error().message).contains("; the file is " + PATH), str(VariantStream.get_last_error()))
	var job := VariantStream.load_file_async(PATH)
	check(job.wait() != OK and job.get_error_message().ends_with("; the file is " + PATH), job.get_error_message())


func test_files_of_godot_3_are_loaded() -> void:
	var save := {"hp": 80, "pos": Vector2(1, 2), "items": PackedStringArray(["rope"])}
	var bytes := VariantStream.transcode(var_to_bytes(save), VariantStream.GODOT_4, VariantStream.GODOT_3)
	var length := PackedByteArray([0, 0, 0, 0])
	length.encode_u32(0, bytes.size())
	for stored: PackedByteArray in [bytes, length + bytes]:
		_store(stored)
		var job := VariantStream.load_file_async(PATH, null, VariantStream.GODOT_3)
		check_error(job.wait(), OK, "load: " + job.get_error_message())
		check_same(job.data, save, "what is loaded")
		check(VariantStream.load_file_async(PATH).wait() != OK, "as Godot 4's it is no value")
	_store(length + bytes + length + bytes)
	var seen := []
	for value: Variant in VariantStream.read_file(PATH, null, VariantStream.GODOT_3):
		seen.append(value)
	check_same(seen, [save, save], "a loop over two")


## Names as long as the system takes them: nothing fits behind them, and their temporary files are told apart.
func test_long_names() -> void:
	if OS.get_name() == "Windows" or OS.get_name() == "Web":
		skip("names are counted otherwise there")
		return
	for length in [200, 201, 230, 245, 250, 251, 255]:
		for letter: String in ["n", "ä"]:
			var width := letter.to_utf8_buffer().size()
			var name := letter.repeat((length - 4) / width) + "x".repeat((length - 4) % width) + ".bin"
			var path := "user://" + name
			for turn in 2:
				var job := VariantStream.save_file_async(path, turn)
				check_error(job.wait(), OK, "%d bytes: %s" % [length, job.get_error_message().right(60)])
			check_same(_load(path), 1, "%d bytes" % length)
			var writer := VariantWriter.new()
			writer.keep_backup = length <= 251
			check_error(writer.open_file(path), OK, "a writer of %d bytes" % length)
			writer.write(2)
			check_error(writer.close(), OK, "close")
			check_same(_load(path), 2, "by a writer")
			DirAccess.remove_absolute(path)
			DirAccess.remove_absolute(path + ".bak")
	var leftovers := Array(DirAccess.get_files_at("user://")).filter(func(name: String) -> bool: return name.length() > 90)
	check_same(leftovers, [], "what is left beside them")


func test_links_that_lead_nowhere_are_refused() -> void:
	var folder := DirAccess.open("user://")
	var link := "user://jobs_test_link.bin"
	if OS.get_name() == "Windows" or folder.create_link("no_such_folder/target.bin", "jobs_test_link.bin") != OK:
		skip("no links here")
		return
	for target: String in ["no_such_folder/target.bin", "jobs_test_none.bin", "jobs_test_link.bin"]:
		DirAccess.remove_absolute(link)
		folder.create_link(target, "jobs_test_link.bin")
		var job := VariantStream.save_file_async(link, 1)
		check_error(job.wait(), ERR_FILE_BAD_PATH, "a save by way of a link to %s" % target)
		check(job.get_error_message().contains("link"), job.get_error_message())
		check_error(VariantWriter.new().open_file(link), ERR_FILE_BAD_PATH, "a writer")
		check(folder.is_link("jobs_test_link.bin"), "the link to %s stays" % target)
	DirAccess.remove_absolute(link)
	# One that leads to a file stays one, and the file is replaced.
	_check_saved("old", false)
	folder.create_link(PATH.get_file(), "jobs_test_link.bin")
	check_error(VariantStream.save_file_async(link, "new").wait(), OK, "by way of a link")
	check_same([_load(PATH), folder.is_link("jobs_test_link.bin")], ["new", true], "what it leads to")
	DirAccess.remove_absolute(link)


## A job that has ended gives its code at once; stream/waits.gd waits for one that runs.
func test_done_of_a_job_that_has_ended() -> void:
	var job := VariantStream.save_file_async(PATH, 1)
	job.wait()
	check_same(job.done(), OK, "a save")
	var load := VariantStream.load_file_async("user://none.bin")
	load.wait()
	check_same(load.done(), ERR_FILE_NOT_FOUND, "a load that failed")
