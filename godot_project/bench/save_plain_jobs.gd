extends "res://bench/save_load_jobs.gd"
## Times a load of VariantSave with all of its checks against load_file_async() of the same state under the same schema, from a
## file without checksums or compression.

var schema := _schema()


func _init(given: Variant) -> void:
	super(given)
	VariantStream.save_file_async(plain, given).wait()


func difference() -> String:
	if save.save(saved, value) != OK or save.load(saved) != OK or var_to_bytes(save.data) != bytes:
		return "value: " + save.get_error_message()
	var job := VariantStream.load_file_async(plain, schema)
	return "" if job.wait() == OK and var_to_bytes(job.data) == bytes else "value: " + job.get_error_message()


func engine_decode(times: int) -> int:
	var start := Time.get_ticks_usec()
	var answer: Variant
	for i in times:
		var job := VariantStream.load_file_async(plain, schema)
		job.wait()
		answer = job.data
	return Time.get_ticks_usec() - start


func ours_decode(times: int) -> int:
	var start := Time.get_ticks_usec()
	var answer: Variant
	for i in times:
		var job := save.load_async(saved)
		job.wait()
		answer = job.data
	return Time.get_ticks_usec() - start
