extends "res://bench/pack_jobs.gd"
## Times packing without dropping a digit.


func is_rounded() -> bool:
	return false
