extends SceneTree
## Acts as a hostile client of the arena: it plays for a while as others do, then sends what nobody should, until
## the server ends its connection.
##   … -s res://tests/arena/hostile.gd -- --port N
## rehearsal.gd starts it.

const Messages := preload("res://demo/arena/messages.gd")
const Options := preload("res://addons/variant_stream/ci/options.gd")

const PATIENCE_MSEC := 30_000
const HONEST_MSEC := 2000
const PACKETS_A_FRAME := 40

var _protocol := Messages.protocol()
var _greeted_at := 0
var _random := RandomNumberGenerator.new()


func _initialize() -> void:
	Engine.max_fps = 60
	_random.seed = 13
	var options := Options.new(OS.get_cmdline_user_args(), {"port": 0}).values
	var peer := ENetMultiplayerPeer.new()
	if peer.create_client("127.0.0.1", options.port) != OK:
		quit(1)
		return
	get_multiplayer().multiplayer_peer = peer
	get_multiplayer().server_disconnected.connect(quit)
	get_multiplayer().connection_failed.connect(quit.bind(1))
	_protocol.greeted.connect(func(_peer: int) -> void: _greeted_at = Time.get_ticks_msec())
	for name: StringName in [&"over", &"world"]:
		_protocol.on(name, Callable())
	_protocol.attach(get_multiplayer())


func _process(_delta: float) -> bool:
	var now := Time.get_ticks_msec()
	if _greeted_at > 0 and now - _greeted_at > HONEST_MSEC and 1 in get_multiplayer().get_peers():
		for packet in PACKETS_A_FRAME:
			(get_multiplayer() as SceneMultiplayer).send_bytes(_packet(packet), 1, MultiplayerPeer.TRANSFER_MODE_UNRELIABLE)
	return now > PATIENCE_MSEC


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
	return _protocol.encode(&"move", {"dir": Vector2.RIGHT})


func _chance(size: int) -> PackedByteArray:
	var bytes := PackedByteArray()
	for at in size:
		bytes.append(_random.randi_range(0, 255))
	return bytes
