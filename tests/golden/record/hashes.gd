extends SceneTree
## Records the hashes that the running engine gives the golden values, one a line: name | hash(). It judges
## nothing. It leaves out values that are written with objects, and values that hold an object, whose hash is
## its address.
##
## godot --headless --no-header --path tests/golden/record -s res://hashes.gd -- --from=FILE --to=FILE


func _initialize() -> void:
	quit(3)  # An abort below cannot look like a success.
	var paths := {}
	for argument in OS.get_cmdline_user_args():
		var parts := argument.trim_prefix("--").split("=", true, 1)
		paths[parts[0]] = parts[1] if parts.size() > 1 else ""
	var golden: Variant = JSON.parse_string(FileAccess.get_file_as_string(paths.get("from", "")))
	if not golden is Dictionary or not golden.get("cases") is Array or golden.cases.is_empty():
		printerr("no cases in --from=", paths.get("from", ""))
		return
	var rows := PackedStringArray(["# What %s hashes golden values to." % golden.get("engine", "the engine")])
	for case: Dictionary in golden.cases:
		if case.get("with_objects", false) or case.get("volatile", false):
			continue
		var bytes: PackedByteArray = case.hex.hex_decode()
		var values := [bytes_to_var(bytes), bytes_to_var(bytes)]
		if hash(values[0]) == hash(values[1]):
			rows.append("%s | %d" % [case.name, hash(values[0])])
	var file := FileAccess.open(paths.get("to", ""), FileAccess.WRITE)
	if file == null:
		printerr("cannot write --to=", paths.get("to", ""))
		return
	file.store_string("\n".join(rows) + "\n")
	quit(0)
