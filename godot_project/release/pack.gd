extends SceneTree
## Packs this project as an export would, but with every file as it is: nothing is converted or left out.
##   godot --headless --path godot_project -s res://release/pack.gd -- --to FILE [--raw WORD]
## WORD is the project's setting `variant_stream/raw`, for engines that have no environment. The exit code is
## 0 if it is packed, 2 if not.

const OVERRIDE := "res://override.cfg"
const SKIPPED: Array[String] = ["bin"]
## Files that no listing names because they are hidden or do not exist, and the files that they are made of.
## Without the first a packed project has no extensions, without the second the engine logs an error (no
## script here has a class_name), and without the third it plays the demo instead of door.gd.
const HIDDEN := {
	"res://.godot/extension_list.cfg": "res://.godot/extension_list.cfg",
	"res://.godot/global_script_class_cache.cfg": "res://release/script_classes.cfg",
	OVERRIDE: "res://release/door.cfg",
}

var _packer := PCKPacker.new()
var _count := 0


func _initialize() -> void:
	var arguments := OS.get_cmdline_user_args()
	var ended := FAILED
	if arguments.size() in [2, 4] and arguments[0] == "--to" and (arguments.size() == 2 or arguments[2] == "--raw"):
		ended = _pack(arguments[1], "" if arguments.size() == 2 else arguments[3])
	if ended == OK:
		print("packed %d files" % _count)
	else:
		printerr("nothing packed: ", error_string(ended))
	quit(0 if ended == OK else 2)


func _pack(to: String, raw: String) -> Error:
	var ended := _packer.pck_start(to)
	if ended == OK:
		ended = _add_folder("res://")
	for path: String in HIDDEN:
		if ended == OK:
			var is_door := path == OVERRIDE and not raw.is_empty()
			ended = _add(path, _door(raw) if is_door else HIDDEN[path])
	return _packer.flush() if ended == OK else ended


func _add_folder(folder: String) -> Error:
	for name in DirAccess.get_files_at(folder):
		var ended := _add(folder.path_join(name), folder.path_join(name))
		if ended != OK:
			return ended
	for name in DirAccess.get_directories_at(folder):
		# Libraries lie beside the executable; the loader of the system cannot read them out of a pack.
		if SKIPPED.has(name):
			continue
		var ended := _add_folder(folder.path_join(name))
		if ended != OK:
			return ended
	return OK


func _add(path: String, from: String) -> Error:
	_count += 1
	return _packer.add_file(path, from)


## Writes the settings of door.gd with one more, into a file of its own.
func _door(raw: String) -> String:
	var settings := ConfigFile.new()
	settings.load(HIDDEN[OVERRIDE])
	settings.set_value("variant_stream", "raw", raw)
	settings.save("user://door.cfg")
	return "user://door.cfg"
