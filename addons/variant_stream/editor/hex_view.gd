@tool
extends Control
## Draws bytes as hexadecimal digits and text, with the bytes of one node marked. It draws only the visible
## lines, so there may be any number of bytes. A line has sixteen bytes, or eight where it is narrow.

## Reports that the user clicked on a byte, or moved to it with the keyboard.
signal byte_selected(byte: int)

const Looks := preload("looks.gd")

const WIDE := 16
const NARROW := 8

var bytes := PackedByteArray()
## The bytes in a line.
var per_line := WIDE
## The lines drawn by the last redraw, for tests.
var lines_drawn := 0
## The first byte of the marked node's key, that of its value, and the byte behind; they are equal when
## nothing is marked.
var key_start := 0
var value_start := 0
var value_end := 0
## The first marked bit and the one behind the last, where single bits are marked; else they are equal.
var bit_start := 0
var bit_end := 0
## The bytes at which something is wrong.
var wrong := {}

var _bar := VScrollBar.new()
var _cursor := -1
var _font: Font
var _font_size := 14
## The digits of an offset: as many as the last one needs.
var _offset_digits := 4
var _char := Vector2(8, 16)


func _init() -> void:
	clip_contents = true
	Looks.call_it(self, "Bytes")
	focus_mode = Control.FOCUS_ALL
	size_flags_horizontal = SIZE_EXPAND_FILL
	size_flags_vertical = SIZE_EXPAND_FILL
	_bar.set_anchors_and_offsets_preset(Control.PRESET_RIGHT_WIDE)
	# A theme may want it wider than it is now.
	_bar.grow_horizontal = GROW_DIRECTION_BEGIN
	_bar.step = 1
	_bar.value_changed.connect(func(_value: float) -> void: queue_redraw())
	add_child(_bar)


func _notification(what: int) -> void:
	match what:
		NOTIFICATION_THEME_CHANGED, NOTIFICATION_ENTER_TREE:
			_measure()
		NOTIFICATION_RESIZED:
			_fit()
		NOTIFICATION_FOCUS_ENTER, NOTIFICATION_FOCUS_EXIT:
			queue_redraw()


## Shows other bytes, from their beginning.
func set_bytes(shown: PackedByteArray) -> void:
	bytes = shown
	wrong = {}
	_cursor = -1
	mark(0, 0, 0)
	_fit()
	_bar.value = 0
	queue_redraw()


## Marks a node's bytes: those of its key from `start`, of its value from `at` to before `end`.
func mark(start: int, at: int, end: int) -> void:
	key_start = start
	value_start = at
	value_end = end
	bit_start = 0
	bit_end = 0
	queue_redraw()


## Marks bits, of which the lowest of a byte comes first: their bytes, and a stroke under the bits themselves.
func mark_bits(start: int, end: int) -> void:
	@warning_ignore("integer_division")
	mark(start / 8, start / 8, (end + 7) / 8 if end > start else start / 8)
	bit_start = start
	bit_end = end
	_cursor = -1
	queue_redraw()


## Marks a node's bytes and scrolls to them; the next step with the keyboard starts at its value.
func go_to(start: int, at: int, end: int) -> void:
	mark(start, at, end)
	_cursor = -1
	show_byte(at)


## Returns the width of a line of `columns` bytes.
func width_of(columns: int) -> float:
	return _hex_left() + (_hex_chars(columns) + columns + 1) * _char.x + _bar.get_combined_minimum_size().x


## Scrolls so that a byte is visible.
func show_byte(byte: int) -> void:
	if not _is_seen(byte):
		@warning_ignore("integer_division")
		_bar.value = maxi(byte / per_line - _visible_lines() / 3, 0)
	queue_redraw()


func _is_seen(byte: int) -> bool:
	@warning_ignore("integer_division")
	var line := byte / per_line
	return line >= _bar.value and line < _bar.value + maxi(_visible_lines() - 1, 1)


## Returns the chosen byte, or the first of the chosen value; -1 when nothing is chosen.
func cursor() -> int:
	return _cursor if _cursor >= 0 or value_end == 0 else value_start


func set_cursor(byte: int) -> void:
	_cursor = byte
	show_byte(byte)


func _measure() -> void:
	_font = Looks.mono(self)
	_font_size = Looks.mono_size(self)
	_char = Vector2(_font.get_string_size("0".repeat(32), HORIZONTAL_ALIGNMENT_LEFT, -1, _font_size).x / 32.0,
			ceilf(_font.get_height(_font_size) * 1.12))
	_fit()


func _fit() -> void:
	_offset_digits = maxi(4, ("%x" % maxi(bytes.size() - 1, 0)).length())
	custom_minimum_size.x = width_of(NARROW)
	var columns := WIDE if size.x >= width_of(WIDE) else NARROW
	var first := int(_bar.value) * per_line
	var is_cursor_seen := _cursor >= 0 and _is_seen(_cursor)
	var is_changed := columns != per_line
	per_line = columns
	var lines := ceili(bytes.size() / float(per_line))
	_bar.max_value = lines
	_bar.page = maxi(_visible_lines() - 1, 1)
	_bar.visible = lines > _visible_lines() - 1
	if is_changed:
		@warning_ignore("integer_division")
		_bar.value = first / per_line
		if is_cursor_seen:
			show_byte(_cursor)
	queue_redraw()


func _visible_lines() -> int:
	return ceili(size.y / _char.y)


func _draw() -> void:
	draw_style_box(get_theme_stylebox(&"panel", &"Tree"), Rect2(Vector2.ZERO, size))
	lines_drawn = 0
	for row in _visible_lines():
		var start := (int(_bar.value) + row) * per_line
		if start >= bytes.size():
			break
		_draw_line(start, row * _char.y + _pad())
		lines_drawn += 1
	if has_focus():
		draw_style_box(get_theme_stylebox(&"focus", &"Tree"), Rect2(Vector2.ZERO, size))


func _draw_line(start: int, top: float) -> void:
	var count := mini(per_line, bytes.size() - start)
	var set_digits := ""
	var zero_digits := ""
	var letters := ""
	for i in count:
		var byte := bytes[start + i]
		_draw_marks(start + i, i, top)
		var gap := "  " if i % 4 == 3 else " "
		set_digits += ("%02x" % byte if byte != 0 else "  ") + gap
		zero_digits += ("00" if byte == 0 else "  ") + gap
		letters += char(byte) if byte >= 32 and byte < 127 else "·"
	var base := top + _font.get_ascent(_font_size) + (_char.y - _font.get_height(_font_size)) / 2.0
	var dim := Looks.dim(self)
	_write(Vector2(_pad(), base), ("%x" % start).lpad(_offset_digits, "0"), dim)
	_write(Vector2(_hex_left(), base), set_digits, Looks.text(self))
	_write(Vector2(_hex_left(), base), zero_digits, Looks.faint(dim, dim.a * 0.7))
	_write(Vector2(_text_left(), base), letters, Looks.faint(Looks.text(self), 0.75))


func _write(at: Vector2, text: String, color: Color) -> void:
	draw_string(_font, at, text, HORIZONTAL_ALIGNMENT_LEFT, -1, _font_size, color, TextServer.JUSTIFICATION_NONE,
			TextServer.DIRECTION_LTR)


func _draw_marks(byte: int, column: int, top: float) -> void:
	var color := Color.TRANSPARENT
	if byte >= value_start and byte < value_end:
		color = Looks.faint(Looks.accent(self), 0.34)
	elif byte >= key_start and byte < value_start:
		color = Looks.faint(Looks.success(self), 0.3 if Looks.is_light(self) else 0.2)
	var hex := Rect2(_hex_x(column) - _char.x * 0.5, top, _char.x * 3, _char.y)
	var letter := Rect2(_text_left() + column * _char.x, top, _char.x, _char.y)
	if column % 4 == 3 and column < per_line - 1 and _is_marked_on(byte):
		hex.size.x += _char.x
	if color.a > 0:
		draw_rect(hex, color)
		draw_rect(letter, color)
	if bit_end > bit_start and byte >= value_start and byte < value_end:
		_draw_bits(byte, column, top)
	if wrong.has(byte):
		hex.size.x = _char.x * 3
		draw_rect(hex, Looks.faint(Looks.error(self), 0.5))
		draw_rect(letter, Looks.faint(Looks.error(self), 0.5))
	if byte == _cursor:
		hex.size.x = _char.x * 3
		draw_rect(hex.grow(-1), Looks.accent(self), false, 1.0)


## Draws the eight bits of a byte under its digits, the highest on the left as the digits have it, and the marked ones bright.
func _draw_bits(byte: int, column: int, top: float) -> void:
	var cell := _char.x * 2.0 / 8.0
	for bit in 8:
		var is_marked := byte * 8 + bit >= bit_start and byte * 8 + bit < bit_end
		var color := Looks.accent(self) if is_marked else Looks.faint(Looks.text(self), 0.25)
		var left := _hex_x(column) + (7 - bit) * cell
		draw_rect(Rect2(left, top + _char.y - 3.0 * Looks.scale(), cell - maxf(0.5, cell * 0.2), 2.0 * Looks.scale()), color)


## Tells whether the next byte has the same mark, so that no gap is left between groups.
func _is_marked_on(byte: int) -> bool:
	return (byte + 1 < value_end and byte >= value_start) or (byte + 1 < value_start and byte >= key_start)


func _gui_input(event: InputEvent) -> void:
	var button := event as InputEventMouseButton
	if button != null and button.pressed:
		match button.button_index:
			MOUSE_BUTTON_LEFT:
				grab_focus()
				_choose(byte_at(button.position))
			MOUSE_BUTTON_WHEEL_UP:
				_bar.value -= 3
			MOUSE_BUTTON_WHEEL_DOWN:
				_bar.value += 3
			_:
				return
		accept_event()
	elif event.is_pressed():
		_key(event)


func _key(event: InputEvent) -> void:
	var steps := {&"ui_left": -1, &"ui_right": 1, &"ui_up": -per_line, &"ui_down": per_line,
			&"ui_page_up": -per_line * _visible_lines(), &"ui_page_down": per_line * _visible_lines(),
			&"ui_home": -bytes.size(), &"ui_end": bytes.size()}
	for action: StringName in steps:
		if event.is_action(action) and not bytes.is_empty():
			var from := _cursor if _cursor >= 0 else value_start
			_choose(clampi(from + steps[action], 0, bytes.size() - 1))
			accept_event()
			return


func _choose(byte: int) -> void:
	if byte >= 0:
		set_cursor(byte)
		byte_selected.emit(byte)


## Returns the byte whose digits or letter are at a position, or -1.
func byte_at(position: Vector2) -> int:
	var line := int(_bar.value) + int((position.y - _pad()) / _char.y)
	var column := -1
	if position.x >= _text_left():
		column = int((position.x - _text_left()) / _char.x)
	elif position.x >= _hex_left() - _char.x * 0.5:
		for i in per_line:
			if position.x >= _hex_x(i) - _char.x * 0.5:
				column = i
	var byte := line * per_line + column
	return byte if column >= 0 and column < per_line and byte < bytes.size() and position.y >= _pad() else -1


## Returns the middle of a byte's digits, where a click hits it.
func position_of(byte: int) -> Vector2:
	@warning_ignore("integer_division")
	var line := byte / per_line - int(_bar.value)
	return Vector2(_hex_x(byte % per_line) + _char.x, _pad() + (line + 0.5) * _char.y)


func _pad() -> float:
	return 6.0 * Looks.scale()


func _hex_left() -> float:
	return _pad() + (_offset_digits + 2) * _char.x


func _hex_x(column: int) -> float:
	@warning_ignore("integer_division")
	return _hex_left() + (column * 3 + column / 4) * _char.x


func _text_left() -> float:
	return _hex_left() + _hex_chars(per_line) * _char.x


## Returns the letters of a line: two digits and a blank for each byte, and one more between groups of four.
func _hex_chars(columns: int) -> int:
	@warning_ignore("integer_division")
	return columns * 3 + columns / 4 - 1
