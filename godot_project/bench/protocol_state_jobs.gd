extends "res://bench/static_jobs.gd"
## Times VariantProtocol.receive() of a state of 50 entities, each as its difference from two that were received, handler called,
## against a dispatcher in GDScript that gets the whole state and checks every key, type and range.

const PackValues := preload("res://bench/pack_values.gd")
const TICKS := 200
## So few ids that a state fits a packet.
const IDS := 64
const BOX := AABB(Vector3(-1024, -1024, -1024), Vector3(2048, 2048, 2048))
const STATES: Array[String] = ["idle", "run", "jump"]

## The packets of that many ticks, as a server sends them to a client that has all of them.
var _packets: Array[PackedByteArray] = []
var _client: VariantProtocol
var _next := 0
var _last: Dictionary
var _heard := 0


func _init(given: Variant) -> void:
	super(given)
	var server := VariantProtocol.new()
	var sent: Array[PackedByteArray] = []
	var acks: Array[PackedByteArray] = []
	server.add_state(&"crowd", schema())
	server.policy = {"packets_per_second": 100_000, "bytes_per_second": 0}
	server.carrier = func(_peer: int, packet: PackedByteArray, _mode: int) -> void: sent.append(packet)
	server.connect_peer(7)
	server.greet_peer(7)
	_begin()
	_client.carrier = func(_peer: int, packet: PackedByteArray, _mode: int) -> void: acks.append(packet)
	for tick in TICKS:
		server.send_state(&"crowd", crowd(tick))
		for packet in sent:
			_client.receive(1, packet)
			# The handshake goes before, and is no state.
			if packet[0] != 0:
				_packets.append(packet)
		_client.tick()
		for ack in acks:
			server.receive(7, ack)
		sent.clear()
		acks.clear()
	_client.carrier = Callable()
	server.carrier = Callable()


static func crowd(tick: int) -> Dictionary:
	var state := PackValues.crowd(tick)
	for at: int in state.entities.size():
		state.entities[at].id = at
	return state


static func schema() -> VariantSchema:
	return VariantSchema.dict({
		"tick": VariantSchema.int(0, 0xFFFF_FFFF),
		"entities": VariantSchema.array(VariantSchema.dict({
			"id": VariantSchema.int(0, IDS - 1),
			"pos": VariantSchema.vector3().within(BOX).quantized(0.01),
			"vel": VariantSchema.vector3().quantized(0.05, -20, 20),
			"rot": VariantSchema.quaternion().bits(10),
			"hp": VariantSchema.int(0, 100),
			"state": VariantSchema.enum(STATES).room_for(8),
		})).keyed("id").max_size(IDS),
	})


func _notification(what: int) -> void:
	if what == NOTIFICATION_PREDELETE:
		_client.on(&"crowd", Callable())


## Makes a client that has received nothing.
func _begin() -> void:
	if _client != null:
		_client.on(&"crowd", Callable())
	_next = 0
	_client = VariantProtocol.new()
	_client.role = VariantProtocol.ROLE_CLIENT
	_client.add_state(&"crowd", schema())
	_client.policy = {
		"packets_per_second": 1_000_000, "bytes_per_second": 0, "own_packets_per_second": 100_000, "own_bytes_per_second": 0,
	}
	_client.on(&"crowd", _on_crowd)
	_client.connect_peer(1)
	_client.greet_peer(1)


## The bytes of the last state's packet.
func size() -> int:
	return _packets[-1].size()


func difference() -> String:
	if _packets.size() != TICKS:
		return "%d packets for %d states" % [_packets.size(), TICKS]
	_begin()
	for packet in _packets:
		if _client.receive(1, packet) != OK:
			return _client.get_error_message()
	var sent := crowd(TICKS - 1)
	var codec := VariantCodec.new()
	codec.schema = schema()
	codec.form = VariantCodec.FORM_PACKED
	if _last.tick != sent.tick or codec.encode(_last) != codec.encode(sent):
		return "value: %s" % _last
	_last = {}
	return "" if _receive_by_hand(bytes) and _last == value else "the dispatcher by hand: %s" % _last


func engine_decode(times: int) -> int:
	var given := bytes
	var start := Time.get_ticks_usec()
	for i in times:
		_receive_by_hand(given)
	return Time.get_ticks_usec() - start


func ours_decode(times: int) -> int:
	var taken := 0
	var left := times
	while left > 0:
		if _next == _packets.size():
			_begin()
		var end := mini(_packets.size(), _next + left)
		left -= end - _next
		var start := Time.get_ticks_usec()
		while _next < end:
			_client.receive(1, _packets[_next])
			_next += 1
		taken += Time.get_ticks_usec() - start
	return taken


func _receive_by_hand(given: PackedByteArray) -> bool:
	var data: Variant = bytes_to_var(given)
	if typeof(data) != TYPE_DICTIONARY or data.size() != 2:
		return false
	var tick: Variant = data.get("tick")
	var entities: Variant = data.get("entities")
	if typeof(tick) != TYPE_INT or tick < 0 or tick > 0xFFFF_FFFF or typeof(entities) != TYPE_ARRAY or entities.size() > 200:
		return false
	if not entities.all(_is_entity):
		return false
	_on_crowd(1, data)
	return true


func _is_entity(data: Variant) -> bool:
	if typeof(data) != TYPE_DICTIONARY or data.size() != 6:
		return false
	var id: Variant = data.get("id")
	var hp: Variant = data.get("hp")
	if typeof(id) != TYPE_INT or id < 0 or id > 65535 or typeof(hp) != TYPE_INT or hp < 0 or hp > 100:
		return false
	var pos: Variant = data.get("pos")
	var vel: Variant = data.get("vel")
	if typeof(pos) != TYPE_VECTOR3 or not BOX.has_point(pos) or typeof(vel) != TYPE_VECTOR3 or not vel.is_finite():
		return false
	var rot: Variant = data.get("rot")
	return typeof(rot) == TYPE_QUATERNION and rot.is_finite() and data.get("state") in STATES


func _on_crowd(_id: int, data: Dictionary) -> void:
	_heard += 1
	_last = data
