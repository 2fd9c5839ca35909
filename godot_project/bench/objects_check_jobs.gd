extends "res://bench/objects_jobs.gd"
## Times the check of a document of objects, which makes none, against the engine's decoding.

func ours_decode(times: int) -> int:
	var start := Time.get_ticks_usec()
	for i in times:
		codec.validate(document)
	return Time.get_ticks_usec() - start
