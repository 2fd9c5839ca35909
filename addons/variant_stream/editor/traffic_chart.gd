@tool
extends Control
## Shows the messages of the running game's protocols: a row for each, with the bytes of the last minute, received and sent,
## and those of the last second in figures. It grows with its rows, and a scroll container holds it; legend.gd names its colours.

const Looks := preload("looks.gd")

## The seconds that are shown.
const SECONDS := 60
## The most messages that are kept; a game is not trusted to have fewer.
const MOST := 128
enum {RECEIVED, RECEIVED_BYTES, SENT, SENT_BYTES, REFUSED}

## For each message, its counts of each of the last seconds, the newest last.
var _counts := {}


func _init() -> void:
	size_flags_horizontal = SIZE_EXPAND_FILL
	Looks.call_it(self, "Traffic")


## Takes the counts of one second: by name, messages and bytes received, those sent, and what was refused.
func add_second(traffic: Dictionary) -> void:
	for name: String in traffic:
		if not name in _counts and _counts.size() < MOST:
			_counts[name] = []
	for name: String in _counts:
		var of_name: Array = _counts[name]
		var counts: PackedInt64Array = traffic.get(name, PackedInt64Array([0, 0, 0, 0, 0]))
		of_name.append(counts)
		if of_name.size() > SECONDS:
			of_name.pop_front()
	custom_minimum_size.y = _counts.size() * _row_height()
	queue_redraw()


func clear() -> void:
	_counts.clear()
	custom_minimum_size.y = 0
	queue_redraw()


## Returns how many seconds there are.
func seconds() -> int:
	return _counts.values().reduce(func(most: int, seconds: Array) -> int: return maxi(most, seconds.size()), 0)


## Returns the names, those with the most bytes in the last minute first.
func names() -> Array:
	var sums := {}
	for name: String in _counts:
		sums[name] = _counts[name].reduce(
				func(sum: int, counts: PackedInt64Array) -> int: return sum + counts[RECEIVED_BYTES] + counts[SENT_BYTES], 0)
	var sorted := sums.keys()
	sorted.sort_custom(func(one: String, other: String) -> bool: return sums[one] > sums[other])
	return sorted


## Returns the most bytes of a message in a second: as many as the highest bar has.
func most() -> int:
	var found := 0
	for name: String in _counts:
		for counts: PackedInt64Array in _counts[name]:
			found = maxi(found, counts[RECEIVED_BYTES] + counts[SENT_BYTES])
	return found


## Returns the figures of a message in the last second.
func figures(name: String) -> String:
	var counts: PackedInt64Array = _counts[name][-1]
	var parts := PackedStringArray()
	if counts[RECEIVED] > 0 or counts[SENT] == 0:
		parts.append("in %s/s, %d msg/s" % [Looks.size_of(counts[RECEIVED_BYTES]), counts[RECEIVED]])
	if counts[SENT] > 0:
		parts.append("out %s/s, %d msg/s" % [Looks.size_of(counts[SENT_BYTES]), counts[SENT]])
	if counts[REFUSED] > 0:
		parts.append("%d refused" % counts[REFUSED])
	return "   ".join(parts)


func _row_height() -> float:
	return 2.0 * ceilf(_font().get_height(_font_size()))


func _font() -> Font:
	return get_theme_font(&"font", &"Label")


func _font_size() -> int:
	return get_theme_font_size(&"font_size", &"Label")


func _draw() -> void:
	var pad := 8.0 * Looks.scale()
	var rows := names()
	var left := 0.0
	var figures_width := 0.0
	for name: String in rows:
		left = maxf(left, Looks.width_of(self, _title(name)))
		figures_width = maxf(figures_width, Looks.width_of(self, figures(name)))
	# The bars get what names and figures leave.
	left = minf(left, size.x * 0.3)
	var right := size.x - minf(figures_width, size.x * 0.5)
	var highest := maxi(most(), 1)
	var top := 0.0
	for name: String in rows:
		var base := top + (_row_height() + _font().get_ascent(_font_size())) / 2
		_write(Vector2(pad, base), _title(name), Looks.text(self), left - pad)
		_draw_row(_counts[name], Rect2(left, top + 2, right - left - pad, _row_height() - 4), highest)
		_write(Vector2(right, base), figures(name), Looks.dim(self), size.x - right - pad)
		top += _row_height()


func _title(name: String) -> String:
	return Looks.short(name) if not name.is_empty() else "(unknown)"


## Draws a bar for each second: the bytes received, those sent on them, and a mark where something was refused.
func _draw_row(of_name: Array, area: Rect2, highest: int) -> void:
	draw_rect(area, Looks.faint(Looks.text(self), 0.06))
	var width := area.size.x / SECONDS
	for at in of_name.size():
		var counts: PackedInt64Array = of_name[at]
		var x := area.end.x - (of_name.size() - at) * width
		var received := area.size.y * counts[RECEIVED_BYTES] / highest
		var sent := area.size.y * counts[SENT_BYTES] / highest
		draw_rect(Rect2(x, area.end.y - received, maxf(width - 1, 1), received), Looks.faint(Looks.accent(self), 0.75))
		draw_rect(Rect2(x, area.end.y - received - sent, maxf(width - 1, 1), sent), Looks.faint(Looks.success(self), 0.75))
		if counts[REFUSED] > 0:
			draw_rect(Rect2(x, area.position.y, maxf(width - 1, 1), 3), Looks.error(self))


func _write(at: Vector2, text: String, color: Color, width: float) -> void:
	draw_string(_font(), at, text, HORIZONTAL_ALIGNMENT_LEFT, width, _font_size(), color, TextServer.JUSTIFICATION_NONE,
			TextServer.DIRECTION_LTR)
