extends RefCounted
## Reads the JSON files of recorded values. It lists files of other dialects in the folder, and does not use
## them.


## Reads a folder, or one file, as {files: [{name, engine, cases}], left_out: PackedStringArray, error:
## String}.
static func read(folder: String) -> Dictionary:
	var found := {"files": [], "left_out": PackedStringArray(), "error": ""}
	var paths := PackedStringArray()
	if FileAccess.file_exists(folder):
		paths.append(folder)
	elif DirAccess.dir_exists_absolute(folder):
		for name in DirAccess.get_files_at(folder):
			if name.ends_with(".json"):
				paths.append(folder.path_join(name))
	if paths.is_empty():
		found.error = "no JSON file in %s" % folder
	for path in paths:
		_read_file(path, found)
	return found


static func _read_file(path: String, found: Dictionary) -> void:
	var json := JSON.new()
	var text := FileAccess.get_file_as_string(path)
	if json.parse(text) != OK or not json.data is Dictionary or not json.data.get("cases") is Array:
		found.error = "%s is not a file of golden values (%s)" % [path, json.get_error_message()]
		return
	var file: Dictionary = json.data
	if not str(file.get("engine", "")).begins_with("Godot 4"):
		found.left_out.append("%s (%s)" % [path.get_file(), file.get("engine", "no engine named")])
	elif file.cases.size() != int(file.get("count", -1)):
		found.error = "%s says %s cases and holds %d" % [path, file.get("count"), file.cases.size()]
	else:
		found.files.append({"name": path.get_file(), "engine": file.engine, "cases": file.cases})
