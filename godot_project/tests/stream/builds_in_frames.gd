extends SceneTree
## Loads saves with objects on a thread: their scripts run on the main thread, a little each frame. It prints each fault, or
## PASS.
##   godot --headless --path godot_project -s res://tests/stream/builds_in_frames.gd -- [--quit]
## With --quit the engine ends in the middle of a load.

const PATH := "user://builds_in_frames.save"
const COUNT := 400

var _wrong := PackedStringArray()


## Notes on which thread its code runs, and takes a while to be made.
class Item:
	static var threads := {}
	static var made := 0
	static var told := 0
	static var job: VariantJob
	static var waited := OK

	var number := 0:
		set(value):
			number = value
			threads[OS.get_thread_caller_id()] = true

	func _init() -> void:
		OS.delay_usec(100)
		made += 1
		threads[OS.get_thread_caller_id()] = true
		if job != null and made == 1:
			waited = job.wait()

	func _variant_loaded() -> void:
		told += 1
		threads[OS.get_thread_caller_id()] = true

	static func forget() -> void:
		threads.clear()
		made = 0
		told = 0
		job = null


func _initialize() -> void:
	create_timer(30.0).timeout.connect(func() -> void:
		print("FAIL: nobody was told")
		quit(1))
	_go()


func _classes() -> VariantClassSet:
	var classes := VariantClassSet.new()
	classes.allow("item", Item, VariantClassSet.VARIABLES)
	return classes


func _save() -> VariantSave:
	var save := VariantSave.new()
	save.classes = _classes()
	return save


func _go() -> void:
	await process_frame
	var items := []
	for number in COUNT:
		var item := Item.new()
		item.number = number
		items.append(item)
	_expect(_save().save(PATH, {"items": items}) == OK, "it is not saved")
	if "--quit" in OS.get_cmdline_user_args():
		_save().load_async(PATH)
		Item.forget()
		while Item.made == 0:
			await process_frame
		print("PASS")
		quit()
		return
	await _load_in_frames()
	_load_at_once()
	await _cancel()
	await _load_on_a_thread()
	print("PASS" if _wrong.is_empty() else "FAIL: " + "; ".join(_wrong))
	quit(0 if _wrong.is_empty() else 1)


func _load_in_frames() -> void:
	var load := _save().load_async(PATH)
	# One was made to learn what its variables hold at first.
	Item.forget()
	Item.job = load
	var frames := 0
	var most := 0
	var before := 0
	while not load.is_done():
		await process_frame
		frames += 1
		most = maxi(most, Item.made - before)
		before = Item.made
	_expect(load.wait() == OK and load.data.items.size() == COUNT and load.data.items[7].number == 7, "the value: " + load.get_error_message())
	_expect(Item.threads.keys() == [OS.get_main_thread_id()], "scripts run on the threads %s" % [Item.threads])
	_expect(Item.made == COUNT and Item.told == COUNT, "%d made and %d told" % [Item.made, Item.told])
	# Each object takes 0.1 ms, and a frame gives 2.
	_expect(frames >= COUNT / 40 and most <= 40, "%d frames, at most %d objects in one" % [frames, most])
	_expect(Item.waited == ERR_BUSY, "a script waits for the load that it is part of: %d" % Item.waited)


## The main thread waits, by the job and by another call for the same file.
func _load_at_once() -> void:
	var load := _save().load_async(PATH)
	Item.forget()
	_expect(load.wait() == OK and Item.told == COUNT, "a wait: " + load.get_error_message())
	load = _save().load_async(PATH)
	_expect(_save().save(PATH, {"items": load.data}) == OK, "a save behind a load")
	_expect(load.is_done() and load.data.items.size() == COUNT, "the load before it")
	_expect(_save().save(PATH, load.data) == OK, "the value is saved again")
	Item.forget()
	var job: VariantJob = VariantStream.load_file_async("user://none.bin", VariantSchema.any())
	_expect(job.wait() == ERR_FILE_NOT_FOUND, "a load of no file")


func _cancel() -> void:
	var load := _save().load_async(PATH)
	Item.forget()
	while Item.made == 0:
		await process_frame
	load.cancel()
	_expect(await load.done() == ERR_SKIP and load.data == null, "a load that was cancelled")
	_expect(Item.made < COUNT and Item.told == 0, "%d made, %d told" % [Item.made, Item.told])


func _load_on_a_thread() -> void:
	var save := VariantSave.new()
	save.classes = _classes()
	save.classes.build_on_thread = true
	var load := save.load_async(PATH)
	Item.threads.erase(OS.get_main_thread_id())
	_expect(await load.done() == OK and load.data.items.size() == COUNT, "on a thread: " + load.get_error_message())
	_expect(not OS.get_main_thread_id() in Item.threads, "scripts run on the main thread")


func _expect(ok: bool, message: String) -> void:
	if not ok:
		_wrong.append(message)
