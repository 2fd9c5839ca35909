extends SceneTree
## Runs the `drive_*` methods of a script that extends this one. They press buttons and click on bytes of real
## controls, frame by frame; a suite cannot, because a test may not wait. It prints a line for each check and
## one at the end.

const PATIENCE_FRAMES := 20000

var checks := 0
var failed := 0
var _current := ""


func _initialize() -> void:
	_run.call_deferred()


func check(ok: bool, what: String) -> void:
	checks += 1
	if not ok:
		failed += 1
		print("FAIL %s: %s" % [_current, what])


func check_same(got: Variant, want: Variant, what: String) -> void:
	check(typeof(got) == typeof(want) and got == want, "%s: got %s, want %s" % [what, got, want])


func frames(count := 3) -> void:
	for i in count:
		await process_frame


## Returns the methods to run, in order.
func get_drives() -> PackedStringArray:
	var drives := PackedStringArray()
	for method in get_method_list():
		if method.name.begins_with("drive_"):
			drives.append(method.name)
	return drives


## Waits until something holds, for PATIENCE_FRAMES frames at most.
func until(holds: Callable, what: String) -> void:
	for i in PATIENCE_FRAMES:
		if holds.call():
			return
		await process_frame
	check(false, "never: " + what)


## Presses and releases the left mouse button, through the window.
func click(control: Control, at: Vector2) -> void:
	for pressed: bool in [true, false]:
		var event := InputEventMouseButton.new()
		event.button_index = MOUSE_BUTTON_LEFT
		event.pressed = pressed
		event.position = control.get_global_transform() * at
		event.global_position = event.position
		root.push_input(event)
	await frames(1)


func _run() -> void:
	for drive in get_drives():
		_current = drive
		await call(_current)
		print("ran ", _current)
	print("== %d checks, %d failed" % [checks, failed])
	quit(1 if failed > 0 else 0)
