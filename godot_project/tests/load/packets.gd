extends RefCounted
## Makes the packets of the load test: five kinds of about 1.2 KB, each of a length of its own. By the length
## the server knows which answer is due. It sends and receives nothing.

## The names of VariantCodec's kinds of errors; empty for the good one.
const ANSWERS: PackedStringArray = ["", "INVALID_UTF8", "WRONG_ELEMENT_TYPE", "TOO_DEEP", "DUPLICATE_KEY"]
const LENGTH := 1200


static func kinds() -> Array[PackedByteArray]:
	return [_good(), _bad_text(), _wrong_elements(), _depth_bomb(), _key_flood()]


## Returns the answer due to a packet of this length, as one of VariantCodec's kinds; 0 for accepted, -1 for
## an unknown length.
static func answer(length: int) -> int:
	var kind := (length - LENGTH) / 4
	if length % 4 != 0 or kind < 0 or kind >= ANSWERS.size():
		return -1
	return ClassDB.class_get_integer_constant(&"VariantCodec", ANSWERS[kind]) if kind > 0 else 0


## Makes dictionaries as a game sends them, filled up with a byte array.
static func _good() -> PackedByteArray:
	var players: Array[Dictionary] = []
	for i in 8:
		players.append({"id": i, "name": "player %d" % i, "pos": Vector3(i, 0, -i), "aim": 0.1 * i})
	var fill := PackedByteArray()
	while var_to_bytes({"tick": 7, "players": players, "fill": fill}).size() < LENGTH:
		fill.append(1)
	return _of_length(var_to_bytes({"tick": 7, "players": players, "fill": fill}), 0)


static func _bad_text() -> PackedByteArray:
	var packet := PackedByteArray([4, 0, 0, 0, 0, 0, 0, 0])
	packet.resize(LENGTH + 4)
	packet.encode_u32(4, LENGTH - 4)
	for at in range(8, packet.size()):
		packet[at] = 0xff
	return _of_length(packet, 1)


## Makes Strings under the declaration of Array[int].
static func _wrong_elements() -> PackedByteArray:
	var packet := PackedByteArray([28, 0, 1, 0, 2, 0, 0, 0, 99, 0, 0, 0])
	for i in 99:
		packet.append_array(var_to_bytes("four"))
	return _filled(packet, 2)


static func _depth_bomb() -> PackedByteArray:
	var packet := PackedByteArray()
	for i in 151:
		packet.append_array([28, 0, 0, 0, 1, 0, 0, 0])
	return _filled(packet, 3)


## Makes 100 keys, the last one equal to the first.
static func _key_flood() -> PackedByteArray:
	var packet := PackedByteArray([27, 0, 0, 0, 100, 0, 0, 0])
	for i in 100:
		packet.append_array([2, 0, 0, 0, i % 99, 0, 0, 0, 0, 0, 0, 0])
	return _filled(packet, 4)


static func _filled(packet: PackedByteArray, kind: int) -> PackedByteArray:
	packet.resize(LENGTH + 4 * kind)
	return packet


static func _of_length(packet: PackedByteArray, kind: int) -> PackedByteArray:
	assert(packet.size() == LENGTH + 4 * kind)
	return packet
