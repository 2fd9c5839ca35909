extends SceneTree
## Saves under a limit on the size of files, which looks like a full disk to a program: the old save has to
## stay.
##   godot --headless --path godot_project -s res://tests/stream/full_disk.gd -- PATH
## It prints each fault, or PASS. The test that starts it sets the limit.

const LARGE := 4000000


func _initialize() -> void:
	var path: String = OS.get_cmdline_user_args()[0]
	var wrong := PackedStringArray()
	var old := FileAccess.get_file_as_bytes(path)
	var large := PackedByteArray()
	large.resize(LARGE)
	var writer := VariantWriter.new()
	for way in 4:
		var error := OK
		if way == 3:
			error = _write_to_open_file(path + ".open", large)
		elif way == 2:
			var job: VariantJob = VariantStream.save_file_async(path, large)
			error = job.wait()
		else:
			writer.keep_backup = way == 1
			writer.open_file(path)
			writer.write(large)
			error = writer.close()
		if error != ERR_FILE_CANT_WRITE:
			wrong.append("way %d answers %s" % [way, error_string(error)])
		if FileAccess.get_file_as_bytes(path) != old:
			wrong.append("way %d changed the file" % way)
	DirAccess.remove_absolute(path + ".open")
	for name in DirAccess.get_files_at(path.get_base_dir()):
		if name.begins_with(path.get_file()) and name != path.get_file():
			wrong.append("%s is left" % name)
	print("PASS" if wrong.is_empty() and not old.is_empty() else "FAIL: " + "; ".join(wrong))
	quit(0 if wrong.is_empty() else 1)


## Writes into a file that the script opened: its content afterwards is not promised, but the error is
## reported.
func _write_to_open_file(path: String, large: PackedByteArray) -> Error:
	var writer := VariantWriter.new()
	writer.open_file(FileAccess.open(path, FileAccess.WRITE))
	var error := writer.write(large)
	return error if writer.write(1) == error and writer.close() == error else OK
