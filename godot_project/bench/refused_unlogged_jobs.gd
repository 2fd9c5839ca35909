extends "res://bench/refused_jobs.gd"
## The same with the engine's messages off, all of them, as a game can have it that wants to see none: what is left is the
## engine's bare work.


func engine_decode(times: int) -> int:
	var given := bytes
	var answer: Variant
	Engine.print_error_messages = false
	var start := Time.get_ticks_usec()
	for i in times:
		answer = bytes_to_var(given)
	var usec := Time.get_ticks_usec() - start
	Engine.print_error_messages = true
	return usec
