extends SceneTree
## Acts as a hostile client: it plays one of the attacks of attacks.gd.
##   … -s res://tests/enet/attacker.gd -- --port N --attack flood|text|empty [--keys 12000]
## attacked_server.gd starts it.

const AttackPlay := preload("attack_play.gd")
const Attacks := preload("attacks.gd")
const Options := preload("res://addons/variant_stream/ci/options.gd")

const PATIENCE_MSEC := 20_000
const PAUSE := 30

var _play: AttackPlay


func _initialize() -> void:
	Engine.max_fps = 60
	var options := Options.new(OS.get_cmdline_user_args(), {"port": 0, "attack": "text", "keys": Attacks.COLLIDING_KEYS}).values
	_play = AttackPlay.new(get_multiplayer(), options, PAUSE)
	root.add_child(_play.node())


func _process(_delta: float) -> bool:
	_play.step()
	return _play.is_over or Time.get_ticks_msec() > PATIENCE_MSEC
