extends "res://bench/static_jobs.gd"
## Times a reused codec under limits for the network, against the engine's functions.

var codec := VariantCodec.new()


func _init(given: Variant) -> void:
	super(given)
	codec.limits = VariantLimits.network()


func difference() -> String:
	if codec.encode(value) != bytes:
		return "bytes"
	return "" if codec.decode(bytes) == OK and var_to_bytes(codec.data) == bytes else codec.get_error_message()


func ours_encode(times: int) -> int:
	var given: Variant = value
	var answer: PackedByteArray
	var start := Time.get_ticks_usec()
	for i in times:
		answer = codec.encode(given)
	return Time.get_ticks_usec() - start


func ours_decode(times: int) -> int:
	var given := bytes
	var answer: Variant
	var start := Time.get_ticks_usec()
	for i in times:
		if codec.decode(given) == OK:
			answer = codec.data
	return Time.get_ticks_usec() - start
