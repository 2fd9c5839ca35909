extends "res://bench/refused_jobs.gd"
## Times a blob that both sides refuse while all of the engine's messages are off, so that only its bare work
## is left.


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
