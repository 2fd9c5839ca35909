extends SceneTree
## What the servers under fire have in common: 60 frames a second, what a frame takes, the process that sends, and what
## the engine logs. Which packets come how, and what is due to them, load/server.gd and enet/server.gd know.

const EngineProcess := preload("engine_process.gd")
const Options := preload("res://addons/variant_stream/ci/options.gd")

const LOGGER := 0x040500
## The goal: 99 of 100 frames within 60 a second.
const GOAL_MSEC := 17.0
## Frames without packets beforehand, which tell what the machine itself can do.
const IDLE_FRAMES := 120

var _options: Dictionary
var _codec := VariantCodec.new()
var _idle := PackedFloat64Array()
## Microseconds inside the library, waits for the processor included.
var _inside_usec := 0
var _received := 0
var _accepted := 0
## What was answered otherwise than it should be; the first few of them.
var _wrong := PackedStringArray()
var _tap: RefCounted
var _last_frame := 0


## Reads the options and listens; false, and the end, when that fails.
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


## Milliseconds since the last frame; 0 at first. Counts frames without packets until there are enough.
func _frame_msec(now_usec: int) -> float:
	var msec := (now_usec - _last_frame) / 1e3 if _last_frame > 0 else 0.0
	_last_frame = now_usec
	if msec > 0.0 and not _was_idle():
		_idle.append(msec)
	return msec


func _was_idle() -> bool:
	return _idle.size() >= IDLE_FRAMES


func _start_sender(script: String, options: PackedStringArray) -> bool:
	var words := EngineProcess.command(script, options)
	return OS.create_process(words[0], words.slice(1)) >= 0 or _give_up("no second process: " + words[0])


func _give_up(why: String) -> bool:
	print("FAIL: ", why)
	quit(1)
	return false


## The kind of error that decoding ends with; 0 for accepted.
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


## Lines that the engine logged until now. The last question.
func _logged() -> int:
	if _tap == null:
		return 0
	OS.call(&"remove_logger", _tap)
	return _tap.count


func _end(is_good: bool) -> void:
	for text in _wrong:
		print(text)
	print("PASS" if is_good else "FAIL")
	quit(0 if is_good else 1)


static func _p99(figures: PackedFloat64Array) -> float:
	var sorted := figures.duplicate()
	sorted.sort()
	return sorted[int(sorted.size() * 0.99)] if not sorted.is_empty() else INF
