extends "suite.gd"
## Tests engines that lack what this one has: a method, or an answer to one of the calls that the probes of memory make.
## Processes with another environment stand for them. All give the same values, and nothing is printed.

## The reason why run.gd skips this suite in a packed game.
const EDITOR_ONLY := "starts scripts of the checkout"
const ONCE := "its processes choose how memory is read"

const EngineProcess := preload("load/engine_process.gd")

const VARIABLE := "VARIANT_STREAM_PRETEND"
const RAW := "VARIANT_STREAM_RAW"
## Every official call that the probes make.
const ASKED := "res://../rust/godot/src/raw/layout/asked.rs"


func clean_up() -> void:
	OS.unset_environment(VARIABLE)


func test_each_call_of_the_probes_may_answer_null() -> void:
	if OS.get_environment(RAW) not in ["", "all"]:
		skip("nothing is probed for")
		return
	var calls := _calls()
	check(calls.size() >= 9, "only %s are known" % [calls])
	for call in calls:
		var report := _child(call, [])
		check(not report.fallbacks.is_empty(), call + ": nobody noticed")


func test_typed_dictionaries_may_be_missing() -> void:
	var report := _child("Dictionary.is_typed", ["untyped"])
	if OS.get_environment(RAW) in ["", "all"] and Engine.get_version_info().hex >= 0x040600:
		check_same(report.fallbacks, _child("", []).fallbacks, "what costs time without types")
	check_same(report.canonical, [OK, "1b00000000000000"], "what CANONICAL makes of a typed dictionary, as its help says")
	report = _child("bytes_to_var", [])
	if OS.get_environment(RAW) in ["", "all"] and Engine.get_version_info().hex >= 0x040600:
		var missing := PackedStringArray(["official calls for types of dictionaries"])
		check_same(report.fallbacks, missing + _child("", []).fallbacks, "types that nobody finds")


func test_methods_may_be_missing() -> void:
	for method: String in [
		"PackedVector4Array", "PackedByteArray", "Array", "Dictionary", "Array.resize", "Dictionary.assign",
		"PackedVector4Array.resize,Dictionary.is_typed,bytes_to_var",
	]:
		_child(method, ["untyped"])


## Engines are built without 3D, physics or XR, and have no such classes then. gdext would ask for their methods.
func test_classes_that_small_builds_lack_are_not_needed() -> void:
	_child("Node3D,Viewport,PrimitiveMesh,Mesh,ArrayMesh,RenderingServer,Node2D,CanvasItem,Window,Input,HTTPRequest,SceneTree", [])


func test_a_version_that_nobody_has_tried_proves_itself() -> void:
	var report := _child("a tried version", [])
	check_same(report.fallbacks, _child("", []).fallbacks, "what is slower in an untried version")
	if OS.get_environment(RAW) == "off":
		return
	report = _child("a tried version,agreement", [])
	check(report.fallbacks.size() >= 1, "nothing is said of a difference")
	var told: String = report.fallbacks[0] if report.fallbacks.size() > 0 else ""
	check(told.begins_with("official calls for everything: Godot %d." % Engine.get_version_info().major), told)
	check(told.contains("is untried"), told)


## The names of the calls, as the source asks whether they are lacking.
func _calls() -> PackedStringArray:
	var source := FileAccess.get_file_as_string(ProjectSettings.globalize_path(ASKED))
	var names := PackedStringArray()
	for piece in source.split("lacks(\"").slice(1):
		names.append(piece.get_slice("\"", 0))
	return names


## Returns what child.gd reports, which has to be all that it prints, and checks that all went well.
func _child(lacking: String, options: PackedStringArray) -> Dictionary:
	OS.set_environment(VARIABLE, lacking)
	# Under "all" the child would warn of what it was told to lack.
	var raw := OS.get_environment(RAW)
	OS.set_environment(RAW, "" if raw == "all" else raw)
	var words := EngineProcess.command("res://tests/engines/child.gd", options)
	var output := []
	var code := OS.execute(words[0], words.slice(1), output, true)
	OS.set_environment(RAW, raw)
	var text: String = output[0] if not output.is_empty() else ""
	var others := PackedStringArray()
	var report := {}
	for line in text.replace("\r", "").split("\n", false):
		if line.begins_with("report "):
			report = Marshalls.base64_to_variant(line.trim_prefix("report "))
		elif not line.begins_with("Initialize godot-rust"):
			others.append(line)
	check_same(others, PackedStringArray(), "%s: printed lines" % lacking)
	if code != 0 or report.is_empty():
		fail("%s: the child ended with %d" % [lacking, code])
		return {"fallbacks": PackedStringArray()}
	check(report.finished and report.checks > 4000, "%s: cut off after %d checks" % [lacking, report.checks])
	check_same(report.differences, [], lacking)
	check(report.updated, lacking + ": decode_into() gave another value")
	return report
