extends "res://tests/load/frame_server.gd"
## A game server at 60 frames a second that decodes under a schema what a hostile client sends over ENet.
##   godot --headless --path godot_project -s res://tests/enet/server.gd -- [--packets 20000] [--rate 2000]
## Prints one line a figure, ends with PASS or FAIL, and 0 or 1. --no-gate leaves the time of a frame out.

const Packets := preload("packets.gd")

const DEFAULTS := {"packets": 20_000, "rate": 2000, "no-gate": false}
const PATIENCE_MSEC := 55_000

var _host := ENetConnection.new()
var _frames := PackedFloat64Array()
## Packets of each answer; 0 for the accepted.
var _answers := {}


func _initialize() -> void:
	_begin(DEFAULTS, func() -> int: return _host.create_host_bound("127.0.0.1", 0, 4, 1))
	_codec.limits.max_bytes = Packets.MOST_BYTES
	_codec.schema = Packets.schema()


func _process(_delta: float) -> bool:
	var was_idle := _was_idle()
	var msec := _frame_msec(Time.get_ticks_usec())
	if not was_idle:
		return _was_idle() and not _fire()
	if _received > 0:
		_frames.append(msec)
	_take_all()
	if _received < _options.packets and Time.get_ticks_msec() < PATIENCE_MSEC:
		return false
	_conclude()
	return true


func _fire() -> bool:
	return _start_sender("res://tests/enet/client.gd", [
		"--port=%d" % _host.get_local_port(), "--packets=%d" % _options.packets, "--rate=%d" % _options.rate])


func _take_all() -> void:
	var event := _host.service()
	while event[0] > ENetConnection.EVENT_NONE:
		if event[0] == ENetConnection.EVENT_RECEIVE:
			_take(event[1].get_packet())
		event = _host.service()


func _take(packet: PackedByteArray) -> void:
	var number := _received
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
	for i: int in _options.packets:
		due[Packets.due(i)] = due.get(Packets.due(i), 0) + 1
	print("received %d packets, %d accepted" % [_received, _accepted])
	for name in Packets.DUE:
		if not name.is_empty():
			var kind := ClassDB.class_get_integer_constant(&"VariantCodec", name)
			print("%s: %d of %d" % [name, _answers.get(kind, 0), due[kind]])
	print("log lines %d" % lines)
	print("p99 frame: %.2f ms, %.2f without packets; a call takes %.1f us" % [
		_p99(_frames), _p99(_idle), _inside_usec / maxf(_received, 1.0)])
	var good := _answers == due and _wrong.is_empty() and lines == 0
	# A machine that does not hold 60 frames a second without packets says nothing about packets.
	var fast: bool = _options["no-gate"] or _p99(_frames) < GOAL_MSEC or _p99(_idle) >= GOAL_MSEC
	_end(good and fast)
