@tool
extends Control
## Shows where the bytes go: a bar for each path or each type, the largest first. It draws what fits and
## scrolls.

const Looks := preload("looks.gd")

## The most bars; the rest is one bar more.
const MOST_BARS := 200

var report := {}
var _by_type := false
var _bar := VScrollBar.new()
var _rows: Array[Array] = []


func _init() -> void:
	clip_contents = true
	focus_mode = Control.FOCUS_ALL
	Looks.call_it(self, "Sizes")
	size_flags_vertical = SIZE_EXPAND_FILL
	size_flags_horizontal = SIZE_EXPAND_FILL
	_bar.set_anchors_and_offsets_preset(Control.PRESET_RIGHT_WIDE)
	# A theme may want it wider than it is now.
	_bar.grow_horizontal = GROW_DIRECTION_BEGIN
	_bar.step = 1
	_bar.value_changed.connect(func(_value: float) -> void: queue_redraw())
	add_child(_bar)
	resized.connect(_fit)
	focus_entered.connect(queue_redraw)
	focus_exited.connect(queue_redraw)


func show_report(sizes: Dictionary) -> void:
	report = sizes
	_list()


func set_by_type(by_type: bool) -> void:
	_by_type = by_type
	_list()


func _list() -> void:
	_rows.clear()
	var table: Dictionary = report.get("types" if _by_type else "places", {})
	var others := 0
	for name: String in table:
		if _rows.size() < MOST_BARS:
			_rows.append([name, table[name], report.get("bits", {}).get(name, -1) if not _by_type else -1])
		else:
			others += table[name]
	if others > 0:
		_rows.append(["(%d more)" % (table.size() - MOST_BARS), others, -1])
	_fit()


func _fit() -> void:
	_bar.max_value = _rows.size()
	_bar.page = maxi(int(size.y / _row_height()), 1)
	_bar.visible = _rows.size() > _bar.page
	queue_redraw()


func _row_height() -> float:
	return ceilf(_font().get_height(_font_size())) + 6.0 * Looks.scale()


func _font() -> Font:
	return get_theme_font(&"font", &"Label")


func _font_size() -> int:
	return get_theme_font_size(&"font_size", &"Label")


## Returns the figures of a row: bytes, their part of all, and bits.
func figures(at: int) -> String:
	var bits: int = _rows[at][2]
	var words := "%s B   %5.1f %%" % [Looks.grouped(_rows[at][1]), _rows[at][1] * 100.0 / maxi(report.get("total", 1), 1)]
	return words + ("   %s bits" % Looks.grouped(maxi(bits, 0)) if report.has("bits") and not _by_type else "")


func _draw() -> void:
	var pad := 8.0 * Looks.scale()
	var right := size.x - pad - (_bar.size.x if _bar.visible else 0.0)
	var left := 0.0
	var figures_width := 0.0
	for at in _rows.size():
		left = maxf(left, Looks.width_of(self, _rows[at][0]))
		figures_width = maxf(figures_width, Looks.width_of(self, figures(at)))
	# The bars get what names and figures leave.
	left = minf(left, size.x * 0.4)
	var most: int = _rows[0][1] if not _rows.is_empty() else 1
	if has_focus():
		draw_style_box(get_theme_stylebox(&"focus", &"Tree"), Rect2(Vector2.ZERO, size))
	for i in ceili(size.y / _row_height()):
		var at := int(_bar.value) + i
		if at >= _rows.size():
			return
		var top := i * _row_height()
		var base := top + 3.0 * Looks.scale() + _font().get_ascent(_font_size())
		var name: String = _rows[at][0]
		var bytes: int = _rows[at][1]
		_write(Vector2(pad, base), name, Looks.text(self), left - pad, HORIZONTAL_ALIGNMENT_LEFT)
		var room := maxf(right - left - figures_width, 8.0)
		var track := Rect2(left, top + 5 * Looks.scale(), room, _row_height() - 10 * Looks.scale())
		draw_rect(track, Looks.faint(Looks.text(self), 0.06))
		track.size.x = maxf(room * bytes / float(most), 1.0)
		draw_rect(track, Looks.faint(Looks.accent(self), 0.75))
		var bits: int = _rows[at][2]
		if bits >= 0:
			# Packed, in the same measure.
			track.size = Vector2(maxf(room * bits / 8.0 / most, 1.0), maxf(track.size.y * 0.4, 2.0))
			track.position.y = top + _row_height() - 5 * Looks.scale() - track.size.y
			draw_rect(track, Looks.success(self))
		var place := Vector2(right - figures_width, base)
		_write(place, figures(at), Looks.dim(self), figures_width, HORIZONTAL_ALIGNMENT_RIGHT)


func _write(at: Vector2, text: String, color: Color, width: float, side: HorizontalAlignment) -> void:
	draw_string(_font(), at, text, side, width, _font_size(), color, TextServer.JUSTIFICATION_NONE,
			TextServer.DIRECTION_LTR)


func _gui_input(event: InputEvent) -> void:
	var button := event as InputEventMouseButton
	if button != null and button.pressed and _bar.visible:
		match button.button_index:
			MOUSE_BUTTON_WHEEL_UP:
				_bar.value -= 2
				accept_event()
			MOUSE_BUTTON_WHEEL_DOWN:
				_bar.value += 2
				accept_event()
	elif event.is_pressed() and _bar.visible:
		_key(event)


func _key(event: InputEvent) -> void:
	var steps := {&"ui_up": -1.0, &"ui_down": 1.0, &"ui_page_up": -_bar.page, &"ui_page_down": _bar.page,
			&"ui_home": -_bar.max_value, &"ui_end": _bar.max_value}
	for action: StringName in steps:
		if event.is_action(action):
			_bar.value += steps[action]
			accept_event()
			return
