extends SceneTree
## A game server at 60 frames a second that decodes under a schema what a hostile client sends over ENet.
##   godot --headless --path godot_project -s res://tests/enet/server.gd -- [--packets 20000] [--rate 2000]
## Prints one line a figure, ends with PASS or FAIL, and 0 or 1. --no-gate leaves the time of a frame out.

const EngineProcess := preload("res://tests/load/engine_process.gd")
const Options := preload("res://addons/variant_stream/ci/options.gd")
const Packets := preload("packets.gd")

const DEFAULTS := {"packets": 20_000, "rate": 2000, "no-gate": false}
const LOGGER := 0x040500
## 99 of 100 frames within 60 a second.
const GOAL_MSEC := 17.0
## Frames without packets beforehand, which tell what the machine itself can do.
const IDLE_FRAMES := 60
const PATIENCE_MSEC := 55_000

var _options: Dictionary
var _host := ENetConnection.new()
var _codec := VariantCodec.new()
var _tap: RefCounted
var _idle := PackedFloat64Array()
var _frames := PackedFloat64Array()
var _last_frame := 0
var _received := 0
## Packets of each answer; 0 for the accepted.
var _answers := {}
var _wrong := PackedStringArray()
var _inside_usec := 0


func _initialize() -> void:
	_options = Options.new(OS.get_cmdline_user_args(), DEFAULTS).values
	_codec.limits = VariantLimits.network()
	_codec.limits.max_bytes = Packets.MOST_BYTES
	_codec.schema = Packets.schema()
	if _host.create_host_bound("127.0.0.1", 0, 4, 1) != OK:
		print("FAIL: no port to listen on")
		quit(1)
		return
	if Engine.get_version_info().hex >= LOGGER:
		_tap = load("res://addons/variant_stream/ci/log_tap.gd").new()
		OS.call(&"add_logger", _tap)
	Engine.max_fps = 60


func _process(_delta: float) -> bool:
	var started := Time.get_ticks_usec()
	var msec := (started - _last_frame) / 1e3
	if _last_frame > 0 and _idle.size() < IDLE_FRAMES:
		_idle.append(msec)
		if _idle.size() == IDLE_FRAMES and not _start_client():
			return true
	elif _received > 0:
		_frames.append(msec)
	_last_frame = started
	_take_all()
	if _received < _options.packets and Time.get_ticks_msec() < PATIENCE_MSEC:
		return false
	_conclude()
	return true


func _start_client() -> bool:
	var words := EngineProcess.command("res://tests/enet/client.gd", [
		"--port=%d" % _host.get_local_port(), "--packets=%d" % _options.packets, "--rate=%d" % _options.rate])
	if OS.create_process(words[0], words.slice(1)) >= 0:
		return true
	print("FAIL: no second process: %s" % words[0])
	quit(1)
	return false


func _take_all() -> void:
	var event := _host.service()
	while event[0] > ENetConnection.EVENT_NONE:
		if event[0] == ENetConnection.EVENT_RECEIVE:
			_take(event[1].get_packet())
		event = _host.service()


func _take(packet: PackedByteArray) -> void:
	var started := Time.get_ticks_usec()
	var error := _codec.decode(packet)
	_inside_usec += Time.get_ticks_usec() - started
	var kind: int = _codec.get_error().get("code", 0)
	_answers[kind] = _answers.get(kind, 0) + 1
	var is_right := kind == Packets.due(_received) and (error == OK) == (kind == 0)
	if error == OK:
		is_right = is_right and _codec.data.seq == _received
	if not is_right and _wrong.size() < 5:
		_wrong.append("packet %d: kind %d, not %d" % [_received, kind, Packets.due(_received)])
	_received += 1


func _conclude() -> void:
	var lines := 0
	if _tap != null:
		OS.call(&"remove_logger", _tap)
		lines = _tap.count
	for peer in _host.get_peers():
		peer.peer_disconnect_now()
	var due := {}
	for i: int in _options.packets:
		due[Packets.due(i)] = due.get(Packets.due(i), 0) + 1
	print("received %d packets, %d accepted" % [_received, _answers.get(0, 0)])
	for name in Packets.DUE:
		if not name.is_empty():
			var kind := ClassDB.class_get_integer_constant(&"VariantCodec", name)
			print("%s: %d of %d" % [name, _answers.get(kind, 0), due[kind]])
	print("log lines %d" % lines)
	print("p99 frame: %.2f ms, %.2f without packets; a call takes %.1f us" % [
		_p99(_frames), _p99(_idle), _inside_usec / maxf(_received, 1.0)])
	for text in _wrong:
		print(text)
	var good := _answers == due and _wrong.is_empty() and lines == 0
	# A machine that does not hold 60 frames a second without packets says nothing about packets.
	var fast: bool = _options["no-gate"] or _p99(_frames) < GOAL_MSEC or _p99(_idle) >= GOAL_MSEC
	print("PASS" if good and fast else "FAIL")
	quit(0 if good and fast else 1)


static func _p99(figures: PackedFloat64Array) -> float:
	var sorted := figures.duplicate()
	sorted.sort()
	return sorted[int(sorted.size() * 0.99)] if not sorted.is_empty() else INF
