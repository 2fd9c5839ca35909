@tool
extends ResourceFormatSaver
## Saves a VariantSchema that was opened from a `.vschema.json` back into it.

const Loader := preload("schema_file_loader.gd")


## Whether the engine has asked since this was set to false; see schema_files.gd.
var was_asked := false


func _recognize(resource: Resource) -> bool:
	return resource is VariantSchema


func _get_recognized_extensions(_resource: Resource) -> PackedStringArray:
	was_asked = true
	return ["json"]


func _recognize_path(_resource: Resource, path: String) -> bool:
	return path.ends_with(Loader.ENDING)


func _save(resource: Resource, path: String, _flags: int) -> Error:
	var schema := resource as VariantSchema
	if not schema.is_well_formed():
		return ERR_INVALID_DATA
	var file := FileAccess.open(path, FileAccess.WRITE)
	if file == null:
		return FileAccess.get_open_error()
	file.store_string(schema.to_json())
	return OK
