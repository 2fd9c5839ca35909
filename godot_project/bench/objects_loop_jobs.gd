extends "res://bench/objects_jobs.gd"
## Times objects by a VariantClassSet against the loop that games write by hand: a Dictionary for each object, without checks.

func engine_encode(times: int) -> int:
	var answer: PackedByteArray
	var start := Time.get_ticks_usec()
	for i in times:
		var states := []
		for entity: Entity in value:
			states.append(entity.to_dict())
		answer = var_to_bytes(states)
	return Time.get_ticks_usec() - start


func engine_decode(times: int) -> int:
	var states := []
	for entity: Entity in value:
		states.append(entity.to_dict())
	var given := var_to_bytes(states)
	var kept := []
	var start := Time.get_ticks_usec()
	for i in times:
		var entities := []
		for state: Dictionary in bytes_to_var(given):
			entities.append(Entity.from_dict(state))
		kept.append(entities)
	return Time.get_ticks_usec() - start
