extends "res://tests/load/frame_server.gd"
## Runs a game server at 60 frames a second that decodes under a schema the packets of a hostile client over
## ENet.
##   godot --headless --path godot_project -s res://tests/enet/server.gd -- [--packets 20000] [--rate 2000]
## As many packets before those are the control: they are received, and nothing is done with them. It prints
## one line a figure, ends with PASS or FAIL, and 0 or 1. --no-gate leaves the times out of the verdict.

const Packets := preload("packets.gd")

const DEFAULTS := {"packets": 20_000, "rate": 2000, "no-gate": false}
const PATIENCE_MSEC := 55_000

var _host := ENetConnection.new()
var _fired := false
## Packets that came, those of the control too.
var _came := 0
## Packets of each answer; 0 is for the accepted.
var _answers := {}


func _initialize() -> void:
	_begin(DEFAULTS, func() -> int: return _host.create_host_bound("127.0.0.1", 0, 4, 1))
	_codec.limits.max_bytes = Packets.MOST_BYTES
	_codec.schema = Packets.schema()


func _process(_delta: float) -> bool:
	if not _fired:
		return _is_rested() and not _fire()
	if _came > 0:
		_measure(_control if _came < _options.packets else _real, _take_all)
	else:
		_take_all()
	if _received < _options.packets and Time.get_ticks_msec() < PATIENCE_MSEC:
		return false
	_conclude()
	return true


func _fire() -> bool:
	_fired = true
	return _start_sender("res://tests/enet/client.gd", ["--port=%d" % _host.get_local_port(),
		"--packets=%d" % (2 * _options.packets), "--rate=%d" % _options.rate])


func _take_all() -> int:
	var before := _came
	var event := _host.service()
	while event[0] > ENetConnection.EVENT_NONE:
		if event[0] == ENetConnection.EVENT_RECEIVE:
			var packet: PackedByteArray = event[1].get_packet()
			_came += 1
			if _came > _options.packets:
				_take(packet)
		event = _host.service()
	return _came - before


func _take(packet: PackedByteArray) -> void:
	var number := _came - 1
	var due := Packets.due(number)
	var kind := _decode(packet)
	_answers[kind] = _answers.get(kind, 0) + 1
	if kind != due or (kind == 0 and _codec.data.seq != number):
		_note_wrong("packet %d: kind %d, not %d" % [number, kind, due])


func _conclude() -> void:
	var lines := _logged()
	for peer in _host.get_peers():
		peer.peer_disconnect_now()
	var due := {}
	for i in range(_options.packets, 2 * _options.packets):
		due[Packets.due(i)] = due.get(Packets.due(i), 0) + 1
	print("received %d packets, %d accepted" % [_received, _accepted])
	for name in Packets.DUE:
		if not name.is_empty():
			var kind := ClassDB.class_get_integer_constant(&"VariantCodec", name)
			print("%s: %d of %d" % [name, _answers.get(kind, 0), due[kind]])
	print("log lines %d" % lines)
	var good := _answers == due and _wrong.is_empty() and lines == 0
	_end(_is_fast() and good)
