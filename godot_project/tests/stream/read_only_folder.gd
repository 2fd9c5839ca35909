extends SceneTree
## Saves into a folder that takes no files, over an existing save: it is refused at once, and the old save has
## to stay.
##   godot --headless --path godot_project -s res://tests/stream/read_only_folder.gd -- PATH
## It prints each fault, or PASS. The test that starts it makes the folder read-only.


func _initialize() -> void:
	var path: String = OS.get_cmdline_user_args()[0]
	var wrong := PackedStringArray()
	var old := FileAccess.get_file_as_bytes(path)
	var writer := VariantWriter.new()
	for way in 3:
		writer.keep_backup = way == 1
		var error := OK
		if way == 2:
			var job: VariantJob = VariantStream.save_file_async(path, "new")
			error = job.wait()
		else:
			error = writer.open_file(path)
			if writer.write("new") != ERR_UNCONFIGURED:
				wrong.append("way %d writes after it was refused" % way)
		if error != ERR_FILE_NO_PERMISSION:
			wrong.append("way %d answers %s" % [way, error_string(error)])
		if FileAccess.get_file_as_bytes(path) != old:
			wrong.append("way %d changed the file" % way)
	if DirAccess.get_files_at(path.get_base_dir()).size() != 1:
		wrong.append("other files are there")
	print("PASS" if wrong.is_empty() and not old.is_empty() else "FAIL: " + "; ".join(wrong))
	quit(0 if wrong.is_empty() else 1)
