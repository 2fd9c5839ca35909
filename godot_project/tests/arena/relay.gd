extends SceneTree
## Passes UDP packets between clients and a server of this machine, and treats them as a poor network does: some
## are lost, all are late, and some overtake others.
##   … -s res://tests/arena/relay.gd -- --listen N --to N [--loss 5] [--delay 40] [--jitter 30] [--seconds 60]
## --loss is in percent, --delay and --jitter are in milliseconds. rehearsal.gd starts it.

const Options := preload("res://addons/variant_stream/ci/options.gd")

const DEFAULTS := {"listen": 0, "to": 0, "loss": 5, "delay": 40, "jitter": 30, "seconds": 60}
## The most packets that are under way. More are lost, as in a queue that is full.
const MOST_LATE := 4096

var _options: Dictionary
var _server := UDPServer.new()
## Each client with its own socket to the server: pairs of PacketPeerUDP.
var _pairs: Array[Array] = []
## Packets under way: the time at which each is due, its way out, its bytes.
var _late: Array[Array] = []
var _random := RandomNumberGenerator.new()


func _initialize() -> void:
	# A frame is the step in which packets move.
	Engine.max_fps = 250
	_random.seed = 11
	_options = Options.new(OS.get_cmdline_user_args(), DEFAULTS).values
	if _server.listen(_options.listen, "127.0.0.1") != OK:
		print("the relay has no port")
		quit(1)


func _process(_delta: float) -> bool:
	_server.poll()
	while _server.is_connection_available():
		var out := PacketPeerUDP.new()
		out.connect_to_host("127.0.0.1", _options.to)
		_pairs.append([_server.take_connection(), out])
	for pair in _pairs:
		_take(pair[0], pair[1])
		_take(pair[1], pair[0])
	var now := Time.get_ticks_msec()
	var left: Array[Array] = []
	for packet in _late:
		if packet[0] <= now:
			packet[1].put_packet(packet[2])
		else:
			left.append(packet)
	_late = left
	return now > _options.seconds * 1000


func _take(from: PacketPeerUDP, to: PacketPeerUDP) -> void:
	while from.get_available_packet_count() > 0:
		var packet := from.get_packet()
		if _random.randi_range(1, 100) <= _options.loss or _late.size() >= MOST_LATE:
			continue
		var due: int = Time.get_ticks_msec() + _options.delay + _random.randi_range(0, _options.jitter)
		_late.append([due, to, packet])
