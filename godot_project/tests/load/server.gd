extends "frame_server.gd"
## A game server at 60 frames a second that decodes whatever comes in over UDP, under fire of a second process.
##   godot --headless --path godot_project -s res://tests/load/server.gd -- [--seconds 30] [--rate 2000]
## For as long before that it takes the same packets and does nothing with them: the control, which tells what the
## machine and the packets themselves cost. Prints one line a figure, ends with PASS or FAIL, and 0 or 1. --no-gate
## leaves the times out of the verdict.

const Packets := preload("packets.gd")
const ProcessorTime := preload("res://tests/processor_time.gd")

const DEFAULTS := {"seconds": 30, "rate": 2000, "no-gate": false}
## The goal for what the answers add to the processor's time, in parts of one core.
const GOAL_SHARE := 0.05
## UDP may lose packets when a machine is busy; a test that got hardly any shows nothing.
const LEAST_SHARE := 0.5

var _peer := PacketPeerUDP.new()
var _ends := 0
## Until then packets are thrown away.
var _control_ends := 0
## For a sender that does not come up at all.
var _deadline := 0
var _control := Phase.new()
var _real := Phase.new()


## What frames took, in milliseconds, our part of them, and the processor's time in nanoseconds.
class Phase:
	var frames := PackedFloat64Array()
	var work := PackedFloat64Array()
	var first_nsec := 0
	var last_nsec := 0

	func share() -> float:
		var msec := 0.0
		for frame in frames:
			msec += frame
		return (last_nsec - first_nsec) / maxf(msec * 1e6, 1.0)


func _initialize() -> void:
	_begin(DEFAULTS, func() -> int: return _peer.bind(0, "127.0.0.1", 1 << 20))


func _process(_delta: float) -> bool:
	var started := Time.get_ticks_usec()
	var was_idle := _was_idle()
	var msec := _frame_msec(started)
	if not was_idle:
		return _was_idle() and not _fire()
	while _peer.get_available_packet_count() > 0:
		var packet := _peer.get_packet()
		if started >= _control_ends and _ends > 0:
			_take(packet)
		if _ends == 0:  # time counts from the first packet on
			_control_ends = started + _options.seconds * 1000000
			_ends = _control_ends + _options.seconds * 1000000
			msec = 0.0
	if _ends > 0 and msec > 0.0:
		var phase := _control if started < _control_ends else _real
		phase.last_nsec = ProcessorTime.nsec()
		if phase.frames.is_empty():
			phase.first_nsec = phase.last_nsec
		phase.frames.append(msec)
		phase.work.append((Time.get_ticks_usec() - started) / 1e3)
	var is_over := started > (_ends if _ends > 0 else _deadline)
	if is_over:
		_conclude()
	return is_over


func _fire() -> bool:
	_deadline = Time.get_ticks_usec() + 20000000
	return _start_sender("res://tests/load/sender.gd", [
		"--port=%d" % _peer.get_local_port(), "--seconds=%d" % (2 * _options.seconds), "--rate=%d" % _options.rate])


func _take(packet: PackedByteArray) -> void:
	var due := Packets.answer(packet.size())
	var kind := _decode(packet)
	if kind != due:
		_note_wrong("a packet of %d bytes: kind %d, not %d" % [packet.size(), kind, due])


func _conclude() -> void:
	var lines := _logged()
	var frame := _p99(_real.frames)
	var idle := _p99(_idle)
	var added := _real.share() - _control.share()
	print("received %d packets, %d accepted, %d refused, %d wrong answers" % [
		_received, _accepted, _received - _accepted, _wrong.size()])
	print("log lines %d" % lines)
	print("p99 frame: %.2f ms, %.2f in the control, %.2f without packets" % [frame, _p99(_control.frames), idle])
	print("p99 work in a frame: %.2f ms, %.2f in the control" % [_p99(_real.work), _p99(_control.work)])
	print("processor: %.2f %% of a core, %.2f %% in the control; a call takes %.1f us, waits included" % [
		_real.share() * 100, _control.share() * 100, _inside_usec / maxf(_received, 1.0)])
	# Where the control does not hold 60 frames a second either, only what the answers add to a frame can be judged:
	# a processor that others use as well takes longer for everything.
	if maxf(idle, _p99(_control.frames)) >= GOAL_MSEC:
		print("this machine is too busy for 60 frames a second: the verdict is on the work that is added")
		frame = _p99(_real.work) - _p99(_control.work)
		added = 0.0
	var came := _received / float(_options.seconds * _options.rate)
	var good := _wrong.is_empty() and lines == 0 and came > LEAST_SHARE and _accepted > 0
	var fast: bool = _options["no-gate"] or (frame < GOAL_MSEC and added < GOAL_SHARE)
	_end(good and fast)
