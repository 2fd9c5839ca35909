extends SceneTree
## Runs the hostile client of hostile_play.gd in a process of its own.
##   … -s res://tests/arena/hostile.gd -- --port N
## rehearsal.gd starts it.

const HostilePlay := preload("hostile_play.gd")
const Options := preload("res://addons/variant_stream/ci/options.gd")

const PATIENCE_MSEC := 30_000

var _play: HostilePlay


func _initialize() -> void:
	Engine.max_fps = 60
	var options := Options.new(OS.get_cmdline_user_args(), {"port": 0}).values
	_play = HostilePlay.new(get_multiplayer(), options.port)


func _process(delta: float) -> bool:
	_play.step(delta)
	return _play.is_over or Time.get_ticks_msec() > PATIENCE_MSEC
