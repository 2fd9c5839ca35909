extends "engine_suite.gd"
## Tests what is said of objects that would become instance ids: a warning with the class where bytes are made, once for each
## class, a refusal with the class where a file is written, and neither where ids were asked for. Each test takes classes that
## no other test encodes: a process hears of each class once.

const NEEDS := {"*": "Godot 4.5"}


class Hidden extends RefCounted:
	var hp := 1


func test_each_way_to_bytes_warns_with_the_class() -> void:
	var warnings := _warnings(func() -> void:
		var nested := {"boss": [1, {"held": Gradient.new()}]}
		check_bytes(VariantStream.encode(nested), var_to_bytes(nested), "nested"))
	check(warnings.size() == 1 and warnings[0].contains(": Gradient."), str(warnings))
	check(str(warnings).contains("classes") and str(warnings).contains("full_objects"), str(warnings))
	warnings = _warnings(func() -> void: check(VariantCodec.new().encode(RegEx.new()).size() == 12, "no id"))
	check(warnings.size() == 1 and warnings[0].contains(": RegEx."), str(warnings))
	warnings = _warnings(func() -> void:
		var writer := VariantWriter.new()
		check_error(writer.open_buffer(), OK, "open_buffer")
		check_error(writer.begin_array(1), OK, "begin_array")
		check_error(writer.write(FastNoiseLite.new()), OK, "write")
		check_error(writer.end(), OK, "end"))
	check(warnings.size() == 1 and warnings[0].contains(": FastNoiseLite."), str(warnings))


func test_scripts_are_named() -> void:
	var named := _warnings(func() -> void: VariantStream.encode({"k": Oracle.new()}))
	check(named.size() == 1 and named[0].contains(": res://addons/variant_stream/ci/oracle.gd (RefCounted)."), str(named))
	var inner := _warnings(func() -> void: VariantStream.encode([Hidden.new()]))
	check(inner.size() == 1 and inner[0].contains(": RefCounted with a script that has no name."), str(inner))


func test_a_class_is_told_once() -> void:
	var curve := Curve.new()
	var warnings := _warnings(func() -> void:
		for round in 3:
			VariantStream.encode([curve, curve, {curve: curve}])
			VariantCodec.new().encode(curve))
	check(warnings.size() == 1, str(warnings))


func test_nothing_is_said_to_who_asked_for_ids() -> void:
	var curve := Curve2D.new()
	var warnings := _warnings(func() -> void:
		var codec := VariantCodec.new()
		codec.limits = VariantLimits.new()
		codec.limits.allowed_types |= 1 << TYPE_OBJECT
		check_bytes(codec.encode([curve]), var_to_bytes([curve]), "allowed")
		codec.limits = VariantLimits.engine()
		check_bytes(codec.encode([curve]), var_to_bytes([curve]), "all that the engine does")
		codec.full_objects = true
		check(codec.encode(curve).size() > 12, "not in full")
		check(VariantStream.encoded_size([curve]) == 20, "another size"))
	check(warnings.is_empty(), str(warnings))


## Tests values of which nothing is lost: null, freed, refused as a whole.
func test_nothing_is_said_of_what_is_no_object() -> void:
	var warnings := _warnings(func() -> void:
		var freed := Node3D.new()
		freed.free()
		check_bytes(VariantStream.encode([null, freed]), var_to_bytes([null, freed]), "none")
		var itself := [Sky.new()]
		itself.append(itself)
		check(VariantStream.encode(itself).is_empty(), "it has an end")
		# An array that holds itself is never let go.
		itself.clear()
		var id := EncodedObjectAsID.new()
		id.object_id = 7
		check_bytes(VariantStream.encode([id]), var_to_bytes([id]), "an id that is meant"))
	check(warnings.is_empty(), str(warnings))


func test_files_refuse_with_the_class() -> void:
	var value := {"hp": 1, "world": [Environment.new()]}
	var job := VariantStream.save_file_async("user://object_ids.save", value)
	check_error(job.wait(), ERR_INVALID_DATA, "save_file_async")
	_check_refused(job.get_error(), "a job")
	var writer := VariantWriter.new()
	check_error(writer.open_file("user://object_ids.save"), OK, "open_file")
	check_error(writer.write(value), ERR_INVALID_DATA, "write")
	_check_refused(writer.get_error(), "a writer")
	writer.discard()


func _check_refused(error: Dictionary, what: String) -> void:
	var message: String = error.get("message", "")
	check(error.get("code") == VariantCodec.TYPE_NOT_ALLOWED, "%s: code %s" % [what, error.get("code")])
	check(message.contains("world[0]") and message.contains("an Object: Environment"), "%s: %s" % [what, message])


## Returns what was logged meanwhile.
func _warnings(work: Callable) -> PackedStringArray:
	var tap: RefCounted = load("res://addons/variant_stream/ci/log_tap.gd").new()
	OS.call(&"add_logger", tap)
	work.call()
	OS.call(&"remove_logger", tap)
	var logged: PackedStringArray = tap.take().errors
	for line in logged:
		expect_error(line)
	return logged
