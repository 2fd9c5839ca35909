extends "res://bench/pack_jobs.gd"
## Times decoding of packed bytes into a Dictionary that is there, against the engine's decoding of a new one.

var target: Dictionary


func _init(given: Variant) -> void:
	super(given)
	target = given.duplicate(true)


func difference() -> String:
	if codec.decode_into(target, packed) != OK:
		return codec.get_error_message()
	return "" if codec.encode(target) == packed else "value"


func ours_decode(times: int) -> int:
	var given := packed
	var state := target
	var start := Time.get_ticks_usec()
	for i in times:
		codec.decode_into(state, given)
	return Time.get_ticks_usec() - start
