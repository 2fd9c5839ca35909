extends SceneTree
## Waits for jobs as a game does: with await, while frames pass. It prints each fault, or PASS.
##   godot --headless --path godot_project -s res://tests/stream/waits.gd

const PATH := "user://waits.bin"


## Does something when it ends.
class Mortal:
	extends RefCounted

	static var at_end := Callable()

	@export_storage var number := 1

	func _notification(what: int) -> void:
		if what == NOTIFICATION_PREDELETE and at_end.is_valid():
			at_end.call()


var _wrong := PackedStringArray()
var _heard: Array = []


func _initialize() -> void:
	create_timer(20.0).timeout.connect(func() -> void:
		print("FAIL: nobody was told")
		quit(1))
	_go()


func _go() -> void:
	var state := {}
	for i in 100000:
		state["key %d" % i] = [i, "text", Vector2(i, i)]
	var save: VariantJob = VariantStream.save_file_async(PATH, state)
	_expect(not save.is_done() or save.progress == 1.0, "a save that is done is not at its end")
	_expect(await save.finished == OK, "the save fails: " + save.get_error_message())
	var load: VariantJob = VariantStream.load_file_async(PATH)
	var steps := PackedFloat64Array([load.progress])
	var frames := 0
	while not load.is_done():
		await process_frame
		frames += 1
		_expect(load.progress >= steps[-1], "the progress goes back")
		steps.append(load.progress)
	_expect(load.wait() == OK and load.data == state, "the load gives another value")
	_expect(frames > 1 and load.progress == 1.0, "%d frames passed" % frames)
	# Only its own thread holds this job.
	VariantStream.load_file_async(PATH).finished.connect(func(error: int) -> void: _heard.append(error))
	VariantStream.load_file_async("user://none.bin").finished.connect(func(error: int) -> void: _heard.append(error))
	while _heard.size() < 2:
		await process_frame
	_heard.sort()
	_expect(_heard == [OK, ERR_FILE_NOT_FOUND], "what was heard: %s" % [_heard])
	var cancelled: VariantJob = VariantStream.load_file_async(PATH)
	cancelled.cancel()
	_expect(await cancelled.finished == ERR_SKIP and cancelled.data == null, "a cancelled job goes on")
	# At any time: while it runs, when it has ended, and when nobody else holds it.
	var again: VariantJob = VariantStream.load_file_async(PATH)
	_expect(again.done() is Signal, "a job that runs is done")
	_expect(await again.done() == OK and again.data == state, "done() before the end")
	_expect(await again.done() == OK, "done() after the end")
	again = VariantStream.load_file_async(PATH)
	again.wait()
	_expect(await again.done() == OK, "done() between the end and its signal")
	_expect(await VariantStream.load_file_async("user://none.bin").done() == ERR_FILE_NOT_FOUND, "done() of a failure")
	await _begin_a_job_at_the_end_of_another()
	DirAccess.remove_absolute(PATH)
	VariantStream.save_file_async(PATH, state)  # still at work when the engine ends
	_conclude()


## A value that a job loaded ends when the next job begins, and may begin one itself.
func _begin_a_job_at_the_end_of_another() -> void:
	var codec := VariantCodec.new()
	codec.classes = VariantClassSet.new()
	codec.classes.allow("mortal", Mortal)
	var file := FileAccess.open(PATH, FileAccess.WRITE)
	file.store_buffer(codec.encode(Mortal.new()))
	file.close()
	var load: VariantJob = VariantStream.load_file_async(PATH, null, VariantStream.GODOT_4, codec.classes)
	_expect(await load.finished == OK, "the load fails: " + load.get_error_message())
	load = null
	for frame in 3:
		await process_frame
	var begun: Array[VariantJob] = []
	Mortal.at_end = func() -> void:
		if begun.is_empty():
			begun.append(VariantStream.load_file_async("user://none.bin"))
	VariantStream.load_file_async("user://none.bin").wait()
	_expect(begun.size() == 1, "%d jobs began at an end" % begun.size())
	Mortal.at_end = Callable()


func _conclude() -> void:
	print("PASS" if _wrong.is_empty() else "FAIL: " + "; ".join(_wrong))
	quit(0 if _wrong.is_empty() else 1)


func _expect(ok: bool, message: String) -> void:
	if not ok:
		_wrong.append(message)
