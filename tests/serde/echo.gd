extends SceneTree
## Reads values behind their lengths from one file, and writes what the engine makes of each into another: `var_to_bytes()`
## of what `bytes_to_var()` read.
##
## godot --headless --no-header --path tests/serde -s res://echo.gd -- --from=FILE --to=FILE


func _initialize() -> void:
	quit(3)  # An abort below cannot look like a success.
	var paths := {}
	for argument in OS.get_cmdline_user_args():
		var parts := argument.trim_prefix("--").split("=", true, 1)
		paths[parts[0]] = parts[1] if parts.size() > 1 else ""
	var from := FileAccess.open(paths.get("from", ""), FileAccess.READ)
	var to := FileAccess.open(paths.get("to", ""), FileAccess.WRITE)
	if from == null or to == null:
		printerr("cannot open --from or --to")
		return
	while from.get_position() < from.get_length():
		var bytes := from.get_buffer(from.get_32())
		var echo := var_to_bytes(bytes_to_var(bytes))
		to.store_32(echo.size())
		to.store_buffer(echo)
	quit(0)
