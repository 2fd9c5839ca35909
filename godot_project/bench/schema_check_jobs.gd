extends "res://bench/schema_jobs.gd"
## Times the check of bytes under a schema, against a check written by hand of a value that is already
## decoded.


func difference() -> String:
	var wrong := Packet.packet()
	wrong.seq = -1
	return super() if Packet.is_good(value) and not Packet.is_good(wrong) else "the check by hand"


func engine_decode(times: int) -> int:
	var given: Variant = value
	var start := Time.get_ticks_usec()
	for i in times:
		Packet.is_good(given)
	return Time.get_ticks_usec() - start


func ours_decode(times: int) -> int:
	var given := bytes
	var start := Time.get_ticks_usec()
	for i in times:
		codec.validate(given)
	return Time.get_ticks_usec() - start
