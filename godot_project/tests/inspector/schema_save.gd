extends SceneTree
## Saves a schema where that cannot be done: the old file has to stay, and an error has to be shown.
##   godot --headless --path godot_project -s res://tests/inspector/schema_save.gd -- PATH
## It prints each fault, or PASS. The test that starts it sets the obstacle, a full disk or a folder that
## takes nothing.

const SchemaFiles := preload("res://addons/variant_stream/editor/schema/schema_files.gd")

## A size beyond the room that limited.sh leaves.
const LARGE := 3000000


func _initialize() -> void:
	var path: String = OS.get_cmdline_user_args()[0]
	var old := FileAccess.get_file_as_bytes(path)
	var files := SchemaFiles.new()
	files.add()
	var wrong := PackedStringArray()
	var error := ResourceSaver.save(VariantSchema.enum(["x".repeat(LARGE)]), path)
	if error == OK:
		wrong.append("it answers OK")
	if FileAccess.get_file_as_bytes(path) != old or old.is_empty():
		wrong.append("the file is another one")
	if DirAccess.get_files_at(path.get_base_dir()) != PackedStringArray([path.get_file()]):
		wrong.append("there are %s" % DirAccess.get_files_at(path.get_base_dir()))
	files.remove()
	print("PASS" if wrong.is_empty() else "FAIL: " + "; ".join(wrong))
	quit(0 if wrong.is_empty() else 1)
