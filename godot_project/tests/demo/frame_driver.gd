extends "driver.gd"
## Measures the main thread's time for a frame of each tab, without drawing. Half of a frame at 60 a second
## has to be left for drawing. It counts the time on a core, which other programs do not change; only Linux
## has it.
##   godot --headless --path godot_project -s res://tests/demo/frame_driver.gd

const EngineProcess := preload("../load/engine_process.gd")

const FRAMES := 60
## The half of a frame's time at 60 a second.
const MOST_MSEC := 8.3
const ON_CORE := "/proc/thread-self/schedstat"


func drive() -> void:
	Engine.max_fps = 60
	await open()
	for index in 3:
		main.open_page(index)
		if index == 1:
			page("NetworkTab").get_node("%Hostile").value = 50.0
		await frames(15)
		var costs := PackedFloat32Array()
		for i in FRAMES:
			var before := _on_core_usec()
			await process_frame
			costs.append((_on_core_usec() - before) / 1000.0)
		costs.sort()
		@warning_ignore("integer_division")
		var middle := costs[FRAMES / 2]
		var title: String = main.get_node("%Tabs").get_tab_title(index)
		told.append("%s: %.2f ms a frame;" % [title, middle])
		expect(middle < MOST_MSEC or EngineProcess.is_emulated(),
				"a frame of the tab %s takes %.2f ms on a core" % [title, middle])
		expect(middle > 0.0 or not FileAccess.file_exists(ON_CORE), title + ": nothing was measured")


static func _on_core_usec() -> float:
	var file := FileAccess.open(ON_CORE, FileAccess.READ)
	return file.get_line().get_slice(" ", 0).to_float() / 1000.0 if file != null else 0.0
