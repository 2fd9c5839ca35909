extends Node
## Plays in the arena without a window: it walks in circles, receives states, and confirms each by its digest.
##   godot --headless --path godot_project res://demo/arena/client.tscn -- --port=4455 [--rejoins=5 --seconds=60]
## So often in this time it leaves and joins again. When the server says that the game is over, it prints what it has seen, as JSON in one line, and ends.

const Messages := preload("messages.gd")

## The milliseconds without a server after which it gives up.
const PATIENCE_MSEC := 20_000

signal arrived(state: Dictionary)

var protocol := Messages.protocol()
var states := 0
## The longest time between two states, in milliseconds.
var longest_gap := 0
## How often it joined again.
var rejoined := 0
var _heard_at := 0
var _waited := 0.0
var _port := 4455
var _rejoins := 0
var _seconds := 60.0


func _ready() -> void:
	Engine.max_fps = 60
	for argument in OS.get_cmdline_user_args():
		var number := argument.get_slice("=", 1)
		match argument.get_slice("=", 0):
			"--port":
				_port = number.to_int()
			"--rejoins":
				_rejoins = number.to_int()
			"--seconds":
				_seconds = number.to_float()
	protocol.on(&"world", _on_world)
	protocol.on(&"over", func(_peer: int, _is_over: bool) -> void: _end(0))
	multiplayer.server_disconnected.connect(_end.bind(1))
	protocol.attach(multiplayer)
	_join()


func _join() -> void:
	var peer := ENetMultiplayerPeer.new()
	if peer.create_client("127.0.0.1", _port) != OK:
		push_error("there is no client on this machine")
		get_tree().quit(1)
		return
	multiplayer.multiplayer_peer = peer


func _process(delta: float) -> void:
	_waited += delta
	if _waited >= 1.0 / Messages.RATE and 1 in protocol.get_peers():
		_waited = 0.0
		protocol.send(&"move", {"dir": Vector2.from_angle(Time.get_ticks_msec() / 1000.0)})
	if rejoined < _rejoins and states > 0 and Time.get_ticks_msec() > 1000 * _seconds * (rejoined + 1) / (_rejoins + 1):
		rejoined += 1
		multiplayer.multiplayer_peer.close()
		_join()
	if Time.get_ticks_msec() - _heard_at > PATIENCE_MSEC:
		_end(1)


func _on_world(_peer: int, state: Dictionary) -> void:
	var now := Time.get_ticks_msec()
	if states > 0:
		longest_gap = maxi(longest_gap, now - _heard_at)
	_heard_at = now
	states += 1
	protocol.send(&"seen", {"tick": state.tick, "digest": VariantStream.hash_of(state)})
	arrived.emit(state)


func _end(code: int) -> void:
	print(JSON.stringify({"states": states, "longest_gap_msec": longest_gap, "rejoined": rejoined, "late": protocol.get_stats().late, "rejected": protocol.get_stats().reasons}))
	get_tree().quit(code)
