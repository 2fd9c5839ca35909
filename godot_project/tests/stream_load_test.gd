extends "suite.gd"
## Tests streams under load, and jobs that need frames to pass: figures.gd and waits.gd of stream/. Each runs
## in a process of its own. The default form is small and leaves times out of the verdict; --long reads 1 GB,
## loads 50 MB in slices and judges all.

## The reason why run.gd skips this suite in a packed game.
const EDITOR_ONLY := "starts scripts of the checkout"
const ONCE := "is about frames and processes"
const NEEDS := {"test_waiting_for_jobs": "threads"}

const EngineProcess := preload("load/engine_process.gd")


func test_figures() -> void:
	var small := ["--megabytes=60", "--save=5", "--packets=50000", "--no-gate"]
	_run("res://tests/stream/figures.gd", [] if long else small)


func test_waiting_for_jobs() -> void:
	_run("res://tests/stream/waits.gd", [])


## Tests that a load makes objects on the main thread in slices, at once where that thread waits, and that quitting in the
## middle ends well.
func test_objects_are_made_in_frames() -> void:
	_run("res://tests/stream/builds_in_frames.gd", [])
	for turn in 20 if long else 3:
		_run("res://tests/stream/builds_in_frames.gd", ["--quit"])


func _run(script: String, options: PackedStringArray) -> void:
	var words := EngineProcess.command(script, options)
	var output := []
	var code := OS.execute(words[0], words.slice(1), output, true)
	var text := str(output[0]).strip_edges() if not output.is_empty() else ""
	check(code == 0 and text.ends_with("PASS"), "%s ended with %d:\n%s" % [script, code, text])
