extends "res://bench/static_jobs.gd"
## Times a blob that both sides refuse. It is given as bytes, or it is the bytes of a given value without the
## last four, so that a length claims more than there is, the most common kind. The engine logs each refusal,
## as it does in every game that does not switch all of its messages off.

## The most refusals that are logged: more would fill the disk with messages, and say nothing new.
const MOST_LOGGED := 20


func _init(given: Variant) -> void:
	super(given)
	bytes = given if given is PackedByteArray else bytes.slice(0, -4)


func difference() -> String:
	Engine.print_error_messages = false
	var theirs: Variant = bytes_to_var(bytes)
	Engine.print_error_messages = true
	return "" if theirs == null and VariantStream.decode(bytes, &"refused") == &"refused" else "verdict"


func engine_decode(times: int) -> int:
	var logged := mini(times, MOST_LOGGED)
	return super(logged) * times / logged
