extends SceneTree
## Runs a server with the receiver of docs/PACKETS.md, with a VariantProtocol, or with an RPC that anybody may
## call, under the attacks of attacks.gd.
##   godot --headless --path godot_project -s res://tests/enet/attacked_server.gd -- [--receiver documented|protocol|rpc] [--keys 12000] [--stepped]
## The attackers are processes of their own. With --stepped they are in this one: both sides are polled in turns, and no clock
## and no frame is waited for.
## It prints for each attack the worst frame in the processor's milliseconds, the lines that the engine logged
## and what was refused. It ends with PASS or FAIL: the documented receiver has to stay within the goals, and
## the RPC has to miss them, because otherwise the attacks would show nothing.

const AttackPlay := preload("attack_play.gd")
const Attacks := preload("attacks.gd")
const DocBlocks := preload("res://tests/doc_blocks.gd")
const EngineProcess := preload("res://tests/load/engine_process.gd")
const Options := preload("res://addons/variant_stream/ci/options.gd")
const ProcessorTime := preload("res://tests/processor_time.gd")

const PAGE := "res://../docs/PACKETS.md"
## A receiver as games have it that follow the engine's tutorials.
const BY_RPC := """
extends Node
var codec := VariantCodec.new()
var refused := {}
@rpc("any_peer", "call_remote", "reliable")
func receive(move: PackedByteArray) -> void:
	if codec.decode(move) != OK:
		refused[codec.get_error().code] = refused.get(codec.get_error().code, 0) + 1
"""
## A receiver by VariantProtocol. It counts by kind, as the others do.
const BY_PROTOCOL := """
extends Node
var protocol := VariantProtocol.new()
var refused := {}
func _ready() -> void:
	protocol.add(&"move", VariantSchema.dict({"seq": VariantSchema.int(0, 65535)}), {"sender": VariantProtocol.CLIENT})
	protocol.rejected.connect(func(_peer: int, error: Dictionary) -> void: refused[error.code] = refused.get(error.code, 0) + 1)
	protocol.attach(multiplayer)
"""
## The goal for the work of the worst frame. Where the system does not tell the processor's time, an idle
## frame has 17 of these.
const GOAL_MSEC := 50.0
const IDLE_FRAMES := 60
## The frames after an attacker is gone.
const REST := 10
const PATIENCE_FRAMES := 1800
## The steps between RPCs and raw packets, in which all RPCs arrive; and those after which an attack is given up.
const PAUSE_STEPS := 300
const PATIENCE_STEPS := 20_000

var _options: Dictionary
var _net: Node
var _port := 0
var _tap: RefCounted
var _frame := 0
var _attack := -1
var _process_id := 0
var _rest := 0
var _before := 0.0
var _worst := 0.0
var _is_good := true


func _initialize() -> void:
	Engine.max_fps = 60
	_options = Options.new(OS.get_cmdline_user_args(), {"receiver": "documented", "keys": Attacks.COLLIDING_KEYS, "stepped": false}).values
	_tap = load("res://addons/variant_stream/ci/log_tap.gd").new()
	OS.call(&"add_logger", _tap)
	var script := GDScript.new()
	match _options.receiver:
		"rpc":
			script.source_code = BY_RPC
		"protocol":
			script.source_code = BY_PROTOCOL
		_:
			script.source_code = _documented()
	if script.reload() != OK:
		_end(false)
		return
	_net = script.new()
	_net.name = Attacks.NODE
	var peer := ENetMultiplayerPeer.new()
	peer.set_bind_ip("127.0.0.1")
	if peer.create_server(0) != OK:
		_end(false)
		return
	get_multiplayer().multiplayer_peer = peer
	root.add_child(_net)
	_port = peer.host.get_local_port()


## Returns the one script of the page that receives by `peer_packet`.
func _documented() -> String:
	var page := FileAccess.get_file_as_string(ProjectSettings.globalize_path(PAGE))
	var examples := DocBlocks.in_markdown(page).filter(
			func(block: Dictionary) -> bool: return block.text.contains("peer_packet.connect("))
	return DocBlocks.source(examples[0].text) if examples.size() == 1 else ""


func _process(_delta: float) -> bool:
	if _options.stepped and _net != null:
		for name in Attacks.NAMES:
			_play_in_steps(name)
		_end(_is_good)
		return true
	_frame += 1
	var now := ProcessorTime.exact_usec()
	if _process_id > 0:
		_worst = maxf(_worst, (now - _before) / 1e3)
	_before = now
	if _frame == IDLE_FRAMES:
		_play_next()
	elif _process_id > 0:
		_watch()
	_before = ProcessorTime.exact_usec()
	return false


## Plays an attack with both sides in this process. Only the time and the lines of the server count.
func _play_in_steps(name: String) -> void:
	multiplayer_poll = false
	_worst = 0.0
	_net.refused.clear()
	var place := Node.new()
	place.name = "Attacker"
	root.add_child(place)
	var api := SceneMultiplayer.new()
	set_multiplayer(api, place.get_path())
	var play := AttackPlay.new(api, {"port": _port, "attack": name, "keys": _options.keys}, PAUSE_STEPS)
	place.add_child(play.node())
	var lines := 0
	var rest := 0
	for step in PATIENCE_STEPS:
		api.poll()
		play.step()
		_tap.take()
		_before = ProcessorTime.exact_usec()
		_do_a_frame()
		_worst = maxf(_worst, (ProcessorTime.exact_usec() - _before) / 1e3)
		lines += _tap.take().count
		rest += int(play.is_over)
		if rest > REST:
			break
	_is_good = play.is_over and _is_good
	_judge(name, lines)
	set_multiplayer(null, place.get_path())
	root.remove_child(place)
	place.free()


## Does what the receiver does in a frame: it polls itself, or the tree does.
func _do_a_frame() -> void:
	match _options.receiver:
		"rpc":
			get_multiplayer().poll()
		"protocol":
			_net.protocol.tick()
		_:
			_net._process(0.0)


func _play_next() -> void:
	_attack += 1
	if _attack == Attacks.NAMES.size():
		_end(_is_good)
		return
	_worst = 0.0
	_rest = 0
	_frame = IDLE_FRAMES
	_net.refused.clear()
	_tap.take()
	var words := EngineProcess.command("res://tests/enet/attacker.gd", [
		"--port=%d" % _port, "--attack=" + Attacks.NAMES[_attack], "--keys=%d" % _options.keys])
	_process_id = OS.create_process(words[0], words.slice(1))
	if _process_id < 0:
		_end(false)


func _watch() -> void:
	if OS.is_process_running(_process_id) and _frame < PATIENCE_FRAMES:
		return
	_rest += 1
	if _rest == REST:
		_judge(Attacks.NAMES[_attack], _tap.take().count)
		_play_next()


func _judge(name: String, lines: int) -> void:
	var kind := ClassDB.class_get_integer_constant(&"VariantCodec", Attacks.REFUSALS[name])
	print("%s: worst frame %.1f ms, %d lines in the log, refused by kind %s" % [name, _worst, lines, _net.refused])
	if _options.receiver == "rpc":
		_is_good = _is_good and (_worst > 2 * GOAL_MSEC if name == "flood" else lines >= Attacks.CALLS)
	else:
		# A protocol refuses a peer without a handshake, or packets that begin with the id of no message.
		var count: int = _net.refused.get(kind, 0) if _options.receiver == "documented" else _net.refused.size()
		_is_good = _is_good and _worst < GOAL_MSEC and lines == 0 and count > 0


func _end(is_good: bool) -> void:
	print("PASS" if is_good else "FAIL")
	quit(0 if is_good else 1)
