extends RefCounted
## Shares the suites among engines that run at a time, for `--shard` of run.gd: every suite is in one share. It runs none.

## Suites that take longer than a few seconds, with their seconds. Others count as one second. Wrong figures cost time, not tests.
const SECONDS := {
	"attacks_test": 15, "canonical_test": 7, "conformance_test": 6, "demo_window_test": 17, "encode_attack_test": 12, "engines_test": 25,
	"heap_test": 17, "in_place_test": 10, "jobs_test": 9, "key_hashes_test": 5, "large_packed_test": 6, "load_test": 38,
	"malformed_test": 20, "object_attacks_test": 15, "panel_test": 15, "protocol_arena_test": 7, "save_promises_test": 15,
	"schema_attacks_test": 7, "schema_enet_test": 10, "stream_interop_test": 5, "stream_load_test": 23, "stream_peers_test": 14,
	"writer_faults_test": 35,
}


## Tells whether a text names a share: the second of three is 2/3.
static func is_share(text: String) -> bool:
	var parts := text.split("/")
	if parts.size() != 2 or not parts[0].is_valid_int() or not parts[1].is_valid_int():
		return false
	return 1 <= parts[0].to_int() and parts[0].to_int() <= parts[1].to_int()


## Returns the names of a share, in order. The longest suites go first to the share that has least to do.
static func of(names: Array, share: String) -> Array:
	var parts := share.split("/")
	var loads := PackedInt32Array()
	loads.resize(parts[1].to_int())
	var longest_first := names.duplicate()
	longest_first.sort_custom(func(a: String, b: String) -> bool:
		return [-_seconds(a), a] < [-_seconds(b), b])
	var own := []
	for name: String in longest_first:
		var least := 0
		for at in loads.size():
			least = at if loads[at] < loads[least] else least
		loads[least] += _seconds(name)
		if least + 1 == parts[0].to_int():
			own.append(name)
	own.sort()
	return own


static func _seconds(name: String) -> int:
	return SECONDS.get(name.get_basename(), 1)
