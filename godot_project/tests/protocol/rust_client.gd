extends SceneTree
## Plays on the server in Rust over TCP, rust/protocol/examples/server.rs, and attacks it over a second connection.
##   … -s res://tests/protocol/rust_client.gd -- --port N --protocol FILE
## rust/protocol/tests/server.rs starts it. The exit code is 0 if every move shows in the states that came back, most of them
## as differences, and if the attack was thrown out.

const Options := preload("res://addons/variant_stream/ci/options.gd")

const MOVES := 40
## The frames after which nothing more is waited for.
const PATIENCE := 60 * 30

var _protocol: VariantProtocol
var _tcp := StreamPeerTCP.new()
var _packets := PacketPeerStream.new()
var _hostile_tcp := StreamPeerTCP.new()
var _hostile := PacketPeerStream.new()
var _is_greeted := false
var _is_thrown_out := false
var _frames := 0
var _sent := 0
var _states := 0
var _deltas := 0
var _height := 0.0


func _initialize() -> void:
	Engine.max_fps = 60
	var options: Dictionary = Options.new(OS.get_cmdline_user_args(), {"port": 0, "protocol": ""}).values
	_protocol = VariantProtocol.from_json(FileAccess.get_file_as_string(options.protocol))
	_protocol.role = VariantProtocol.ROLE_CLIENT
	_protocol.carrier = _carry
	_protocol.on(&"world", _on_world)
	_protocol.greeted.connect(func(_peer: int) -> void: _is_greeted = true)
	_packets.stream_peer = _tcp
	_hostile.stream_peer = _hostile_tcp
	if _tcp.connect_to_host("127.0.0.1", options.port) != OK or _hostile_tcp.connect_to_host("127.0.0.1", options.port) != OK:
		_end("cannot connect")
		return
	_protocol.connect_peer(1)


func _process(_delta: float) -> bool:
	_frames += 1
	_tcp.poll()
	_attack()
	if _frames > PATIENCE:
		_end("no end after %d frames: %d states, at %f" % [_frames, _states, _height])
	elif _tcp.get_status() == StreamPeerTCP.STATUS_CONNECTED:
		_play()
	return false


func _play() -> void:
	while _packets.get_available_packet_count() > 0:
		var packet := _packets.get_packet()
		_deltas += int(packet[0] == 3 and packet[3] != 0)
		if _protocol.receive(1, packet) != OK:
			_end(_protocol.get_error_message())
	_protocol.tick()
	# Thirty a second: the protocol allows sixty.
	if _is_greeted and _sent < MOVES and _frames % 2 == 0:
		_sent += 1
		if _protocol.send(&"move", {"seq": _sent, "dir": Vector2(0.0, 1.0), "jump": _sent % 2 == 0}) != OK:
			_end(_protocol.get_error_message())
	if _height == MOVES and _is_thrown_out:
		_end("" if _deltas > _states / 2 else "%d of %d states were differences" % [_deltas, _states])


## Sends what is no message, until the server ends the connection.
func _attack() -> void:
	if _is_thrown_out:
		return
	_hostile_tcp.poll()
	match _hostile_tcp.get_status():
		StreamPeerTCP.STATUS_CONNECTED:
			if _is_greeted:
				_hostile.put_packet(PackedByteArray([99, 1, 2, 3]))
		StreamPeerTCP.STATUS_NONE, StreamPeerTCP.STATUS_ERROR:
			_is_thrown_out = true


func _carry(_peer: int, packet: PackedByteArray, _mode: int) -> void:
	_packets.put_packet(packet)


func _on_world(_peer: int, world: Dictionary) -> void:
	_states += 1
	for player: Dictionary in world.players:
		_height = maxf(_height, player.pos.y)


func _end(trouble: String) -> void:
	print("%d moves, %d states, %d of them differences" % [_sent, _states, _deltas])
	if not trouble.is_empty():
		printerr(trouble)
	_protocol.carrier = Callable()
	_tcp.disconnect_from_host()
	_hostile_tcp.disconnect_from_host()
	quit(0 if trouble.is_empty() else 1)
