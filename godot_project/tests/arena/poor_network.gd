extends RefCounted
## Passes UDP packets between clients and a server of this machine, and treats them as a poor network does: some
## are lost, all are late, and some overtake others. Whoever steps it says what time it is.

## The most packets that are under way. More are lost, as in a queue that is full.
const MOST_LATE := 4096

var _options: Dictionary
var _server := UDPServer.new()
## Each client with its own socket to the server: pairs of PacketPeerUDP.
var _pairs: Array[Array] = []
## Packets under way: the time at which each is due, its way out, its bytes.
var _late: Array[Array] = []
var _random := RandomNumberGenerator.new()


## `options` has `to`, a port, `loss` in percent, and `delay` and `jitter` in milliseconds.
func _init(options: Dictionary) -> void:
	_options = options
	_random.seed = 11


## Listens on a port of this machine, on any for 0. Returns the port, or 0 when it is taken.
func listen(port: int) -> int:
	return _server.get_local_port() if _server.listen(port, "127.0.0.1") == OK else 0


func step(now_msec: float) -> void:
	_server.poll()
	while _server.is_connection_available():
		var out := PacketPeerUDP.new()
		out.connect_to_host("127.0.0.1", _options.to)
		_pairs.append([_server.take_connection(), out])
	for pair in _pairs:
		_take(pair[0], pair[1], now_msec)
		_take(pair[1], pair[0], now_msec)
	var left: Array[Array] = []
	for packet in _late:
		if packet[0] <= now_msec:
			packet[1].put_packet(packet[2])
		else:
			left.append(packet)
	_late = left


func _take(from: PacketPeerUDP, to: PacketPeerUDP, now_msec: float) -> void:
	while from.get_available_packet_count() > 0:
		var packet := from.get_packet()
		if _random.randi_range(1, 100) <= _options.loss or _late.size() >= MOST_LATE:
			continue
		_late.append([now_msec + _options.delay + _random.randi_range(0, _options.jitter), to, packet])
