extends "part.gd"
## Receives packets from strangers: a stream of them in pieces of any size, some hostile. Good ones arrive,
## bad ones are counted by reason, and none of them costs more than the limits allow.

const GOOD := {"seq": 1, "dir": Vector2(1, 0), "act": "jump"}

var received: Array[Dictionary] = []
## The number of refused packets, by VariantCodec.ErrorKind.
var refused: Dictionary = {}

var _reader := VariantReader.new()


func _init() -> void:
	_reader.framing = VariantReader.FRAMING_U32
	_reader.limits = VariantLimits.network()
	_reader.schema = VariantSchema.dict({
		"seq": VariantSchema.int(0, 0xFFFF_FFFF),
		"dir": VariantSchema.vector2().max_length(1.01),
		"act": VariantSchema.enum(["none", "jump", "fire"]),
	})


## Takes the bytes that came, in a game those of `StreamPeer.get_partial_data()`, and returns false when the
## sender has to be disconnected.
func take(piece: PackedByteArray) -> bool:
	_reader.feed(piece)
	while true:
		if _reader.next() == OK:
			# The schema lets nothing else through.
			var packet: Dictionary = _reader.data
			received.append(packet)
		elif _reader.get_status() == VariantReader.REJECTED:
			var code: int = _reader.get_error().code
			refused[code] = refused.get(code, 0) + 1
		else:
			# NEED_MORE: the rest comes with the next piece.
			return _reader.get_status() != VariantReader.BROKEN
	return true


func play() -> String:
	var sent := PackedByteArray()
	for packet: Variant in [GOOD, {"seq": -1}, GOOD, "nonsense", GOOD]:
		sent.append_array(_framed(var_to_bytes(packet)))
	# This is a dictionary that claims two thousand million entries.
	sent.append_array(_framed(PackedByteArray([27, 0, 0, 0, 255, 255, 255, 127])))
	sent.append_array(_framed(var_to_bytes(GOOD)))
	var is_in_step := true
	for at in range(0, sent.size(), 7):
		is_in_step = take(sent.slice(at, at + 7)) and is_in_step
	checked.emit("all good packets arrive", received.size() == 4)
	checked.emit("as they were sent", received.all(func(packet: Dictionary) -> bool: return packet == GOOD))
	checked.emit("three bad ones are refused, each for its reason", refused.size() == 3)
	checked.emit("the stream is in step", is_in_step)
	checked.emit("a length over the limit ends it", not take(PackedByteArray([255, 255, 255, 127])))
	return "packets: %d received, refused by code: %s" % [received.size(), refused]


## Frames bytes as StreamPeer.put_var() does: the length before the value.
static func _framed(bytes: PackedByteArray) -> PackedByteArray:
	var framed := PackedByteArray([0, 0, 0, 0])
	framed.encode_u32(0, bytes.size())
	framed.append_array(bytes)
	return framed
