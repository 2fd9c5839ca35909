extends "part.gd"
## Receives packets from strangers: a server and a client joined by ENet, and a client that sends what does
## not fit. Good packets arrive, bad ones are counted by reason, and whoever sends one is disconnected. No
## method of the game is an RPC.

const GOOD := {"seq": 1, "dir": Vector2(1, 0), "act": "jump"}
const BAD: Array[Variant] = [{"seq": -1, "dir": Vector2.ZERO, "act": "jump"}, "nonsense"]
const PATIENCE_MSEC := 5000

var received: Array[Dictionary] = []
## The number of refused packets, by VariantCodec.ErrorKind.
var refused: Dictionary = {}

var _codec := VariantCodec.new()
## The server's API, in a game the `multiplayer` of a node; this one needs no scene.
var _server := SceneMultiplayer.new()
var _port := 0


func _init() -> void:
	_codec.limits = VariantLimits.network()
	_codec.limits.max_bytes = 1400
	_codec.schema = VariantSchema.dict({
		"seq": VariantSchema.int(0, 0xFFFF_FFFF),
		"dir": VariantSchema.vector2().max_length(1.01),
		"act": VariantSchema.enum(["none", "jump", "fire"]),
	})
	_server.root_path = ^"/root"
	# No client reaches another client through the server.
	_server.server_relay = false
	_server.peer_packet.connect(_on_peer_packet)


func serve() -> Error:
	var peer := ENetMultiplayerPeer.new()
	peer.set_bind_ip("127.0.0.1")
	var error := peer.create_server(0)
	if error == OK:
		_port = peer.host.get_local_port()
		_server.multiplayer_peer = peer
	return error


## Moves packets; a game calls it once a frame.
func poll() -> void:
	# The engine logs each call of an RPC that does not exist, and any client can make those.
	Engine.print_error_messages = false
	_server.poll()
	Engine.print_error_messages = true


func _on_peer_packet(sender: int, packet: PackedByteArray) -> void:
	if _codec.decode(packet) == OK:
		# The schema lets nothing else through.
		var move: Dictionary = _codec.data
		received.append(move)
		return
	var code: int = _codec.get_error().code
	refused[code] = refused.get(code, 0) + 1
	_server.disconnect_peer(sender)


func play() -> String:
	checked.emit("the server listens", serve() == OK)
	var client := _connected()
	for i in 3:
		client.send_bytes(_codec.encode(GOOD), 1)
	checked.emit("good packets arrive", _wait([client], func() -> bool: return received.size() == 3))
	checked.emit("as they were sent", received.all(func(move: Dictionary) -> bool: return move == GOOD))
	checked.emit("what does not fit is not sent", _codec.encode(BAD[0]).is_empty())
	for bad: Variant in BAD:
		var hostile := _connected()
		hostile.send_bytes(var_to_bytes(bad), 1)
		checked.emit("whoever sends a bad packet is disconnected", _wait([client, hostile], func() -> bool: return (
				not 1 in hostile.get_peers())))
	# This is a dictionary that claims two thousand million entries.
	var claimant := _connected()
	claimant.send_bytes(PackedByteArray([27, 0, 0, 0, 255, 255, 255, 127]), 1)
	checked.emit("three bad packets are refused", _wait([client, claimant], func() -> bool: return refused.size() == 3))
	client.send_bytes(_codec.encode(GOOD), 1)
	checked.emit("the first client is still there", _wait([client], func() -> bool: return received.size() == 4))
	client.multiplayer_peer.close()
	_server.multiplayer_peer.close()
	return "packets: %d received, refused by code: %s" % [received.size(), refused]


func _connected() -> SceneMultiplayer:
	var peer := ENetMultiplayerPeer.new()
	peer.create_client("127.0.0.1", _port)
	var client := SceneMultiplayer.new()
	client.root_path = ^"/root"
	client.multiplayer_peer = peer
	checked.emit("a client connects", _wait([client], func() -> bool: return 1 in client.get_peers()))
	return client


func _wait(clients: Array[SceneMultiplayer], holds: Callable) -> bool:
	var until := Time.get_ticks_msec() + PATIENCE_MSEC
	while not holds.call() and Time.get_ticks_msec() < until:
		poll()
		for client in clients:
			client.poll()
		OS.delay_msec(1)
	return holds.call()
