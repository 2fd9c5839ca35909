extends SceneTree
## Sends hostile packets to a port of this machine: --port N --seconds N --rate N a second, the kinds in turn.
## server.gd starts it.

const Options := preload("res://addons/variant_stream/ci/options.gd")
const Packets := preload("packets.gd")

var _peer := PacketPeerUDP.new()
var _packets := Packets.kinds()
var _options: Dictionary
var _started := Time.get_ticks_usec()
var _sent := 0


func _initialize() -> void:
	_options = Options.new(OS.get_cmdline_user_args(), {"port": 0, "seconds": 3, "rate": 2000}).values
	_peer.connect_to_host("127.0.0.1", _options.port)
	Engine.max_fps = 250
	_started = Time.get_ticks_usec()


func _process(_delta: float) -> bool:
	var seconds := minf((Time.get_ticks_usec() - _started) / 1e6, _options.seconds)
	while _sent < int(seconds * _options.rate):
		_peer.put_packet(_packets[_sent % _packets.size()])
		_sent += 1
	return seconds >= _options.seconds
