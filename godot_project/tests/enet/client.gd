extends SceneTree
## Sends hostile packets over ENet to a port of this machine: --port N --packets N --rate N a second.
## server.gd starts it. Everything is sent reliably and in order, so that the server knows which packet it
## has.

const Options := preload("res://addons/variant_stream/ci/options.gd")
const Packets := preload("packets.gd")
## The milliseconds after which a server that does not answer is given up.
const PATIENCE := 60_000

var _host := ENetConnection.new()
var _peer: ENetPacketPeer
var _options: Dictionary
var _first_usec := 0
var _sent := 0


func _initialize() -> void:
	_options = Options.new(OS.get_cmdline_user_args(), {"port": 0, "packets": 2000, "rate": 2000}).values
	_host.create_host(1, 1)
	_peer = _host.connect_to_host("127.0.0.1", _options.port, 1)
	Engine.max_fps = 120


func _process(_delta: float) -> bool:
	var event: int = _host.service()[0]
	while event > ENetConnection.EVENT_NONE:
		if event == ENetConnection.EVENT_CONNECT:
			_first_usec = Time.get_ticks_usec()
		elif event == ENetConnection.EVENT_DISCONNECT:
			return true  # the server has all that it wants
		event = _host.service()[0]
	if _first_usec > 0:
		var due := mini(_options.packets, int((Time.get_ticks_usec() - _first_usec) / 1e6 * _options.rate))
		while _sent < due:
			_peer.send(0, Packets.packet(_sent), ENetPacketPeer.FLAG_RELIABLE)
			_sent += 1
	return Time.get_ticks_msec() > PATIENCE
