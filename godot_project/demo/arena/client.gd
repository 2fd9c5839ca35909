extends Node
## Plays in the arena without a window: it walks in circles, receives states, and confirms each by its digest.
##   godot --headless --path godot_project res://demo/arena/client.tscn -- --port=4455 [--rejoins=5 --seconds=60]
## So often in this time it leaves and joins again. When the server says that the game is over, it prints what it has seen, as JSON in one line, and ends.

const Messages := preload("messages.gd")

## The milliseconds without a server after which it gives up.
const PATIENCE_MSEC := 20_000

signal arrived(state: Dictionary)
## It has ended, with what it has seen and its exit code.
signal ended(report: Dictionary, code: int)

var protocol := Messages.protocol()
var states := 0
## The longest time between two states, in milliseconds.
var longest_gap := 0
## How often it joined again.
var rejoined := 0
var port := 4455
var rejoins := 0
var seconds := 60.0
## The time that it has played, in milliseconds.
var _msec := 0.0
var _heard_at := 0.0
var _waited := 0.0


func _ready() -> void:
	Engine.max_fps = 60
	for argument in OS.get_cmdline_user_args() if _is_alone() else PackedStringArray():
		var number := argument.get_slice("=", 1)
		match argument.get_slice("=", 0):
			"--port":
				port = number.to_int()
			"--rejoins":
				rejoins = number.to_int()
			"--seconds":
				seconds = number.to_float()
	protocol.on(&"world", _on_world)
	protocol.on(&"over", func(_peer: int, _is_over: bool) -> void: _end(0))
	multiplayer.server_disconnected.connect(_end.bind(1))
	protocol.attach(multiplayer)
	_join()


func _join() -> void:
	var peer := ENetMultiplayerPeer.new()
	if peer.create_client("127.0.0.1", port) != OK:
		push_error("there is no client on this machine")
		get_tree().quit(1)
		return
	multiplayer.multiplayer_peer = peer


func _process(delta: float) -> void:
	_msec += delta * 1000.0
	_waited += delta
	if _waited >= 1.0 / Messages.RATE and 1 in protocol.get_peers():
		_waited = 0.0
		protocol.send(&"move", {"dir": Vector2.from_angle(_msec / 1000.0)})
	if rejoined < rejoins and states > 0 and _msec > 1000 * seconds * (rejoined + 1) / (rejoins + 1):
		rejoined += 1
		multiplayer.multiplayer_peer.close()
		_join()
	if _msec - _heard_at > PATIENCE_MSEC:
		_end(1)


func _on_world(_peer: int, state: Dictionary) -> void:
	if states > 0:
		longest_gap = maxi(longest_gap, int(_msec - _heard_at))
	_heard_at = _msec
	states += 1
	protocol.send(&"seen", {"tick": state.tick, "digest": VariantStream.hash_of(state)})
	arrived.emit(state)


func _end(code: int) -> void:
	var stats := protocol.get_stats()
	var report := {"states": states, "longest_gap_msec": longest_gap, "rejoined": rejoined, "late": stats.late, "rejected": stats.reasons}
	ended.emit(report, code)
	if _is_alone():
		print(JSON.stringify(report))
		get_tree().quit(code)


## Tells whether the engine runs this scene, and no test that has it among others.
func _is_alone() -> bool:
	return get_tree().current_scene == self
