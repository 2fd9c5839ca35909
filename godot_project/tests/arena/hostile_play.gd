extends RefCounted
## Acts as a hostile client of the arena: it plays for a while as others do, then sends what nobody should, until
## the server ends its connection. A frame of a process of its own is a step, or whoever holds both sides steps it.

const Messages := preload("res://demo/arena/messages.gd")

const HONEST_SECONDS := 2.0
const PACKETS_A_FRAME := 40

## Whether the connection has ended, or could not be made.
var is_over := false
var protocol := Messages.protocol()
var _api: SceneMultiplayer
var _random := RandomNumberGenerator.new()
var _is_greeted := false
var _played := 0.0


func _init(api: SceneMultiplayer, port: int) -> void:
	_api = api
	_random.seed = 13
	api.server_disconnected.connect(_end)
	api.connection_failed.connect(_end)
	protocol.greeted.connect(_on_greeted)
	for name: StringName in [&"over", &"world"]:
		protocol.on(name, Callable())
	var peer := ENetMultiplayerPeer.new()
	is_over = peer.create_client("127.0.0.1", port) != OK
	api.multiplayer_peer = peer
	protocol.attach(api)


func _on_greeted(_peer: int) -> void:
	_is_greeted = true


func _end() -> void:
	is_over = true


func step(delta: float) -> void:
	_played += delta if _is_greeted else 0.0
	if _played > HONEST_SECONDS and not is_over and 1 in _api.get_peers():
		for packet in PACKETS_A_FRAME:
			_api.send_bytes(_packet(packet), 1, MultiplayerPeer.TRANSFER_MODE_UNRELIABLE)


## Makes a packet of one of the kinds: a state, which is the server's to send; an id of no message; bytes of
## chance; a move that is too long; a confirmation of a state that never was; a flood of moves that are right.
func _packet(number: int) -> PackedByteArray:
	match number % 6:
		0:
			return PackedByteArray([4, 1, 0, 0, 1, 2, 3])
		1:
			return PackedByteArray([77, 1, 2, 3])
		2:
			return _chance(_random.randi_range(1, 200))
		3:
			return PackedByteArray([1, 0xFF, 0xFF, 0xFF])
		4:
			return PackedByteArray([0, 2, 4, 0xFF, 0xFF, 0, 0, 0, 0])
	return protocol.encode(&"move", {"dir": Vector2.RIGHT})


func _chance(size: int) -> PackedByteArray:
	var bytes := PackedByteArray()
	for at in size:
		bytes.append(_random.randi_range(0, 255))
	return bytes
