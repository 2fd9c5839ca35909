extends "res://bench/static_jobs.gd"
## Times a load of VariantSave with all of its checks against the engine's open_compressed() and get_var(), which check nothing.
## Both read the same state from a file.

var save := VariantSave.new()
## Files of its own: jobs of the row before may still have theirs.
var saved := "user://bench_%d.save" % get_instance_id()
var plain := "user://bench_%d.bin" % get_instance_id()


func _init(given: Variant) -> void:
	super(given)
	save.schema = _schema()
	save.backups = 0
	var file := FileAccess.open_compressed(plain, FileAccess.WRITE, FileAccess.COMPRESSION_ZSTD)
	file.store_var(given)
	file.close()


func _notification(what: int) -> void:
	if what == NOTIFICATION_PREDELETE:
		for path: String in [saved, plain]:
			DirAccess.remove_absolute(path)


static func _schema() -> VariantSchema:
	var entity := VariantSchema.dict({
		"id": VariantSchema.int(0), "name": VariantSchema.string().max_chars(32), "kind": VariantSchema.string(),
		"pos": VariantSchema.vector3(), "rot": VariantSchema.float(), "hp": VariantSchema.int(0, 100),
		"alive": VariantSchema.bool(), "tags": VariantSchema.array(VariantSchema.string()).max_size(8),
		"inv": VariantSchema.dict({"gold": VariantSchema.int(0, 999), "potions": VariantSchema.int(0, 9)}),
		"owner": VariantSchema.any(), "vel": VariantSchema.vector3(), "speed": VariantSchema.float(),
		"level": VariantSchema.int(1, 99), "color": VariantSchema.color(), "faction": VariantSchema.string_name(),
		"seen": VariantSchema.bool(),
	})
	return VariantSchema.dict({
		"version": VariantSchema.int(), "seed": VariantSchema.int(),
		"entities": VariantSchema.array(entity).max_size(100_000),
		"flags": VariantSchema.dict({"intro": VariantSchema.bool(), "boss": VariantSchema.bool()}),
	})


func difference() -> String:
	if save.save(saved, value) != OK:
		return save.get_error_message()
	if save.load(saved) != OK or var_to_bytes(save.data) != bytes:
		return "value: " + save.get_error_message()
	# A file is at most 5 % and 400 bytes larger than the engine's.
	var most := FileAccess.get_file_as_bytes(plain).size() * 1.05 + 400
	var size_of_save := FileAccess.get_file_as_bytes(saved).size()
	return "" if size_of_save <= most else "size: %d bytes, at most %d are allowed" % [size_of_save, most]


func engine_decode(times: int) -> int:
	var answer: Variant
	var start := Time.get_ticks_usec()
	for i in times:
		var file := FileAccess.open_compressed(plain, FileAccess.READ, FileAccess.COMPRESSION_ZSTD)
		answer = file.get_var()
	return Time.get_ticks_usec() - start


func ours_decode(times: int) -> int:
	var answer: Variant
	var start := Time.get_ticks_usec()
	for i in times:
		if save.load(saved) == OK:
			answer = save.data
	return Time.get_ticks_usec() - start
