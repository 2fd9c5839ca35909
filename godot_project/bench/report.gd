extends RefCounted
## The rows of a run as a file: all numbers as JSON, ratios as a chart and as a table. Measures nothing.

const BAR := 14
const LEFT := 230
## Pixels from a ratio of 1 to one of 10: the scale is logarithmic, so that half and twice are equally far.
const DECADE := 220.0
const LEAST := 0.1
const MOST := 40.0

var _lines: Array[Dictionary]


func _init(lines: Array[Dictionary]) -> void:
	_lines = lines


func json() -> String:
	return JSON.stringify({"build": build(), "rows": _lines}, "\t") + "\n"


func build() -> Dictionary:
	return {"debug": OS.is_debug_build(), "version": Engine.get_version_info().string,
		"processor": OS.get_processor_name(), "cores": OS.get_processor_count(), "system": OS.get_name()}


func markdown() -> String:
	var text := "| Workload | bytes | | engine us | ours us | ratio | of minima | goal |\n|---|--:|---|--:|--:|--:|--:|--:|\n"
	for line in _lines:
		if line.trouble.is_empty():
			text += "| %s | %d | %s | %.2f | %.2f | %.2f | %.2f | %.2f |\n" % [line.name, line.bytes, line.direction,
				line.engine_usec, line.ours_usec, line.ratio, line.ratio_of_minima, line.goal]
	return text


func svg() -> String:
	var height := (_lines.size() + 2) * BAR + 20
	var parts := PackedStringArray([
		"<svg xmlns='http://www.w3.org/2000/svg' width='%d' height='%d' font-family='sans-serif' font-size='10'>"
				% [_x(MOST) + 60, height],
		"<rect width='100%' height='100%' fill='white'/>",
		"<text x='%d' y='14'>times as fast as the engine (%s), logarithmic</text>" % [LEFT, build().version]])
	for ratio: float in [0.5, 1.0, 2.0, 5.0, 10.0, 20.0]:
		parts.append("<line x1='%d' y1='22' x2='%d' y2='%d' stroke='%s'/><text x='%d' y='%d'>%s</text>" % [
			_x(ratio), _x(ratio), height - 16, "black" if ratio == 1.0 else "lightgray", _x(ratio) - 4, height - 4,
			String.num(ratio)])
	var row := 0
	for line in _lines:
		if line.trouble.is_empty():
			parts.append(_bar(line, 26 + row * BAR))
			row += 1
	parts.append("</svg>\n")
	return "\n".join(parts)


func _bar(line: Dictionary, top: int) -> String:
	var from := mini(_x(1.0), _x(line.ratio))
	var width := maxi(1, absi(_x(line.ratio) - _x(1.0)))
	return ("<text x='4' y='%d'>%s, %s</text><rect x='%d' y='%d' width='%d' height='%d' fill='%s'/>"
			+ "<text x='%d' y='%d'>%.2f</text>") % [top + 9, String(line.name).xml_escape(), line.direction, from, top,
			width, BAR - 3, "seagreen" if line.ratio >= 1.0 else "firebrick", _x(MOST) + 8, top + 9, line.ratio]


func _x(ratio: float) -> int:
	return LEFT + int(DECADE * (log(clampf(ratio, LEAST, MOST)) - log(LEAST)) / log(10.0))
