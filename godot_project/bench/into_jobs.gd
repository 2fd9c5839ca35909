extends "res://bench/codec_jobs.gd"
## Times decoding into an existing dictionary, against the engine's decoding of a new one.

var target: Dictionary


func _init(given: Variant) -> void:
	super(given)
	target = given.duplicate(true)


func difference() -> String:
	return "" if codec.decode_into(target, bytes) == OK and var_to_bytes(target) == bytes else "value"


func ours_decode(times: int) -> int:
	var given := bytes
	var state := target
	var start := Time.get_ticks_usec()
	for i in times:
		codec.decode_into(state, given)
	return Time.get_ticks_usec() - start
