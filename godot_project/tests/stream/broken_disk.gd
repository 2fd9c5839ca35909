extends SceneTree
## Saves on a disk that breaks (broken_disk.c, preloaded by the test that starts this): the old save has to
## stay.
##   godot --headless --path godot_project -s res://tests/stream/broken_disk.gd -- PATH [good]
## It prints each fault, or PASS. With `good` the saves must succeed: a disk that takes little at once is not
## broken.

const LARGE := 100000


func _initialize() -> void:
	var arguments := OS.get_cmdline_user_args()
	var path := arguments[0]
	var expected := OK if arguments.size() > 1 else ERR_FILE_CANT_WRITE
	var wrong := PackedStringArray()
	var old := FileAccess.get_file_as_bytes(path)
	var large := PackedByteArray()
	large.resize(LARGE)
	for way in 3:
		var error := _save(path, large, way)
		if error != expected:
			wrong.append("way %d answers %s" % [way, error_string(error)])
		var is_old := FileAccess.get_file_as_bytes(path) == old
		if is_old != (expected != OK):
			wrong.append("way %d: the old save is %s" % [way, "there" if is_old else "gone"])
	for name in DirAccess.get_files_at(path.get_base_dir()):
		if name.ends_with(".tmp"):
			wrong.append("%s is left" % name)
	print("PASS" if wrong.is_empty() and not old.is_empty() else "FAIL: " + "; ".join(wrong))
	quit(0 if wrong.is_empty() else 1)


func _save(path: String, large: PackedByteArray, way: int) -> Error:
	if way == 2:
		var job: VariantJob = VariantStream.save_file_async(path, large)
		return job.wait()
	var writer := VariantWriter.new()
	writer.keep_backup = way == 1
	writer.open_file(path)
	writer.write(large)
	return writer.close()
