extends SceneTree
## Saves with VariantSave under a limit on the size of files, which looks like a full disk to a program.
##   godot --headless --path godot_project -s res://tests/stream/save_full_disk.gd -- PATH
## It prints each fault, or PASS. The test that starts it sets the limit.


func _initialize() -> void:
	var path: String = OS.get_cmdline_user_args()[0]
	var large := PackedByteArray()
	large.resize(4_000_000)
	var save := VariantSave.new()
	save.compression = VariantSave.COMPRESSION_NONE
	var wrong := PackedStringArray()
	if save.save(path, large) != ERR_FILE_CANT_WRITE:
		wrong.append("save answers " + save.get_error_message())
	if save.save_async(path, large).wait() != ERR_FILE_CANT_WRITE:
		wrong.append("save_async answers something else")
	if save.load(path) != OK or save.data != 2:
		wrong.append("the old save is %s: %s" % [save.data, save.get_error_message()])
	print("PASS" if wrong.is_empty() else "FAIL: " + "; ".join(wrong))
	quit(0 if wrong.is_empty() else 1)
