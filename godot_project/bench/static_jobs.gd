extends RefCounted
## Times the static functions of VariantStream against the engine's. The last value of a loop is freed after
## the clock has stopped, so that freeing is not timed with one turn a round, which is what large values get.

var value: Variant
var bytes: PackedByteArray


func _init(given: Variant) -> void:
	value = given
	bytes = var_to_bytes(given)


func size() -> int:
	return bytes.size()


## Returns what differs, or an empty text.
func difference() -> String:
	if VariantStream.encode(value) != bytes:
		return "bytes"
	var decoded: Variant = VariantStream.decode(bytes)
	return "" if var_to_bytes(decoded) == bytes else "value: %s" % VariantStream.get_last_error().get("message")


func engine_encode(times: int) -> int:
	var given: Variant = value
	var answer: PackedByteArray
	var start := Time.get_ticks_usec()
	for i in times:
		answer = var_to_bytes(given)
	return Time.get_ticks_usec() - start


func ours_encode(times: int) -> int:
	var given: Variant = value
	var answer: PackedByteArray
	var start := Time.get_ticks_usec()
	for i in times:
		answer = VariantStream.encode(given)
	return Time.get_ticks_usec() - start


func engine_decode(times: int) -> int:
	var given := bytes
	var answer: Variant
	var start := Time.get_ticks_usec()
	for i in times:
		answer = bytes_to_var(given)
	return Time.get_ticks_usec() - start


func ours_decode(times: int) -> int:
	var given := bytes
	var answer: Variant
	var start := Time.get_ticks_usec()
	for i in times:
		answer = VariantStream.decode(given)
	return Time.get_ticks_usec() - start
