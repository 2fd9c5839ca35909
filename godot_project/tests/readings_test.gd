extends "suite.gd"
## Tests that no value makes the library read an input again and again: a value without a fast path is made
## where it stands. Another process counts, readings/child.gd.

## The reason why run.gd skips this suite in a packed game.
const EDITOR_ONLY := "starts scripts of the checkout"

const EngineProcess := preload("load/engine_process.gd")
const VARIABLE := "VARIANT_STREAM_READINGS"
const KEY_HASHES := "VARIANT_STREAM_KEY_HASHES"

## The most readings for each call. A call that first checks before it changes anything reads once more.
const MOST := {"decode": 2, "validate": 2, "reader": 2, "decode_into": 3, "schema": 3, "refused": 2, "after refusals": 2, "protocol": 2}


func clean_up() -> void:
	OS.unset_environment(VARIABLE)
	OS.unset_environment(KEY_HASHES)


func test_no_input_is_read_more_than_twice() -> void:
	_check_readings()


## As in engines before 4.6, which hash some keys otherwise and are asked for them.
func test_keys_that_the_engine_hashes_are_read_no_more_often() -> void:
	OS.set_environment(KEY_HASHES, "engine:NodePath")
	_check_readings()


func _check_readings() -> void:
	OS.set_environment(VARIABLE, "1")
	var words := EngineProcess.command("res://tests/readings/child.gd", PackedStringArray())
	var output := []
	var code := OS.execute(words[0], words.slice(1), output, true)
	var text: String = output[0] if not output.is_empty() else ""
	var report := {}
	for line in text.replace("\r", "").split("\n"):
		if code == 0 and line.begins_with("report "):
			report = Marshalls.base64_to_variant(line.trim_prefix("report "))
	if not check(report.size() > 80, "the child ended with %d and said %s" % [code, text]):
		return
	for what: String in report:
		var way: String = what.get_slice(", ", what.get_slice_count(", ") - 1)
		check(report[what][0] <= MOST[way], "%s: %d readings" % [what, report[what][0]])
	for what: String in ["message, protocol", "state, protocol"]:
		check_same(report.get(what, [0, 0])[1], 1, "%s: bits that were judged make a value at once" % what)
	check_same(report["plain, decode"][1], 1, "a plain packet")
	for kind: String in ["rid", "resources", "resource values", "dictionary key", "all"]:
		check_same(report[kind + " in a packet, decode"][0], 1, "a packet with " + kind)
