extends "res://bench/codec_jobs.gd"
## Times checking alone, against the engine's only way to check: decoding.


func _init(given: Variant) -> void:
	super(given)
	codec.limits = VariantLimits.save_file()


func difference() -> String:
	return "" if codec.validate(bytes) == OK else codec.get_error_message()


func ours_decode(times: int) -> int:
	var given := bytes
	var start := Time.get_ticks_usec()
	for i in times:
		codec.validate(given)
	return Time.get_ticks_usec() - start
