extends SceneTree
## Serves as the other end of a stream, with the engine's own functions. It reads each value with get_var and
## sends it back with put_var, ends at the text "bye", and names no class of the library.
##   godot --headless --path godot_project -s res://tests/stream/echo.gd -- KIND PORT

const Link := preload("link.gd")
const PATIENCE_MSEC := 20000


func _initialize() -> void:
	var arguments := OS.get_cmdline_user_args()
	var link := Link.new(arguments[0], int(arguments[1]))
	var is_known := not link.connects_first()
	var until := Time.get_ticks_msec() + PATIENCE_MSEC
	while Time.get_ticks_msec() < until:
		link.poll()
		if not is_known and link.is_ready():
			link.peer.put_var("hello")
			is_known = true
		if not link.is_ready() or not link.has_some():
			OS.delay_usec(100)
			continue
		var value: Variant = link.peer.get_var()
		link.peer.put_var(value)
		if value is String and value == "bye":
			break
	for i in 200:
		link.poll()
		OS.delay_msec(1)
	quit()
