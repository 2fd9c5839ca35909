@tool
extends EditorDebuggerPlugin
## Takes messages of a running game out of the debugger session: bytes of VariantStream.tap(), bytes that a codec accepted or
## refused, bytes that a reader refused, and what a VariantProtocol sent, received and counted.

## Reports tapped bytes: their label, how many there were, and those that came.
signal tapped(label: String, size_of_all: int, bytes: PackedByteArray)
## Reports bytes that a codec accepted, in the same form.
signal accepted(label: String, size_of_all: int, bytes: PackedByteArray)
## Reports refused bytes, in the same form, with the reason.
signal refused(label: String, size_of_all: int, bytes: PackedByteArray, reason: String)
## Reports a message of a protocol, as live_list.gd takes it.
signal message_seen(name: String, is_sent: bool, peer: int, size: int, value: PackedByteArray, reason: String)
## Reports the counts of a second, by the names of messages.
signal traffic_counted(traffic: Dictionary)

const MESSAGE_TYPES: PackedInt32Array = [TYPE_STRING, TYPE_BOOL, TYPE_INT, TYPE_INT, TYPE_INT, TYPE_PACKED_BYTE_ARRAY, TYPE_STRING]


func _has_capture(prefix: String) -> bool:
	return prefix == "variant_stream"


func _capture(message: String, data: Array, _session_id: int) -> bool:
	# A game is not trusted to send what the library sends.
	var has_form := data.size() >= 3 and data[0] is String and data[1] is int and data[2] is PackedByteArray
	if has_form and message == "variant_stream:tap" and data.size() == 3:
		tapped.emit(data[0], data[1], data[2])
		return true
	if has_form and message == "variant_stream:accepted" and data.size() == 3:
		accepted.emit(data[0], data[1], data[2])
		return true
	if has_form and message == "variant_stream:refused" and data.size() == 4 and data[3] is String:
		refused.emit(data[0], data[1], data[2], data[3])
		return true
	if message == "variant_stream:message" and _is_message(data):
		message_seen.emit(data[0], data[1], data[2], data[3], data[5], data[6])
		return true
	if message == "variant_stream:traffic" and data.size() == 1 and _is_traffic(data[0]):
		traffic_counted.emit(data[0])
		return true
	return false


func _is_message(data: Array) -> bool:
	return data.map(func(part: Variant) -> int: return typeof(part)) == Array(MESSAGE_TYPES)


func _is_traffic(data: Variant) -> bool:
	if not data is Dictionary:
		return false
	for name: Variant in data:
		if not name is String or not data[name] is PackedInt64Array or data[name].size() != 5:
			return false
	return true
