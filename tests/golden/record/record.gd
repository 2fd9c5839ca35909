extends SceneTree
## Records golden values anew from the running engine. It reads the cases of a golden file (name, expression,
## how to encode), evaluates each, and writes the file again with this engine's bytes. It judges nothing.
##
## godot --headless --no-header --path tests/golden/record -s res://record.gd -- --from=FILE --to=FILE

const NOTE := "hex = exact bytes returned by the engine; roundtrip = encode(decode(hex)) == hex in the " \
	+ "same engine; reencoded_hex given when not; volatile = bytes differ between runs"


func _initialize() -> void:
	quit(3)  # An abort below cannot look like a success.
	var paths := {}
	for argument in OS.get_cmdline_user_args():
		var parts := argument.trim_prefix("--").split("=", true, 1)
		paths[parts[0]] = parts[1] if parts.size() > 1 else ""
	var old: Variant = JSON.parse_string(FileAccess.get_file_as_string(paths.get("from", "")))
	if not old is Dictionary or not old.get("cases") is Array or old.cases.is_empty():
		printerr("no cases in --from=", paths.get("from", ""))
		return
	var values: Object = _compile(old.cases)
	if values == null:
		return
	var cases: Array[Dictionary] = []
	for i in old.cases.size():
		cases.append(_record(old.cases[i], values.call("case_%d" % i)))
	for object: Variant in values._free:
		if is_instance_valid(object):
			object.free()
	if _write(paths.get("to", ""), cases):
		_report(old.cases, cases)
		quit(0)


## Compiles the expressions into a script with a function for each case, so that they mean what they mean in
## any script.
func _compile(cases: Array) -> Object:
	var source := PackedStringArray(["extends \"res://values.gd\""])
	for i in cases.size():
		source.append("func case_%d(): return %s" % [i, cases[i].expr])
	var script := GDScript.new()
	script.source_code = "\n".join(source) + "\n"
	if script.reload() != OK:
		printerr("an expression does not parse")
		return null
	return script.new()


func _record(case: Dictionary, value: Variant) -> Dictionary:
	var objects: bool = case.get("with_objects", false)
	var bytes := var_to_bytes_with_objects(value) if objects else var_to_bytes(value)
	var record := {
		"name": case.name,
		"expr": case.expr,
		"type": type_string(typeof(value)),
		"type_id": typeof(value),
		"hex": bytes.hex_encode(),
	}
	if objects:
		record.with_objects = true
	if case.get("volatile", false):
		record.volatile = true
		record.volatile_why = case.volatile_why
		return record
	Engine.print_error_messages = false  # Script-typed dictionaries do not come back, with an error in the log.
	var back: Variant = bytes_to_var_with_objects(bytes) if objects else bytes_to_var(bytes)
	Engine.print_error_messages = true
	var again := var_to_bytes_with_objects(back) if objects else var_to_bytes(back)
	record.roundtrip = again == bytes
	if again != bytes:
		record.reencoded_hex = again.hex_encode()
	if typeof(value) != TYPE_OBJECT and not objects:
		record.text = var_to_str(value)
	if back is Object and not back is RefCounted:
		back.free()
	return record


func _write(path: String, cases: Array[Dictionary]) -> bool:
	var file := FileAccess.open(path, FileAccess.WRITE)
	if file == null:
		printerr("cannot write --to=", path)
		return false
	var head := {"engine": _engine(), "api": "var_to_bytes / var_to_bytes_with_objects (with_objects: true)",
			"note": NOTE, "count": cases.size()}
	var bodies := PackedStringArray()
	for case in cases:
		bodies.append("{\n" + _fields(case) + "\n}")
	file.store_string("{\n%s,\n\"cases\": [\n%s\n]\n}" % [_fields(head), ",\n".join(bodies)])
	return file.get_error() == OK


func _engine() -> String:
	var version := Engine.get_version_info()
	# Debian writes its build without a space; other builds have none at that place.
	var build: String = version.build.replace("debian", "debian ")
	var precision := "double" if OS.has_feature("double") else "single"
	var number: String = version.string.get_slice(" ", 0).replace("-", ".")
	return "Godot %s (%s), %s precision, %s" % [number, build, precision, _architecture()]


func _architecture() -> String:
	return Engine.get_architecture_name().replace("_", "-")


func _report(old: Array, cases: Array[Dictionary]) -> void:
	var changed := 0
	var volatile := 0
	for i in cases.size():
		if cases[i].has("volatile"):
			volatile += 1
		elif _fields(cases[i]) != _fields(_with_whole_numbers(old[i])):
			changed += 1
			print("differs: ", cases[i].name)
	print("%d cases, %d differ from the file before (%d volatile ones not compared)"
			% [cases.size(), changed, volatile])


## Turns the only number of a case back into an int, since JSON knows floats only.
func _with_whole_numbers(case: Dictionary) -> Dictionary:
	var whole := case.duplicate()
	whole.type_id = int(case.type_id)
	return whole


func _fields(record: Dictionary) -> String:
	var lines := PackedStringArray()
	for key: String in record:
		var value: Variant = record[key]
		lines.append("\"%s\": %s" % [key, _ascii(value) if value is String else str(value)])
	return ",\n".join(lines)


## Writes a JSON string in ASCII, so that no editor, diff or line end can change the recording.
func _ascii(text: String) -> String:
	const ESCAPES := {34: "\\\"", 92: "\\\\", 8: "\\b", 9: "\\t", 10: "\\n", 12: "\\f", 13: "\\r"}
	var out := PackedStringArray(["\""])
	for i in text.length():
		var code := text.unicode_at(i)
		if ESCAPES.has(code):
			out.append(ESCAPES[code])
		elif code >= 32 and code < 127:
			out.append(text[i])
		elif code < 0x10000:
			out.append("\\u%04x" % code)
		else:
			out.append("\\u%04x\\u%04x" % [0xD800 + ((code - 0x10000) >> 10), 0xDC00 + ((code - 0x10000) & 0x3FF)])
	out.append("\"")
	return "".join(out)
