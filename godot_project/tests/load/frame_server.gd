extends SceneTree
## Defines the base class of the servers under load: frames, their cost, the process that sends, and the
## engine's log. load/server.gd and enet/server.gd know which packets come and which answers are due.
##
## A control comes first, in which packets are received and dropped, then the real run. A frame is judged by
## the work in it, not by its length: at 60 frames a second an idle one has 16.7 ms as well. The cost of
## decoding is the processor's time of the real run less that of the control, for each packet, which other
## processes hardly change.

const EngineProcess := preload("engine_process.gd")
const Options := preload("res://addons/variant_stream/ci/options.gd")
const ProcessorTime := preload("res://tests/processor_time.gd")

const LOGGER := 0x040500
## The goal for a frame: the work of 99 of 100 frames leaves 60 a second.
const GOAL_MSEC := 1000.0 / 60.0
## The goal for the processor's time that the answers to a second's packets add, in parts of one core.
const GOAL_SHARE := 0.05
## The frames before the sender is started, in which the engine comes to rest.
const IDLE_FRAMES := 120

var _options: Dictionary
var _codec := VariantCodec.new()
var _idle := 0
var _control := Phase.new()
var _real := Phase.new()
## Microseconds inside the library, waits for the processor included.
var _inside_usec := 0
var _received := 0
var _accepted := 0
## The first few wrong answers.
var _wrong := PackedStringArray()
var _tap: RefCounted


## Records the work in the frames of one half.
class Phase:
	## Milliseconds of the clock, and of the processor, for each frame.
	var clock := PackedFloat64Array()
	var processor := PackedFloat64Array()
	var packets := 0

	func usec_per_packet() -> float:
		var msec := 0.0
		for frame in processor:
			msec += frame
		return msec * 1e3 / maxf(packets, 1.0)

	static func share(figures: PackedFloat64Array, part: float) -> float:
		var sorted := figures.duplicate()
		sorted.sort()
		return sorted[int(sorted.size() * part)] if not sorted.is_empty() else INF


## Reads the options and listens; returns false, and ends the process, when that fails.
func _begin(defaults: Dictionary, listening: Callable) -> bool:
	_options = Options.new(OS.get_cmdline_user_args(), defaults).values
	_codec.limits = VariantLimits.network()
	if listening.call() != OK:
		return _give_up("no port to listen on")
	if Engine.get_version_info().hex >= LOGGER:
		_tap = load("res://addons/variant_stream/ci/log_tap.gd").new()
		OS.call(&"add_logger", _tap)
	Engine.max_fps = 60
	return true


## Tells whether this is the frame in which the sender is due; no frame before it has packets.
func _is_rested() -> bool:
	_idle += 1
	return _idle == IDLE_FRAMES


## Measures the work of one frame, which returns how many packets came.
func _measure(phase: Phase, work: Callable) -> void:
	var processor := ProcessorTime.exact_usec()
	var clock := Time.get_ticks_usec()
	phase.packets += work.call()
	phase.clock.append((Time.get_ticks_usec() - clock) / 1e3)
	phase.processor.append((ProcessorTime.exact_usec() - processor) / 1e3)


func _start_sender(script: String, options: PackedStringArray) -> bool:
	var words := EngineProcess.command(script, options)
	return OS.create_process(words[0], words.slice(1)) >= 0 or _give_up("no second process: " + words[0])


func _give_up(why: String) -> bool:
	print("FAIL: ", why)
	quit(1)
	return false


## Decodes a packet and returns its kind of error; 0 for accepted.
func _decode(packet: PackedByteArray) -> int:
	var started := Time.get_ticks_usec()
	var error := _codec.decode(packet)
	_inside_usec += Time.get_ticks_usec() - started
	_received += 1
	_accepted += int(error == OK)
	var kind: int = _codec.get_error().get("code", 0)
	return kind if (kind == 0) == (error == OK) else -1


func _note_wrong(text: String) -> void:
	if _wrong.size() < 5:
		_wrong.append(text)


## Returns the number of lines that the engine logged until now, and stops counting.
func _logged() -> int:
	if _tap == null:
		return 0
	OS.call(&"remove_logger", _tap)
	return _tap.count


## Prints the times and tells whether the goals are met, which --no-gate leaves out.
func _is_fast() -> bool:
	var added_usec := _real.usec_per_packet() - _control.usec_per_packet()
	var share: float = added_usec * _options.rate / 1e6
	var p99 := Phase.share(_real.clock, 0.99)
	var control_p99 := Phase.share(_control.clock, 0.99)
	var processor_p99 := Phase.share(_real.processor, 0.99)
	print("p99 work in a frame: %.2f ms, of the processor's time %.2f; in the control %.2f and %.2f" % [
		p99, processor_p99, control_p99, Phase.share(_control.processor, 0.99)])
	print("a packet adds %.1f us of the processor, %d a second %.2f %% of a core; a call takes %.1f us, waits included" % [
		added_usec, _options.rate, share * 100, _inside_usec / maxf(_received, 1.0)])
	if p99 >= GOAL_MSEC and control_p99 >= GOAL_MSEC / 2:
		print("others hold up frames of this machine: the verdict is on the processor's time and on every other frame")
		p99 = Phase.share(_real.clock, 0.5)
	return _options["no-gate"] or (maxf(p99, processor_p99) < GOAL_MSEC and share < GOAL_SHARE)


func _end(is_good: bool) -> void:
	for text in _wrong:
		print(text)
	print("PASS" if is_good else "FAIL")
	quit(0 if is_good else 1)
