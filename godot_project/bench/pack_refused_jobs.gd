extends "res://bench/pack_jobs.gd"
## Times a packet that is refused at its last bits, against an accepted one; both are unpacked by us.

var _refused: PackedByteArray


func _init(given: Variant) -> void:
	super(given)
	_refused = packed.duplicate()
	for bit in range(packed.size() * 8 - 1, 0, -1):
		_refused[bit / 8] ^= 1 << (bit % 8)
		if codec.decode(_refused) != OK:
			return
		_refused[bit / 8] ^= 1 << (bit % 8)


func difference() -> String:
	var answer := super()
	if answer.is_empty() and codec.decode(_refused) == OK:
		return "verdict of the refused"
	return answer


func engine_decode(times: int) -> int:
	return super.ours_decode(times)


func ours_decode(times: int) -> int:
	var given := _refused
	var start := Time.get_ticks_usec()
	for i in times:
		codec.decode(given)
	return Time.get_ticks_usec() - start
