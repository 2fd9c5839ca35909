extends "res://bench/rare_jobs.gd"
## Times decoding a value without a fast path into an existing one, against the engine's decoding of a new
## one.

var target: Dictionary


func _init(given: Variant) -> void:
	super(given)
	target = bytes_to_var(bytes)


func difference() -> String:
	return "" if codec.decode_into(target, bytes) == OK and target == bytes_to_var(bytes) else "value"


func ours_decode(times: int) -> int:
	var given := bytes
	var state := target
	var start := Time.get_ticks_usec()
	for i in times:
		codec.decode_into(state, given)
	return Time.get_ticks_usec() - start
