extends Control
## Shows a little map on which the hero is placed with the mouse or the arrow keys.

signal moved(at: Vector2)

const STEP := 20.0

var world := Rect2(0, 0, 1000, 1000)
var at := Vector2.ZERO:
	set(value):
		at = value.clamp(world.position, world.end)
		queue_redraw()
var _drags := false


func _ready() -> void:
	focus_mode = Control.FOCUS_ALL
	focus_entered.connect(queue_redraw)
	focus_exited.connect(queue_redraw)


func _gui_input(event: InputEvent) -> void:
	if event is InputEventMouseButton and event.button_index == MOUSE_BUTTON_LEFT:
		_drags = event.pressed
	if _drags and event is InputEventMouse:
		_go((event.position / size * world.size + world.position).round())
	for action: StringName in [&"ui_left", &"ui_right", &"ui_up", &"ui_down"]:
		if event.is_action_pressed(action, true):
			var ways := {&"ui_left": Vector2.LEFT, &"ui_right": Vector2.RIGHT, &"ui_up": Vector2.UP}
			_go(at + STEP * ways.get(action, Vector2.DOWN))
			accept_event()


func _go(to: Vector2) -> void:
	at = to
	moved.emit(at)


func _notification(what: int) -> void:
	if what == NOTIFICATION_THEME_CHANGED:
		queue_redraw()


func _draw() -> void:
	var box := StyleBoxFlat.new()
	box.bg_color = get_theme_color(&"inset", &"Demo")
	box.set_corner_radius_all(6)
	box.set_border_width_all(2 if has_focus() else 1)
	box.border_color = get_theme_color(&"info" if has_focus() else &"outline", &"Demo")
	draw_style_box(box, Rect2(Vector2.ZERO, size))
	var line := Color(get_theme_color(&"outline", &"Demo"), 0.5)
	for i in range(1, 10):
		draw_line(Vector2(size.x * i / 10, 1), Vector2(size.x * i / 10, size.y - 1), line)
	for i in range(1, 4):
		draw_line(Vector2(1, size.y * i / 4), Vector2(size.x - 1, size.y * i / 4), line)
	var place := ((at - world.position) / world.size * size).clamp(Vector2(7, 7), size - Vector2(7, 7))
	var ink := get_theme_color(&"accent", &"Demo")
	draw_circle(place, 11, Color(ink, 0.25), true, -1.0, true)
	draw_circle(place, 5, ink, true, -1.0, true)
	var told := "%d, %d" % [at.x, at.y]
	draw_string(get_theme_default_font(), Vector2(8, size.y - 8), told, HORIZONTAL_ALIGNMENT_LEFT, -1, 12,
			get_theme_color(&"muted", &"Demo"))
