extends RefCounted
## Packets from strangers: a stream of them in pieces of any size, some hostile. Good ones arrive, bad ones are
## counted by reason, and none of them costs more than the limits allow.

signal checked(what: String, held: bool)

const GOOD := {"seq": 1, "dir": Vector2(1, 0), "act": "jump"}

var _schema := VariantSchema.dict({
	"seq": VariantSchema.int(0, 0xFFFF_FFFF),
	"dir": VariantSchema.vector2().max_length(1.01),
	"act": VariantSchema.enum(["none", "jump", "fire"]),
})


func play() -> String:
	var sent := PackedByteArray()
	for packet: Variant in [GOOD, {"seq": -1}, GOOD, "nonsense", GOOD]:
		sent.append_array(_framed(var_to_bytes(packet)))
	# A dictionary that claims two thousand million entries.
	sent.append_array(_framed(PackedByteArray([27, 0, 0, 0, 255, 255, 255, 127])))
	sent.append_array(_framed(var_to_bytes(GOOD)))
	var reader := VariantReader.new()
	reader.framing = VariantReader.FRAMING_U32
	reader.limits = VariantLimits.network()
	reader.schema = _schema
	var received := 0
	var reasons := {}
	for at in range(0, sent.size(), 7):
		reader.feed(sent.slice(at, at + 7))
		while true:
			if reader.next() == OK:
				received += 1
				checked.emit("packet %d arrives as it was sent" % received, reader.data == GOOD)
			elif reader.get_status() == VariantReader.REJECTED:
				var code: int = reader.get_error().code
				reasons[code] = reasons.get(code, 0) + 1
			else:
				break
	checked.emit("all good packets arrive", received == 4)
	checked.emit("three bad ones are refused, each for its reason", reasons.size() == 3)
	checked.emit("the stream is in step", reader.get_status() == VariantReader.NEED_MORE)
	return "packets: %d received, refused by code: %s" % [received, reasons]


## As StreamPeer.put_var() writes it: the length before the value.
static func _framed(bytes: PackedByteArray) -> PackedByteArray:
	var framed := PackedByteArray([0, 0, 0, 0])
	framed.encode_u32(0, bytes.size())
	framed.append_array(bytes)
	return framed
