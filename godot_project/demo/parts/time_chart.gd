extends Control
## Draws numbers over the last seconds, as areas that stand on each other or as lines. It keeps as many
## samples as it shows, and measures nothing.

const MOST := 100
const TOP := 30.0

var title := ""
var unit := ""
var is_stacked := false
## The names of the theme's colours, one for each line or area.
var colors: PackedStringArray = ["accent"]
var _samples: Array[PackedFloat32Array] = []
var _scale := 1.0


func add(sample: PackedFloat32Array) -> void:
	_samples.append(sample)
	if _samples.size() > MOST:
		_samples.pop_front()
	queue_redraw()


func count() -> int:
	return _samples.size()


func latest() -> PackedFloat32Array:
	return PackedFloat32Array() if _samples.is_empty() else _samples[-1]


func _notification(what: int) -> void:
	if what == NOTIFICATION_THEME_CHANGED:
		queue_redraw()


func _draw() -> void:
	var area := Rect2(0, TOP, size.x, size.y - TOP)
	_scale = _round_up(_highest())
	_draw_grid(area)
	var below := PackedFloat32Array()
	below.resize(_samples.size())
	for i in colors.size():
		var above := below.duplicate()
		for k in _samples.size():
			above[k] = _samples[k][i] + (below[k] if is_stacked else 0.0)
		_draw_band(area, below, above, _color(colors[i]))
		if is_stacked:
			below = above


func _draw_grid(area: Rect2) -> void:
	var font := get_theme_default_font()
	var bold := get_theme_font(&"bold", &"Demo")
	draw_string(bold, Vector2(0, 14), title, HORIZONTAL_ALIGNMENT_LEFT, -1, 13, _color(&"text"))
	if not _samples.is_empty():
		var sum := 0.0
		for part in _samples[-1]:
			sum = sum + part if is_stacked else maxf(sum, part)
		draw_string(font, Vector2(0, 14), short(sum) + unit, HORIZONTAL_ALIGNMENT_RIGHT, size.x, 13,
				_color(&"muted"))
	for i in 3:
		var y := area.position.y + area.size.y * i / 2.0
		draw_line(Vector2(0, y), Vector2(size.x, y), Color(_color(&"outline"), 0.6), 1.0)
		if i < 2:
			draw_string(font, Vector2(2, y + 12), short(_scale * (2 - i) / 2.0), HORIZONTAL_ALIGNMENT_LEFT, -1, 11,
					_color(&"faint"))


## Draws a strip of triangles: unlike a polygon it may have no height.
func _draw_band(area: Rect2, below: PackedFloat32Array, above: PackedFloat32Array, ink: Color) -> void:
	if above.size() < 2:
		return
	var points := PackedVector2Array()
	var line := PackedVector2Array()
	var indices := PackedInt32Array()
	var inks := PackedColorArray()
	var step := area.size.x / (MOST - 1)
	for k in above.size():
		var x := area.end.x - (above.size() - 1 - k) * step
		var top := Vector2(x, area.end.y - above[k] / _scale * area.size.y)
		var floor_y := area.end.y - (below[k] / _scale * area.size.y if is_stacked else 0.0)
		points.append_array([top, Vector2(x, floor_y)])
		line.append(top)
		inks.append_array([Color(ink, 0.5 if is_stacked else 0.28), Color(ink, 0.4 if is_stacked else 0.0)])
		if k > 0:
			var at := k * 2
			indices.append_array([at - 2, at - 1, at, at - 1, at, at + 1])
	RenderingServer.canvas_item_add_triangle_array(get_canvas_item(), indices, points, inks)
	draw_polyline(line, ink, 1.5, true)


func _highest() -> float:
	var highest := 0.0
	for sample in _samples:
		var sum := 0.0
		for part in sample:
			sum = sum + part if is_stacked else maxf(sum, part)
		highest = maxf(highest, sum)
	return highest


## Rounds up to the next of 1, 2, 5, 10, 20 ...
static func _round_up(value: float) -> float:
	var unit_of := 1.0
	while unit_of * 10.0 < value:
		unit_of *= 10.0
	for times: float in [1.0, 2.0, 5.0]:
		if unit_of * times >= value:
			return unit_of * times
	return unit_of * 10.0


## Formats a number in few characters: 950, 1.5 k, 3 M.
static func short(value: float) -> String:
	if value >= 1e6:
		return _trimmed(value / 1e6) + " M"
	if value >= 1e3:
		return _trimmed(value / 1e3) + " k"
	return _trimmed(value)


static func _trimmed(value: float) -> String:
	return ("%.0f" if value >= 100.0 else "%.1f") % value if value != floorf(value) else "%d" % value


func _color(name: StringName) -> Color:
	return get_theme_color(name, &"Demo")
