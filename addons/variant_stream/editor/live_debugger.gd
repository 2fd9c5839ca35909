@tool
extends EditorDebuggerPlugin
## Takes two messages of a running game out of the debugger session: bytes of VariantStream.tap(), and bytes that a codec
## refused.

## Reports tapped bytes: their label, how many there were, and those that came.
signal tapped(label: String, size_of_all: int, bytes: PackedByteArray)
## Reports refused bytes, in the same form, with the codec's reason.
signal refused(label: String, size_of_all: int, bytes: PackedByteArray, reason: String)


func _has_capture(prefix: String) -> bool:
	return prefix == "variant_stream"


func _capture(message: String, data: Array, _session_id: int) -> bool:
	# A game is not trusted to send what the library sends.
	var has_form := data.size() >= 3 and data[0] is String and data[1] is int and data[2] is PackedByteArray
	if has_form and message == "variant_stream:tap" and data.size() == 3:
		tapped.emit(data[0], data[1], data[2])
		return true
	if has_form and message == "variant_stream:refused" and data.size() == 4 and data[3] is String:
		refused.emit(data[0], data[1], data[2], data[3])
		return true
	return false
