extends "res://bench/static_jobs.gd"
## Times a tick of a server that sends 1,000 bodies to 32 peers, 30 kB a second each, over lines that lose 5 of 100 packets
## each way, against the 4 ms that it may take: sending the state, and taking the acknowledgements. Clients are not timed.
## A tick here lasts longer than in a game, since all clients run in this process; a peer gets as many bytes a tick.

const Recording := preload("res://demo/motion/recording.gd")
const BODIES := 1000
const PEERS := 32
const ALLOWED_USEC := 4_000
const BYTES_A_TICK := 30_000.0 / Recording.RATE
## The time of a tick, and the ticks that are played before any is timed, and in each round.
const TICK_USEC := 120_000
const FIRST_TICKS := 45
const ROUND_TICKS := 10
## The ticks that a packet is on its way, and how many of a hundred are lost.
const DELAY := 2
const LOSS := 5

var _recording := Recording.new()
var _server := VariantProtocol.new()
var _clients: Array[VariantProtocol] = []
## Packets on their way, each with its tick, the peer and the bytes: those to clients, and those to the server.
var _down: Array[Array] = []
var _up: Array[Array] = []
var _random := RandomNumberGenerator.new()
var _tick := 0
var _bytes := 0


func _init(given: Variant) -> void:
	super(given)
	_random.seed = 7
	_server.policy = {
		"packets_per_second": 100_000, "bytes_per_second": 0, "state_bytes_per_second": BYTES_A_TICK * 1e6 / TICK_USEC,
	}
	_server.carrier = _carry_down
	_server.add_state(&"bodies", Recording.schema(BODIES))
	for at in PEERS:
		var client := VariantProtocol.new()
		client.role = VariantProtocol.ROLE_CLIENT
		client.add_state(&"bodies", Recording.schema(BODIES))
		client.policy = {"packets_per_second": 100_000, "own_packets_per_second": 100_000, "own_bytes_per_second": 0}
		client.carrier = _carry_up.bind(at + 2)
		client.on(&"bodies", Callable())
		client.connect_peer(1)
		client.greet_peer(1)
		_clients.append(client)
		_server.connect_peer(at + 2)
		_server.greet_peer(at + 2)


func _notification(what: int) -> void:
	if what == NOTIFICATION_PREDELETE:
		_server.carrier = Callable()
		for client in _clients:
			client.carrier = Callable()


static func bodies() -> Dictionary:
	return Recording.new().state(0, BODIES)


## The mean bytes that a peer got in a tick.
func size() -> int:
	return _bytes / maxi(1, _tick * PEERS)


func difference() -> String:
	_play(FIRST_TICKS)
	for client in _clients:
		var info := client.get_state_info(&"bodies")
		if info.is_empty() or info.missing > 0:
			return "a peer has not got all parts after %d ticks: %s" % [FIRST_TICKS, info]
	return "" if _server.get_error().is_empty() else _server.get_error_message()


func engine_encode(times: int) -> int:
	return ALLOWED_USEC * times


func ours_encode(times: int) -> int:
	return _play(ROUND_TICKS) * times / ROUND_TICKS


## Plays some ticks, and returns the microseconds that they took the server.
func _play(ticks: int) -> int:
	var taken := 0
	for i in ticks:
		var begun := Time.get_ticks_usec()
		var state := _recording.state(_tick, BODIES)
		var due := _due(_up)
		var start := Time.get_ticks_usec()
		for packet: Array in due:
			_server.receive(packet[1], packet[2])
		_server.send_state(&"bodies", state)
		_server.tick()
		taken += Time.get_ticks_usec() - start
		for packet: Array in _due(_down):
			_clients[packet[1] - 2].receive(1, packet[2])
		for client in _clients:
			client.tick()
		_tick += 1
		OS.delay_usec(maxi(0, TICK_USEC - (Time.get_ticks_usec() - begun)))
	return taken


func _due(line: Array[Array]) -> Array[Array]:
	var due: Array[Array] = []
	while not line.is_empty() and line[0][0] <= _tick:
		due.append(line.pop_front())
	return due


func _carry_down(peer: int, packet: PackedByteArray, _mode: int) -> void:
	_bytes += packet.size()
	if _random.randi_range(1, 100) > LOSS:
		_down.append([_tick + DELAY, peer, packet])


func _carry_up(_peer: int, packet: PackedByteArray, _mode: int, from: int) -> void:
	if _random.randi_range(1, 100) > LOSS:
		_up.append([_tick + DELAY, from, packet])
