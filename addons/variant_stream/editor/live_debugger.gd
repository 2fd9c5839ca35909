@tool
extends EditorDebuggerPlugin
## Takes what a running game hands to VariantStream.tap() out of the debugger session.

## A capture: its label, how many bytes there were, and those that came.
signal tapped(label: String, size_of_all: int, bytes: PackedByteArray)


func _has_capture(prefix: String) -> bool:
	return prefix == "variant_stream"


func _capture(message: String, data: Array, _session_id: int) -> bool:
	# A game is not trusted to send what ours sends.
	if message != "variant_stream:tap" or data.size() != 3:
		return false
	if not (data[0] is String and data[1] is int and data[2] is PackedByteArray):
		return false
	tapped.emit(data[0], data[1], data[2])
	return true
