extends Control
## Shows bytes as a sheet of hexadecimal cells to point at and press, with the mouse or with the arrow keys
## and Enter. It shows fields, changed bytes and the byte of an error; its owner decides what a pressed byte
## means.

signal byte_pressed(byte: int)
## Reports the byte under the pointer; -1 when there is none.
signal byte_pointed(byte: int)

const FieldMap := preload("field_map.gd")

const LEAST_CELL := 22.0
const WORD := 4
const WORD_GAP := 6.0
const MARGIN := 46.0
const LEAST_ROW := 22.0
const MOST_ROW := 30.0
const TEXT := 13

var editable := true
var _bytes := PackedByteArray()
var _fields := FieldMap.new()
var _changed := PackedInt32Array()
var _error_at := -1
var _pointed := -1
var _cursor := 0
var _columns := 16
var _cell := LEAST_CELL
var _row := LEAST_ROW


func _ready() -> void:
	focus_mode = Control.FOCUS_ALL
	resized.connect(_arrange)
	if get_parent() is ScrollContainer:
		get_parent().resized.connect(_arrange)
	mouse_exited.connect(func() -> void: _point_at(-1))
	focus_entered.connect(queue_redraw)
	focus_exited.connect(queue_redraw)


func show_bytes(bytes: PackedByteArray, fields: FieldMap, changed: PackedInt32Array, error_at: int) -> void:
	_bytes = bytes
	_fields = fields
	_changed = changed
	_error_at = error_at
	_cursor = clampi(_cursor, 0, maxi(0, bytes.size() - 1))
	_arrange()


## Returns the rectangle of a byte's cell in this control.
func rect_of(byte: int) -> Rect2:
	var column := byte % _columns
	var words := floorf(float(column) / WORD)
	var at := Vector2(MARGIN + column * _cell + words * WORD_GAP, floorf(float(byte) / _columns) * _row)
	return Rect2(at, Vector2(_cell, _row))


func _arrange() -> void:
	var words := maxi(2, floori((size.x - MARGIN) / (LEAST_CELL * WORD + WORD_GAP)))
	_columns = (words - words % 2) * WORD
	_cell = minf(36.0, (size.x - MARGIN - float(_columns) / WORD * WORD_GAP) / _columns)
	# An error at the end is about the byte that is not there.
	var rows := maxf(1.0, ceilf(maxf(_bytes.size(), _error_at + 1) / _columns))
	var scroll := get_parent() as ScrollContainer
	_row = clampf(floorf((scroll.size.y if scroll != null else 0.0) / rows), LEAST_ROW, MOST_ROW)
	custom_minimum_size.y = rows * _row
	queue_redraw()


func _byte_at(at: Vector2) -> int:
	var row := floori(at.y / _row)
	for column in _columns:
		var byte := row * _columns + column
		if byte < _bytes.size() and rect_of(byte).has_point(at):
			return byte
	return -1


func _gui_input(event: InputEvent) -> void:
	if event is InputEventMouseMotion:
		_point_at(_byte_at(event.position))
	elif event is InputEventMouseButton and event.pressed and event.button_index == MOUSE_BUTTON_LEFT:
		_press(_byte_at(event.position))
	elif event.is_action_pressed(&"ui_accept"):
		_press(_cursor)
		accept_event()
	else:
		_move(event)


func _move(event: InputEvent) -> void:
	var steps := {&"ui_left": -1, &"ui_right": 1, &"ui_up": -_columns, &"ui_down": _columns}
	for action: StringName in steps:
		var to: int = _cursor + steps[action]
		# From the edge the arrows lead on to the next control.
		if event.is_action_pressed(action, true) and to >= 0 and to < _bytes.size():
			_cursor = to
			_point_at(to)
			_bring_into_view(to)
			accept_event()


func _press(byte: int) -> void:
	if byte < 0 or byte >= _bytes.size() or not editable:
		return
	_cursor = byte
	byte_pressed.emit(byte)


func _point_at(byte: int) -> void:
	if byte != _pointed:
		_pointed = byte
		queue_redraw()
		byte_pointed.emit(byte)
	mouse_default_cursor_shape = CURSOR_POINTING_HAND if byte >= 0 and editable else CURSOR_ARROW


## Scrolls the scroll container around this control, if there is one.
func _bring_into_view(byte: int) -> void:
	var scroll := get_parent() as ScrollContainer
	if scroll != null and byte >= 0:
		var rect := rect_of(byte)
		scroll.scroll_vertical = clampi(
				scroll.scroll_vertical, ceili(rect.end.y - scroll.size.y), floori(rect.position.y))


func show_error_byte() -> void:
	_bring_into_view(_error_at)


func _notification(what: int) -> void:
	if what == NOTIFICATION_THEME_CHANGED:
		queue_redraw()


## Draws all grounds first, then all digits, because the engine batches equal draws.
func _draw() -> void:
	var pointed_field := _fields.field_of(_pointed) if _pointed >= 0 else -1
	var inks := PackedColorArray()
	for byte in _bytes.size():
		inks.append(_draw_ground(byte, pointed_field))
	for byte: int in [_pointed, _cursor if has_focus() else -1]:
		if byte >= 0 and byte < _bytes.size():
			draw_rect(rect_of(byte).grow_individual(-1, -2, -1, -2), _color(&"info"), false, 1.5)
	if _error_at >= _bytes.size():
		draw_rect(rect_of(_error_at).grow_individual(-1, -2, -1, -2), _color(&"bad"), false, 2.0)
	var font := get_theme_default_font()
	for byte in _bytes.size():
		if byte % _columns == 0:
			var at := Vector2(0, rect_of(byte).position.y + _base())
			draw_string(font, at, "%04x" % byte, HORIZONTAL_ALIGNMENT_LEFT, -1, 12, _color(&"faint"))
		_draw_digits(font, byte, inks[byte])


## Draws a byte's ground and returns the colour of the digits on it.
func _draw_ground(byte: int, pointed_field: int) -> Color:
	var rect := rect_of(byte)
	var field := _fields.field_of(byte)
	var is_changed := _changed.has(byte)
	var ink := _color(_fields.color_of(field)) if _bytes[byte] != 0 else _color(&"faint")
	var ground := _color(&"raised") if field % 2 == 0 else Color.TRANSPARENT
	if byte == _error_at:
		ground = _color(&"bad")
		ink = _color(&"on_bad")
	elif is_changed:
		ground = _color(&"warn_soft")
		ink = _color(&"warn")
	elif field == pointed_field and field >= 0:
		ground = _color(&"info_soft")
	draw_rect(rect.grow_individual(0, -1.5, 0, -1.5), ground)
	if is_changed:
		draw_rect(rect.grow_individual(-1, -2, -1, -2), _color(&"warn"), false, 1.5)
	return ink


## Draws digit by digit, each in its own half, so that they stand in columns in any font.
func _draw_digits(font: Font, byte: int, ink: Color) -> void:
	var rect := rect_of(byte)
	var digits := "%02x" % _bytes[byte]
	for i in 2:
		var half := rect.position + Vector2(rect.size.x / 2 - 9 + i * 9, _base())
		draw_string(font, half, digits[i], HORIZONTAL_ALIGNMENT_CENTER, 9, TEXT, ink)


func _base() -> float:
	return roundf(_row * 0.5 + 5.0)


func _color(name: StringName) -> Color:
	return get_theme_color(name, &"Demo")
