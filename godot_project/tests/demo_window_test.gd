extends "suite.gd"
## Runs the drivers of the demo's window: the tabs "Save game", "Network" and "Speed", and the window around
## them. Each runs in a process of its own that has frames; it has to pass and to print nothing else.

## The reason why run.gd skips this suite in a packed game.
const EDITOR_ONLY := "starts scripts of the checkout"
const ONCE := "is about windows"

const EngineProcess := preload("load/engine_process.gd")


func test_save_game() -> void:
	_drive("save_driver")


func test_network() -> void:
	_drive("network_driver")


func test_speed() -> void:
	_drive("speed_driver")


func test_window() -> void:
	_drive("window_driver")


func test_frames() -> void:
	_drive("frame_driver")


func _drive(driver: String) -> void:
	var words := EngineProcess.command("res://tests/demo/%s.gd" % driver, [])
	var output := []
	var code := OS.execute(words[0], words.slice(1), output, true)
	var said := str(output[0]).strip_edges() if not output.is_empty() else ""
	check(code == 0 and said.begins_with("PASS ") and said.get_slice(" ", 1).is_valid_int(),
			"%s ended with %d:\n%s" % [driver, code, said])
