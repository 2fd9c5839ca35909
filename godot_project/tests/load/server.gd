extends SceneTree
## A game server at 60 frames a second that decodes whatever comes in over UDP, under fire of a second process.
##   godot --headless --path godot_project -s res://tests/load/server.gd -- [--seconds 30] [--rate 2000]
## For as long before that it takes the same packets and does nothing with them: the control, which tells what the
## machine and the packets themselves cost. Prints one line a figure, ends with PASS or FAIL, and 0 or 1. --no-gate
## leaves the times out of the verdict.

const EngineProcess := preload("engine_process.gd")
const Options := preload("res://addons/variant_stream/ci/options.gd")
const Packets := preload("packets.gd")
const ProcessorTime := preload("res://tests/processor_time.gd")

const DEFAULTS := {"seconds": 30, "rate": 2000, "no-gate": false}
const LOGGER := 0x040500
## The goal: 99 of 100 frames within 60 a second.
const GOAL_MSEC := 17.0
## Frames without packets beforehand, which tell what the machine itself can do.
const IDLE_FRAMES := 120
## The goal for what the answers add to the processor's time, in parts of one core.
const GOAL_SHARE := 0.05
## UDP may lose packets when a machine is busy; a test that got hardly any shows nothing.
const LEAST_SHARE := 0.5

var _options: Dictionary
var _peer := PacketPeerUDP.new()
var _codec := VariantCodec.new()
var _tap: RefCounted
var _ends := 0
## Until then packets are thrown away.
var _control_ends := 0
## For a sender that does not come up at all.
var _deadline := 0
var _idle := PackedFloat64Array()
var _control := Phase.new()
var _real := Phase.new()
## Microseconds inside the library, waits for the processor included.
var _inside := 0
var _last_frame := 0
var _accepted := 0
var _refused := 0
var _wrong := PackedStringArray()


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
	_options = Options.new(OS.get_cmdline_user_args(), DEFAULTS).values
	_codec.limits = VariantLimits.network()
	if _peer.bind(0, "127.0.0.1", 1 << 20) != OK:
		print("FAIL: no port to listen on")
		quit(1)
		return
	if Engine.get_version_info().hex >= LOGGER:
		_tap = load("res://addons/variant_stream/ci/log_tap.gd").new()
		OS.call(&"add_logger", _tap)
	Engine.max_fps = 60


func _process(_delta: float) -> bool:
	var started := Time.get_ticks_usec()
	if _idle.size() < IDLE_FRAMES:
		if _last_frame > 0:
			_idle.append((started - _last_frame) / 1e3)
		_last_frame = started
		return _idle.size() == IDLE_FRAMES and not _start_sender()
	while _peer.get_available_packet_count() > 0:
		var packet := _peer.get_packet()
		if started >= _control_ends and _ends > 0:
			_take(packet)
		if _ends == 0:  # time counts from the first packet on
			_control_ends = started + _options.seconds * 1000000
			_ends = _control_ends + _options.seconds * 1000000
			_last_frame = 0
	if _ends > 0 and _last_frame > 0:
		var phase := _control if started < _control_ends else _real
		phase.last_nsec = ProcessorTime.nsec()
		if phase.frames.is_empty():
			phase.first_nsec = phase.last_nsec
		phase.frames.append((started - _last_frame) / 1e3)
		phase.work.append((Time.get_ticks_usec() - started) / 1e3)
	_last_frame = started
	var is_over := started > (_ends if _ends > 0 else _deadline)
	if is_over:
		_conclude()
	return is_over


func _start_sender() -> bool:
	var words := EngineProcess.command("res://tests/load/sender.gd", [
		"--port=%d" % _peer.get_local_port(), "--seconds=%d" % (2 * _options.seconds), "--rate=%d" % _options.rate])
	if OS.create_process(words[0], words.slice(1)) >= 0:
		_deadline = Time.get_ticks_usec() + 20000000
		return true
	print("FAIL: no second process: %s" % words[0])
	quit(1)
	return false


func _take(packet: PackedByteArray) -> void:
	var due := Packets.answer(packet.size())
	var started := Time.get_ticks_usec()
	var error := _codec.decode(packet)
	_inside += Time.get_ticks_usec() - started
	var kind: int = _codec.get_error().get("code", 0)
	_accepted += int(error == OK)
	_refused += int(error != OK)
	if kind != due and _wrong.size() < 5:
		_wrong.append("a packet of %d bytes: kind %d, not %d" % [packet.size(), kind, due])


func _conclude() -> void:
	var lines := 0
	if _tap != null:
		OS.call(&"remove_logger", _tap)
		lines = _tap.count
	var received := _accepted + _refused
	var share := received / float(_options.seconds * _options.rate)
	var frame := _p99(_real.frames)
	var idle := _p99(_idle)
	var added := _real.share() - _control.share()
	print("received %d packets, %d accepted, %d refused, %d wrong answers" % [
		received, _accepted, _refused, _wrong.size()])
	print("log lines %d" % lines)
	print("p99 frame: %.2f ms, %.2f in the control, %.2f without packets" % [frame, _p99(_control.frames), idle])
	print("p99 work in a frame: %.2f ms, %.2f in the control" % [_p99(_real.work), _p99(_control.work)])
	print("processor: %.2f %% of a core, %.2f %% in the control; a call takes %.1f us, waits included" % [
		_real.share() * 100, _control.share() * 100, _inside / maxf(received, 1.0)])
	# Where the control does not hold 60 frames a second either, only what the answers add to a frame can be judged:
	# a processor that others use as well takes longer for everything.
	if maxf(idle, _p99(_control.frames)) >= GOAL_MSEC:
		print("this machine is too busy for 60 frames a second: the verdict is on the work that is added")
		frame = _p99(_real.work) - _p99(_control.work)
		added = 0.0
	for text in _wrong:
		print(text)
	var good := _wrong.is_empty() and lines == 0 and share > LEAST_SHARE and _accepted > 0
	var fast: bool = _options["no-gate"] or (frame < GOAL_MSEC and added < GOAL_SHARE)
	print("PASS" if good and fast else "FAIL")
	quit(0 if good and fast else 1)


static func _p99(figures: PackedFloat64Array) -> float:
	var sorted := figures.duplicate()
	sorted.sort()
	return sorted[int(sorted.size() * 0.99)] if not sorted.is_empty() else INF
