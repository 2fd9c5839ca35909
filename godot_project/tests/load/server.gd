extends "frame_server.gd"
## Runs a game server at 60 frames a second that decodes whatever a second process sends over UDP.
##   godot --headless --path godot_project -s res://tests/load/server.gd -- [--seconds 30] [--rate 2000]
## For as long before that it receives the same packets and does nothing with them: the control, which
## measures what the machine and the packets themselves cost. It prints one line a figure, ends with PASS or
## FAIL, and 0 or 1. --no-gate leaves the times out of the verdict.

const Packets := preload("packets.gd")

const DEFAULTS := {"seconds": 30, "rate": 2000, "no-gate": false}
## The least share of packets that must arrive. UDP may lose packets when a machine is busy, and a test that
## got hardly any shows nothing.
const LEAST_SHARE := 0.5

var _peer := PacketPeerUDP.new()
var _ends := 0
## The time until which packets are dropped.
var _control_ends := 0
## The time at which a sender that does not start is given up.
var _deadline := 0


func _initialize() -> void:
	_begin(DEFAULTS, func() -> int: return _peer.bind(0, "127.0.0.1", 1 << 20))


func _process(_delta: float) -> bool:
	var started := Time.get_ticks_usec()
	if _deadline == 0:
		return _is_rested() and not _fire()
	var is_real := started >= _control_ends and _ends > 0
	if _ends > 0:
		_measure(_real if is_real else _control, _take_all.bind(is_real))
	elif _take_all(false) > 0:  # time counts from the first packet on
		_control_ends = started + _options.seconds * 1000000
		_ends = _control_ends + _options.seconds * 1000000
	var is_over := started > (_ends if _ends > 0 else _deadline)
	if is_over:
		_conclude()
	return is_over


func _fire() -> bool:
	_deadline = Time.get_ticks_usec() + 20000000
	return _start_sender("res://tests/load/sender.gd", [
		"--port=%d" % _peer.get_local_port(), "--seconds=%d" % (2 * _options.seconds), "--rate=%d" % _options.rate])


func _take_all(is_real: bool) -> int:
	var came := 0
	while _peer.get_available_packet_count() > 0:
		var packet := _peer.get_packet()
		came += 1
		if is_real:
			_take(packet)
	return came


func _take(packet: PackedByteArray) -> void:
	var due := Packets.answer(packet.size())
	var kind := _decode(packet)
	if kind != due:
		_note_wrong("a packet of %d bytes: kind %d, not %d" % [packet.size(), kind, due])


func _conclude() -> void:
	var lines := _logged()
	print("received %d packets, %d accepted, %d refused, %d wrong answers" % [
		_received, _accepted, _received - _accepted, _wrong.size()])
	print("log lines %d" % lines)
	var came := _received / float(_options.seconds * _options.rate)
	var good := _wrong.is_empty() and lines == 0 and came > LEAST_SHARE and _accepted > 0
	_end(_is_fast() and good)
