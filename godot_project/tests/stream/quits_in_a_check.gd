extends SceneTree
## Quits while a load calls a check of the game's own, which takes its time.
##   godot --headless --path godot_project -s res://tests/stream/quits_in_a_check.gd -- PATH WAY MSEC
## WAY names whose function the check is. MSEC is how long after the load began it quits, which is long before
## all checks are done.

const CHECK_MSEC := 10
const VALUES := 10000


## Has a check, and only the schema holds it.
class Watchman:
	extends RefCounted

	var _seen := 0


	func lambda() -> Callable:
		return func(_value: Variant) -> bool:
			_seen += 1
			OS.delay_msec(CHECK_MSEC)
			return true


	func accepts(_value: Variant) -> bool:
		_seen += 1
		OS.delay_msec(CHECK_MSEC)
		return true


func _initialize() -> void:
	var arguments := OS.get_cmdline_user_args()
	var check: Callable
	match arguments[1]:
		"lambda":
			check = func(_value: Variant) -> bool:
				OS.delay_msec(CHECK_MSEC)
				return true
		"lambda_of_object":
			check = Watchman.new().lambda()
		"method":
			check = _accepts
		"method_of_object":
			var watchman := Watchman.new()
			set_meta("watchman", watchman)
			check = watchman.accepts
	var schema := VariantSchema.array(VariantSchema.any().check_with(check))
	var began := func() -> void:
		VariantStream.load_file_async(arguments[0], schema)
	if arguments.size() > 3:
		# A thread of the game asks for one load, and the other begins when the tree is about to go.
		var thread := Thread.new()
		thread.start(began)
		thread.wait_to_finish()
		root.tree_exiting.connect(began)
	else:
		began.call()
	await create_timer(int(arguments[2]) / 1000.0).timeout
	quit()


func _accepts(_value: Variant) -> bool:
	OS.delay_msec(CHECK_MSEC)
	return true
