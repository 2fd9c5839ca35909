@tool
extends ResourceFormatLoader
## Opens `.vschema.json` as a VariantSchema in the editor, so that a double click shows the form. It works
## only there: a game reads such a file with `VariantSchema.from_json()`.

const ENDING := ".vschema.json"


## Whether the engine has asked since this was set to false; see schema_files.gd.
var was_asked := false


func _get_recognized_extensions() -> PackedStringArray:
	return ["json"]


func _recognize_path(path: String, _type: StringName) -> bool:
	return path.ends_with(ENDING)


func _handles_type(type: StringName) -> bool:
	return type == &"VariantSchema" or type == &"Resource"


func _get_resource_type(path: String) -> String:
	return "VariantSchema" if path.ends_with(ENDING) else ""


func _exists(path: String) -> bool:
	was_asked = true
	return FileAccess.file_exists(path)


func _load(path: String, _original_path: String, _use_sub_threads: bool, _cache_mode: int) -> Variant:
	var file := FileAccess.open(path, FileAccess.READ)
	if file == null:
		return FileAccess.get_open_error()
	return VariantSchema.from_json(file.get_as_text())
