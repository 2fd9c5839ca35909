extends StreamPeerExtension
## Implements a stream in script: it answers what a test sets.

var there := 0
var given := []
var taken := []


@warning_ignore("native_method_override")
func get_available_bytes() -> int:
	return there


@warning_ignore("native_method_override")
func get_partial_data(_bytes: int) -> Array:
	return given


@warning_ignore("native_method_override")
func put_partial_data(_data: PackedByteArray) -> Array:
	return taken
