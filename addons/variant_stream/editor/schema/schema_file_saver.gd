@tool
extends ResourceFormatSaver
## Saves a VariantSchema that was opened from a `.vschema.json` back into it. Where that fails, the file is
## unchanged.

const Loader := preload("schema_file_loader.gd")

## The ending of the file that is written first, and takes the other's place when it is whole.
const UNFINISHED := ".part"


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
	var wrong := schema.get_build_errors()
	if not wrong.is_empty():
		for mistake in wrong:
			push_error("%s is not saved: the schema contradicts itself: %s: %s" % [path, mistake.path, mistake.message])
		return ERR_INVALID_DATA
	var error := _write(path, schema.to_json())
	if error != OK:
		push_error("%s cannot be saved and is what it was: %s" % [path, error_string(error)])
	return error


static func _write(path: String, text: String) -> Error:
	var unfinished := path + UNFINISHED
	var file := FileAccess.open(unfinished, FileAccess.WRITE)
	if file == null:
		return FileAccess.get_open_error()
	file.store_string(text)
	file.close()
	# No call reports what a full disk did not take.
	if FileAccess.get_file_as_bytes(unfinished) != text.to_utf8_buffer():
		DirAccess.remove_absolute(unfinished)
		return ERR_FILE_CANT_WRITE
	if FileAccess.file_exists(path) and OS.get_name() != "Windows":
		FileAccess.set_unix_permissions(unfinished, FileAccess.get_unix_permissions(path))
	var error := DirAccess.rename_absolute(unfinished, path)
	if error != OK:
		DirAccess.remove_absolute(unfinished)
	return error
