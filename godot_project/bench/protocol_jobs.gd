extends "res://bench/static_jobs.gd"
## Times VariantProtocol.receive() of a small message, handler called, against a dispatcher in GDScript with the same checks: the
## peer, whether it was thrown out, the size, its budget, the id, the direction, the handshake, the rate, then every key, type and
## range. Both count packets, bytes and messages of each peer.

const PEER := 7
## More than a run sends, so that no budget speaks.
const MANY := 1_000_000

var protocol := VariantProtocol.new()
var packet: PackedByteArray
var by_hand: PackedByteArray
var heard := 0
var last: Dictionary
## The dispatcher by hand keeps here what is left of each budget, and when it was filled.
var peers: Dictionary[int, Dictionary] = {}
var handlers: Dictionary[int, Callable] = {}


func _init(given: Variant) -> void:
	super(given)
	protocol.policy = {"packets_per_second": MANY, "bytes_per_second": 0}
	protocol.add(&"move", schema(), {"sender": VariantProtocol.CLIENT, "rate": MANY, "burst": MANY})
	protocol.on(&"move", _on_move)
	protocol.connect_peer(PEER)
	protocol.greet_peer(PEER)
	var client := VariantProtocol.new()
	client.role = VariantProtocol.ROLE_CLIENT
	client.add(&"move", schema(), {"sender": VariantProtocol.CLIENT, "rate": MANY, "burst": MANY})
	packet = client.encode(&"move", given)
	by_hand = PackedByteArray([1]) + var_to_bytes(given)
	var full := {"left": float(MANY), "at": Time.get_ticks_usec()}
	peers[PEER] = {
		"thrown_out": false, "greeted": true, "packets": full.duplicate(), "move": full.duplicate(),
		"packets_seen": 0, "bytes_seen": 0, "messages_seen": 0,
	}
	handlers[1] = _on_move


static func move() -> Dictionary:
	return {"seq": 4711, "dir": Vector2(0.6, -0.8), "jump": true}


static func schema() -> VariantSchema:
	return VariantSchema.dict({
		"seq": VariantSchema.int(0, 65535),
		"dir": VariantSchema.vector2().max_length(1.01),
		"jump": VariantSchema.bool(),
	})


func size() -> int:
	return packet.size()


func difference() -> String:
	if protocol.receive(PEER, packet) != OK:
		return protocol.get_error_message()
	if last != value or heard != 1:
		return "value: %s" % last
	last = {}
	if not receive_by_hand(PEER, by_hand) or last != value or heard != 2:
		return "the dispatcher by hand: %s" % last
	var bad := packet.duplicate()
	bad.resize(bad.size() - 1)
	return "" if protocol.receive(PEER, bad) != OK and heard == 2 else "a packet that is cut off is heard"


func engine_decode(times: int) -> int:
	var given := by_hand
	var start := Time.get_ticks_usec()
	for i in times:
		receive_by_hand(PEER, given)
	return Time.get_ticks_usec() - start


func ours_decode(times: int) -> int:
	var given := packet
	var start := Time.get_ticks_usec()
	for i in times:
		protocol.receive(PEER, given)
	return Time.get_ticks_usec() - start


func receive_by_hand(id: int, bytes: PackedByteArray) -> bool:
	if not peers.has(id):
		return false
	var peer := peers[id]
	peer.packets_seen += 1
	peer.bytes_seen += bytes.size()
	if peer.thrown_out or bytes.size() > 65536 or bytes.is_empty():
		return false
	var now := Time.get_ticks_usec()
	if not _take(peer.packets, now):
		return false
	var kind := bytes[0]
	# Only clients send moves, and the server is 1.
	if not handlers.has(kind) or id == 1 or not peer.greeted or not _take(peer.move, now):
		return false
	var data: Variant = bytes_to_var(bytes.slice(1))
	if not _is_move(data):
		return false
	peer.messages_seen += 1
	handlers[kind].call(id, data)
	return true


func _take(budget: Dictionary, now: int) -> bool:
	budget.left = minf(MANY, budget.left + (now - budget.at) * float(MANY) / 1e6)
	budget.at = now
	if budget.left < 1.0:
		return false
	budget.left -= 1.0
	return true


func _is_move(data: Variant) -> bool:
	if typeof(data) != TYPE_DICTIONARY or data.size() != 3:
		return false
	var seq: Variant = data.get("seq")
	if typeof(seq) != TYPE_INT or seq < 0 or seq > 65535:
		return false
	var dir: Variant = data.get("dir")
	if typeof(dir) != TYPE_VECTOR2 or not dir.is_finite() or dir.length() > 1.01:
		return false
	return typeof(data.get("jump")) == TYPE_BOOL


func _on_move(_id: int, data: Dictionary) -> void:
	heard += 1
	last = data
