extends "suite.gd"
## Tests hash floods where the core does not know how the engine hashes: the library then asks the engine.
## Processes with another environment stand for other engines; limits_test.gd has the limit itself.

## The reason why run.gd skips this suite in a packed game.
const EDITOR_ONLY := "starts scripts of the checkout"
const ONCE := "its processes choose how keys are hashed"

const EngineProcess := preload("load/engine_process.gd")
const ProcessMemory := preload("process_memory.gd")

const VARIABLE := "VARIANT_STREAM_KEY_HASHES"
const ALL_PASS := [OK, OK, OK]
const ALL_REFUSED := [ERR_OUT_OF_MEMORY, ERR_OUT_OF_MEMORY, ERR_OUT_OF_MEMORY]


func clean_up() -> void:
	OS.unset_environment(VARIABLE)


func test_this_engine_hashes_as_the_core_does() -> void:
	var report := _child("")
	check_same(report.get("ordinary"), ALL_PASS, "ordinary keys")
	check_same(report.get("flood"), ALL_REFUSED, "a flood")
	if ProcessMemory.new().peak() > 0:
		check(report.grown < 1 << 24, "a check built a value of %d bytes" % report.grown)


func test_another_engine_is_asked() -> void:
	var report := _child("engine")
	check_same(report.get("ordinary"), ALL_PASS, "ordinary keys")
	check_same(report.get("flood"), ALL_REFUSED, "a flood")
	if ProcessMemory.new().peak() > 0:
		check(report.grown < 1 << 24, "bytes without keys were built: %d bytes" % report.grown)


func test_what_the_engine_answers_counts() -> void:
	var report := _child("one")
	check_same(report.get("ordinary"), ALL_REFUSED, "keys that this engine would keep in one place")
	check_same(report.get("small"), [OK], "a few of them")


## Engines before 4.6 hash NodePaths otherwise, 4.3 also Signals and Callables. Values without such keys cost what they cost in
## 4.6.3.
func test_one_type_that_differs_costs_the_others_nothing() -> void:
	var report := _child("engine:NodePath")
	check_same(report.get("ordinary"), ALL_PASS, "ordinary keys")
	check_same(report.get("flood"), ALL_REFUSED, "a flood")
	for keys: String in ["paths", "lists", "numbers"]:
		check_same(report.get(keys), _twelve(OK), keys)
	if ProcessMemory.new().peak() > 0:
		check(report.grown < 1 << 24, "a check built a value of %d bytes" % report.grown)
		check(report.grown_by_keys < 1 << 24, "what stands beside such keys was built: %d bytes" % report.grown_by_keys)


func test_the_engine_is_asked_for_one_type() -> void:
	var report := _child("one:NodePath")
	check_same(report.get("ordinary"), ALL_PASS, "ordinary keys")
	check_same(report.get("flood"), ALL_REFUSED, "a flood")
	check_same(report.get("numbers"), _twelve(OK), "numbers")
	check_same(report.get("paths"), _twelve(ERR_OUT_OF_MEMORY), "paths that this engine would keep in one place")
	check_same(report.get("lists"), _twelve(ERR_OUT_OF_MEMORY), "lists of such paths")


## Returns a verdict for each of the twelve calls of child.gd.
static func _twelve(verdict: int) -> Array:
	var all := []
	all.resize(12)
	all.fill(verdict)
	return all


## Returns the report of child.gd.
func _child(mode: String) -> Dictionary:
	OS.set_environment(VARIABLE, mode)
	var words := EngineProcess.command("res://tests/key_hashes/child.gd", PackedStringArray())
	var output := []
	var code := OS.execute(words[0], words.slice(1), output, true)
	var text: String = output[0] if not output.is_empty() else ""
	for line in text.replace("\r", "").split("\n"):
		if code == 0 and line.begins_with("report "):
			return Marshalls.base64_to_variant(line.trim_prefix("report "))
	fail("the child ended with %d and said %s" % [code, text])
	return {"grown": 0, "grown_by_keys": 0}
