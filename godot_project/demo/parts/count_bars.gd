extends Control
## Draws a list of names with a count and a bar each, the longest bar for the highest count.

const COUNT_WIDTH := 44.0
const MOST_ROW := 31.0

var _names := PackedStringArray()
var _colors := PackedStringArray()
var _counts := PackedInt32Array()


func set_rows(names: PackedStringArray, colors: PackedStringArray) -> void:
	_names = names
	_colors = colors
	_counts.resize(names.size())
	queue_redraw()


func show_counts(counts: PackedInt32Array) -> void:
	_counts = counts
	queue_redraw()


func count_of(name: String) -> int:
	var at := _names.find(name)
	return _counts[at] if at >= 0 else 0


func _notification(what: int) -> void:
	if what == NOTIFICATION_THEME_CHANGED or what == NOTIFICATION_RESIZED:
		queue_redraw()


func _draw() -> void:
	var font := get_theme_default_font()
	var row := minf(MOST_ROW, size.y / maxi(1, _names.size()))
	var highest := 1
	for count in _counts:
		highest = maxi(highest, count)
	for i in _names.size():
		var y := i * row
		var ink := get_theme_color(_colors[i], &"Demo")
		var width := (size.x - COUNT_WIDTH) * _counts[i] / highest
		var bar := StyleBoxFlat.new()
		bar.bg_color = Color(ink, 0.22)
		bar.set_corner_radius_all(4)
		if width >= 8.0:
			draw_style_box(bar, Rect2(0, y + 1.5, width, row - 3))
		draw_rect(Rect2(0, y + 1.5, 3, row - 3), ink)
		var base := y + row / 2 + 4.5
		draw_string(font, Vector2(10, base), _names[i], HORIZONTAL_ALIGNMENT_LEFT, size.x - COUNT_WIDTH, 12,
				get_theme_color(&"text", &"Demo"))
		draw_string(font, Vector2(0, base), str(_counts[i]), HORIZONTAL_ALIGNMENT_RIGHT, size.x, 12,
				get_theme_color(&"muted", &"Demo"))
