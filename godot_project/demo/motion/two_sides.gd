extends RefCounted
## A server that sends states of bodies to a client over a line that takes time and loses packets, in one process. It counts
## the bytes of the packets, heads included.

const Recording := preload("recording.gd")

## The ticks that a packet is on its way.
var delay := 2
## How many of a hundred packets are lost.
var loss := 0
## The bytes of the packets of each of the last ticks.
var sizes := PackedInt32Array()
## The newest state that the client has.
var world := {}
var _server := VariantProtocol.new()
var _client := VariantProtocol.new()
var _tick := 0
## Packets on their way, each with its tick and whom it is for.
var _line: Array[Array] = []
var _random := RandomNumberGenerator.new()


func _init(most: int) -> void:
	_random.seed = 7
	_client.role = VariantProtocol.ROLE_CLIENT
	for side: VariantProtocol in [_server, _client]:
		side.add_state(&"bodies", Recording.schema(most))
	# A measurement plays its ticks as fast as it can: the acknowledgements of a minute may come within a second.
	_server.policy = {"packets_per_second": 100_000, "bytes_per_second": 0}
	_client.policy = {"own_packets_per_second": 100_000, "own_bytes_per_second": 0}
	_server.carrier = _carry.bind(_client, 1)
	_client.carrier = _carry.bind(_server, 7)
	_server.connect_peer(7)
	_client.connect_peer(1)
	_server.greet_peer(7)
	_client.greet_peer(1)
	_client.on(&"bodies", func(_peer: int, value: Dictionary) -> void: world = value)


func _carry(_peer: int, packet: PackedByteArray, _mode: int, to: VariantProtocol, from: int) -> void:
	if to == _client:
		sizes[-1] += packet.size()
	if _random.randi_range(1, 100) > loss:
		_line.append([_tick + delay, to, from, packet])


## Sends a state, and lets arrive what is due.
func step(state: Dictionary) -> void:
	sizes.append(0)
	_server.send_state(&"bodies", state)
	while not _line.is_empty() and _line[0][0] <= _tick:
		var due: Array = _line.pop_front()
		due[1].receive(due[2], due[3])
	_client.tick()
	_server.tick()
	_tick += 1


## Says how old the parts are that the client has, in states; -1 for nothing.
func spread() -> int:
	var info := _client.get_state_info(&"bodies")
	return (info.newest - info.oldest) & 0xFFFF if not info.is_empty() else -1


## The kB/s of the last ticks.
func kb(ticks: int) -> float:
	var last := sizes.slice(maxi(0, sizes.size() - ticks))
	var sum := 0
	for size in last:
		sum += size
	return float(sum) * Recording.RATE / maxi(1, last.size()) / 1000.0


func close() -> void:
	_server.carrier = Callable()
	_client.carrier = Callable()
	_client.on(&"bodies", Callable())
