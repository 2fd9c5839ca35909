extends "res://bench/schema_jobs.gd"
## Times a packet that the schema refuses at its last field, against an accepted packet; both are decoded by
## us.

var _refused: PackedByteArray


func _init(given: Variant) -> void:
	super(given)
	var wrong: Dictionary = given.duplicate(true)
	wrong.note = 12345
	_refused = var_to_bytes(wrong)


func difference() -> String:
	return super() if codec.decode(_refused) == ERR_INVALID_DATA else "verdict of the refused"


func engine_decode(times: int) -> int:
	return _decode(bytes, times)


func ours_decode(times: int) -> int:
	return _decode(_refused, times)


func _decode(given: PackedByteArray, times: int) -> int:
	var start := Time.get_ticks_usec()
	for i in times:
		codec.decode(given)
	return Time.get_ticks_usec() - start
