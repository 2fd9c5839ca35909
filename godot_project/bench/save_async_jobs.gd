extends "res://bench/save_load_jobs.gd"
## Times what save_async() costs the main thread against encoding under the same schema and 0.2 ms. The disk is waited for
## between two calls, without the clock.

const ALLOWED_USEC := 200

var codec := VariantCodec.new()


func _init(given: Variant) -> void:
	super(given)
	codec.schema = _schema()
	codec.limits = VariantLimits.save_file()


func difference() -> String:
	return "" if save.save_async(saved, value).wait() == OK else save.get_error_message()


func engine_encode(times: int) -> int:
	var answer: PackedByteArray
	var start := Time.get_ticks_usec()
	for i in times:
		answer = codec.encode(value)
	return Time.get_ticks_usec() - start + ALLOWED_USEC * times


func ours_encode(times: int) -> int:
	var spent := 0
	for i in times:
		var start := Time.get_ticks_usec()
		var job := save.save_async(saved, value)
		spent += Time.get_ticks_usec() - start
		job.wait()
	return spent
