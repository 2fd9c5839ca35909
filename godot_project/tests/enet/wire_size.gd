extends SceneTree
## Prints how many bytes a move takes on the wire over ENet, for each way in which a game can send it. ENet's
## own header is included, and those of UDP and IP (28 bytes) are not.
##   godot --headless --path godot_project -s res://tests/enet/wire_size.gd

const SENDS := 20
const NODE := "Net"
const MOVE := {"seq": 1234, "dir": Vector2(0.6, 0.8), "act": "jump"}
## The list that both sides know, so that names are not sent.
const ACTS: PackedStringArray = ["none", "jump", "fire"]

var _client := SceneMultiplayer.new()
var _server := SceneMultiplayer.new()
var _net: Net


class Net:
	extends Node

	@rpc("any_peer", "call_remote", "unreliable_ordered")
	func move(_seq: int, _dir: Vector2, _act: int) -> void:
		pass

	@rpc("any_peer", "call_remote", "unreliable_ordered")
	func move_as_dictionary(_move: Dictionary) -> void:
		pass


func _initialize() -> void:
	await process_frame
	for side: SceneMultiplayer in [_server, _client]:
		var place := Node.new()
		place.name = "Server" if side == _server else "Client"
		root.add_child(place)
		set_multiplayer(side, place.get_path())
		_net = Net.new()
		_net.name = NODE
		place.add_child(_net)
	quit(0 if _connect() and _print_all() else 1)


func _connect() -> bool:
	var server_peer := ENetMultiplayerPeer.new()
	server_peer.set_bind_ip("127.0.0.1")
	var client_peer := ENetMultiplayerPeer.new()
	if server_peer.create_server(0) != OK:
		return false
	_server.multiplayer_peer = server_peer
	client_peer.create_client("127.0.0.1", server_peer.host.get_local_port())
	_client.multiplayer_peer = client_peer
	_poll(func() -> bool: return 1 in _client.get_peers())
	return 1 in _client.get_peers()


func _print_all() -> bool:
	var ways := {
		"the Dictionary, by `send_bytes()`": _send.bind(VariantStream.encode(MOVE)),
		"an Array of its values, by `send_bytes()`": _send.bind(VariantStream.encode(MOVE.values())),
		"an RPC that takes the Dictionary": func() -> void: _net.move_as_dictionary.rpc_id(1, MOVE),
		"an RPC with three typed arguments": func() -> void: _net.move.rpc_id(1, MOVE.seq, MOVE.dir, ACTS.find(MOVE.act)),
		"written by hand (u32, two floats, u8), by `send_bytes()`": _send.bind(_by_hand()),
	}
	var schema := _schema()
	var next := MOVE.merged({"seq": MOVE.seq + 1}, true)
	ways["packed by its schema, by `send_bytes()`"] = _send.bind(schema.pack(MOVE))
	var codec := VariantCodec.new()
	codec.schema = schema
	codec.form = VariantCodec.FORM_PACKED
	codec.baseline = schema.pack(MOVE)
	ways["packed, as its difference from the move before"] = _send.bind(codec.encode(next))
	for way: String in ways:
		var bytes := _on_the_wire(ways[way])
		if bytes <= 0:
			return false
		print("| %s | %d |" % [way, bytes])
	return true


## Directions in steps of 0.01.
static func _schema() -> VariantSchema:
	return VariantSchema.dict({
		"seq": VariantSchema.int(0, 0xFFFF_FFFF),
		"dir": VariantSchema.vector2().quantized(0.01, -1, 1),
		"act": VariantSchema.enum(Array(ACTS)),
	})


func _send(bytes: PackedByteArray) -> void:
	_client.send_bytes(bytes, 1, MultiplayerPeer.TRANSFER_MODE_UNRELIABLE_ORDERED)


func _by_hand() -> PackedByteArray:
	var buffer := StreamPeerBuffer.new()
	buffer.put_u32(MOVE.seq)
	buffer.put_float(MOVE.dir.x)
	buffer.put_float(MOVE.dir.y)
	buffer.put_u8(ACTS.find(MOVE.act))
	return buffer.data_array


## Returns the least size of several sends: the first RPC carries the path of its node, and ENet has pings and
## acknowledgements of its own.
func _on_the_wire(send: Callable) -> int:
	var host: ENetConnection = (_client.multiplayer_peer as ENetMultiplayerPeer).host
	var least := 1 << 30
	for turn in SENDS:
		_poll(func() -> bool: return false, 5)
		host.pop_statistic(ENetConnection.HOST_TOTAL_SENT_DATA)
		send.call()
		host.flush()
		least = mini(least, int(host.pop_statistic(ENetConnection.HOST_TOTAL_SENT_DATA)))
	return least


func _poll(holds: Callable, turns := 2000) -> void:
	for turn in turns:
		_server.poll()
		_client.poll()
		if holds.call():
			return
		OS.delay_msec(1)
