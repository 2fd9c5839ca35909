extends Control
## Draws two bars for each lane, the engine's and ours; shorter is faster. They grow smoothly.

const Lane := preload("lane.gd")

const NAME_WIDTH := 112.0
const RATIO_WIDTH := 62.0
const TIME_WIDTH := 64.0
## The share of its remaining way that a bar grows by in a second.
const HASTE := 6.0

var _lanes: Array[Lane] = []
var _lengths := PackedFloat32Array()


func show_lanes(lanes: Array[Lane]) -> void:
	_lanes = lanes
	_lengths.resize(lanes.size() * 2)
	_lengths.fill(0.0)
	queue_redraw()


## Returns how many lanes have bars by now.
func drawn() -> int:
	return _lanes.filter(func(lane: Lane) -> bool: return lane.ratio() > 0.0).size()


func _process(delta: float) -> void:
	for i in _lanes.size():
		var longest := maxf(0.001, maxf(_lanes[i].engine_usec(), _lanes[i].ours_usec()))
		var haste := minf(1.0, delta * HASTE)
		_lengths[i * 2] = lerpf(_lengths[i * 2], _lanes[i].engine_usec() / longest, haste)
		_lengths[i * 2 + 1] = lerpf(_lengths[i * 2 + 1], _lanes[i].ours_usec() / longest, haste)
	if is_visible_in_tree():
		queue_redraw()


func _draw() -> void:
	var row := size.y / maxi(1, _lanes.size())
	for i in _lanes.size():
		_draw_lane(_lanes[i], i, i * row, row)


func _draw_lane(lane: Lane, i: int, y: float, row: float) -> void:
	var middle := y + row * 0.5
	_write(lane.name, Vector2(0, middle - 3), NAME_WIDTH, &"text", 14)
	_write(String.humanize_size(lane.size), Vector2(0, middle + 14), NAME_WIDTH, &"muted", 12)
	if not lane.is_equal:
		_write("not the same bytes: not timed", Vector2(NAME_WIDTH, middle + 5), size.x - NAME_WIDTH, &"bad", 13)
		return
	var bar := clampf(row * 0.27, 10.0, 20.0)
	_draw_bar(_lengths[i * 2], middle - bar - 1.5, bar, &"engine", lane.engine_usec())
	_draw_bar(_lengths[i * 2 + 1], middle + 1.5, bar, &"accent", lane.ours_usec())
	var ratio := lane.ratio()
	if ratio > 0.0:
		draw_string(get_theme_font(&"bold", &"Demo"), Vector2(size.x - RATIO_WIDTH, middle + 7), "%.1f×" % ratio,
				HORIZONTAL_ALIGNMENT_RIGHT, RATIO_WIDTH, 19, _color(&"accent" if ratio >= 1.0 else &"warn"))


func _draw_bar(length: float, y: float, height: float, color: StringName, usec: float) -> void:
	var room := size.x - NAME_WIDTH - RATIO_WIDTH - TIME_WIDTH
	var box := StyleBoxFlat.new()
	box.bg_color = _color(color)
	box.set_corner_radius_all(4)
	var width := maxf(4.0, room * length)
	draw_style_box(box, Rect2(NAME_WIDTH, y, width, height))
	if usec > 0.0:
		_write(_time(usec), Vector2(NAME_WIDTH + width + 7, y + height * 0.5 + 4), TIME_WIDTH, &"muted", 12)


static func _time(usec: float) -> String:
	return "%.2f ms" % (usec / 1000.0) if usec >= 1000.0 else (
			"%.0f µs" if usec >= 100.0 else "%.1f µs" if usec >= 10.0 else "%.2f µs") % usec


func _write(text: String, at: Vector2, width: float, color: StringName, font_size: int) -> void:
	draw_string(get_theme_default_font(), at, text, HORIZONTAL_ALIGNMENT_LEFT, width, font_size, _color(color))


func _color(name: StringName) -> Color:
	return get_theme_color(name, &"Demo")
