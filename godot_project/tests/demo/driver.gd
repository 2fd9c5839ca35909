extends SceneTree
## Defines the base class of the drivers of the demo's tabs: it opens the demo as a player would, and presses
## its controls. It presses through the window's own input, and prints each fault, or PASS and the number of
## checks. It knows no tab.

const MAIN := "res://demo/main.tscn"
const PATIENCE_SECONDS := 30.0

var main: Control
## Measurements, printed behind the number of checks.
var told := PackedStringArray()
var _wrong := PackedStringArray()
var _checks := 0


func _initialize() -> void:
	create_timer(PATIENCE_SECONDS).timeout.connect(func() -> void:
		print("FAIL: it takes too long")
		quit(1))
	_go()


## Drives the window; a driver overrides it, and it may wait.
func drive() -> void:
	pass


func expect(ok: bool, message: String) -> bool:
	_checks += 1
	if not ok:
		_wrong.append(message)
	return ok


func expect_same(got: Variant, want: Variant, what: String) -> bool:
	return expect(typeof(got) == typeof(want) and got == want, "%s: got %s, want %s" % [what, _told(got), _told(want)])


func frames(count: int) -> void:
	for i in count:
		await process_frame


## Waits until `done` returns true, and tells whether it did within the time.
func until(done: Callable, seconds := 15.0) -> bool:
	var end := Time.get_ticks_msec() + int(seconds * 1000.0)
	while not done.call():
		if Time.get_ticks_msec() > end:
			return false
		await process_frame
	return true


## Opens the window in the size of a small screen.
func open(scene_options := {}) -> void:
	await process_frame
	root.size = Vector2i(1024, 600)
	main = load(MAIN).instantiate()
	for option: String in scene_options:
		main.set(option, scene_options[option])
	root.add_child(main)
	await frames(3)


func page(name: String) -> Control:
	return main.get_node("%Pages/" + name)


## Presses and releases the left mouse button on a control, in its middle unless `at` is given.
func click(control: Control, at := Vector2.INF) -> void:
	var local := control.size * 0.5 if at == Vector2.INF else at
	for is_pressed: bool in [true, false]:
		var event := InputEventMouseButton.new()
		event.button_index = MOUSE_BUTTON_LEFT
		event.pressed = is_pressed
		event.position = control.get_global_transform_with_canvas() * local
		event.global_position = event.position
		root.push_input(event, true)


func press_key(key: Key) -> void:
	for is_pressed: bool in [true, false]:
		var event := InputEventKey.new()
		event.keycode = key
		event.physical_keycode = key
		event.pressed = is_pressed
		root.push_input(event)


static func _told(value: Variant) -> String:
	return "%d bytes %s" % [value.size(), value.hex_encode()] if value is PackedByteArray else str(value)


func _go() -> void:
	await drive()
	if main != null:
		main.queue_free()
		await frames(2)
	print(" ".join(["PASS %d" % _checks] + Array(told)) if _wrong.is_empty() and _checks > 0 else "FAIL: " + "\n  ".join(_wrong))
	quit(0 if _wrong.is_empty() and _checks > 0 else 1)
