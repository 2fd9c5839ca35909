extends "engine_suite.gd"
## Encodes an array that another thread changes at the same time, which is forbidden and may end the process.
## Nothing of the engine is made for it. The test checks that we make it no worse: no bytes that are not
## whole, no call that ends the process, and fewer deaths than of the engine's own function.
## encode_attack_test.gd has the changes that a thread can make in turn, which are equal on every run.

## The reason why run.gd skips this suite in a packed game.
const EDITOR_ONLY := "starts scripts of the checkout"
## A process whose pipes are not waited for came with 4.4.
const NEEDS := {"*": "Godot 4.4"}
const UNSANITIZED := "what is forbidden reads memory that the other thread has given back"
const LONG_ONLY := "how many of a few processes live is luck"

const EngineProcess := preload("load/engine_process.gd")

const KINDS: PackedStringArray = ["numbers", "texts", "cleared"]
const PROCESSES := 20
const ROUNDS := 200
const PATIENCE_MSEC := 20000


func test_an_array_that_another_thread_changes() -> void:
	var table := PackedStringArray()
	for what in KINDS:
		var ours := _processes("ours", what)
		var engine := _processes("engine", what)
		table.append("%-8s %d of %d processes lived, with var_to_bytes() %d" % [what, ours.lived, PROCESSES, engine.lived])
		check(ours.wrong == 0, "%s: %d answers are not whole" % [what, ours.wrong])
		check(ours.ended_by_a_check == 0, "%s: a check of the engine's ended a process" % what)
		check(ours.lived >= engine.lived, "%s: %d lived, of the engine's %d" % [what, ours.lived, engine.lived])
	expect_error(table[0])
	print("\n".join(table))


func _processes(whose: String, what: String) -> Dictionary:
	var seen := {"lived": 0, "wrong": 0, "ended_by_a_check": 0}
	for i in PROCESSES:
		var words := EngineProcess.command("res://tests/load/racing_threads.gd", [whose, what, str(ROUNDS)])
		var text := _output(words)
		seen.ended_by_a_check += int("is out of bounds" in text)
		for line in text.split("\n"):
			if line.ends_with(" wrong"):
				seen.lived += 1
				seen.wrong += line.get_slice(" of ", 0).to_int()
	return seen


## Returns what a process prints until it ends, or until the time is up.
func _output(words: PackedStringArray) -> String:
	var process := OS.execute_with_pipe(words[0], words.slice(1), false)
	if not check(not process.is_empty(), "no process"):
		return ""
	var until := Time.get_ticks_msec() + PATIENCE_MSEC
	var printed := PackedByteArray()
	while OS.is_process_running(process.pid) and Time.get_ticks_msec() < until:
		printed += process.stdio.get_buffer(65536) + process.stderr.get_buffer(65536)
		OS.delay_msec(10)
	OS.kill(process.pid)
	printed += process.stdio.get_buffer(65536) + process.stderr.get_buffer(65536)
	return printed.get_string_from_utf8()
