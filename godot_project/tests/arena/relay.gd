extends SceneTree
## Runs the poor network of poor_network.gd in a process of its own.
##   … -s res://tests/arena/relay.gd -- --listen N --to N [--loss 5] [--delay 40] [--jitter 30] [--seconds 60]
## --loss is in percent, --delay and --jitter are in milliseconds. rehearsal.gd starts it.

const Options := preload("res://addons/variant_stream/ci/options.gd")
const PoorNetwork := preload("poor_network.gd")

const DEFAULTS := {"listen": 0, "to": 0, "loss": 5, "delay": 40, "jitter": 30, "seconds": 60}

var _network: PoorNetwork
var _seconds := 0


func _initialize() -> void:
	# A frame is the step in which packets move.
	Engine.max_fps = 250
	var options := Options.new(OS.get_cmdline_user_args(), DEFAULTS).values
	_seconds = options.seconds
	_network = PoorNetwork.new(options)
	if _network.listen(options.listen) == 0:
		print("the relay has no port")
		quit(1)


func _process(_delta: float) -> bool:
	_network.step(Time.get_ticks_msec())
	return Time.get_ticks_msec() > _seconds * 1000
