extends "engine_suite.gd"
## Files that VariantStream loads and saves in the background: in which order, what quitting does to them. How a game
## waits for a job is stream/waits.gd's, and what killing does to one writer_faults_test.gd's.

const PATH := "user://jobs_test.bin"


func clean_up() -> void:
	super()
	for path: String in [PATH, PATH + ".bak"]:
		if FileAccess.file_exists(path):
			DirAccess.remove_absolute(path)


## Small saves are quicker than large ones, and must not be there before them.
func test_saves_of_one_file_come_in_the_order_of_the_calls() -> void:
	for turn in 20:
		var jobs: Array[VariantJob] = []
		for i in 8:
			# By another path each time.
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


static func _save(turn: int, i: int) -> Dictionary:
	return {"turn": turn, "i": i, "padding": "x".repeat(160000 >> i)}


## Which save this is.
static func _name(save: Variant) -> Array:
	return [save.turn, save.i] if save is Dictionary else [save, -1] if save == null else [save]


func _stored() -> Variant:
	var file := FileAccess.open(PATH, FileAccess.READ)
	return file.get_var() if file else null
