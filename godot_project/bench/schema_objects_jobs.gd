extends "res://bench/schema_check_jobs.gd"
## Times the check of bytes, against a validator of GDScript objects on a value that is already decoded.

var _part: RefCounted = load("res://bench/schema_objects.gd").packet()


func difference() -> String:
	var wrong := Packet.packet()
	wrong.items[0].count = 100
	return super() if _part.parse(value).error.is_empty() and _part.parse(wrong).error else "the objects"


func engine_decode(times: int) -> int:
	var given: Variant = value
	var start := Time.get_ticks_usec()
	for i in times:
		_part.parse(given)
	return Time.get_ticks_usec() - start
