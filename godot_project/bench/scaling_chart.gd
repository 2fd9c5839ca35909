extends RefCounted
## Draws the nanoseconds for each value from few values to many, ours as lines and the engine's as dots. It
## measures nothing.

const Picture := preload("res://bench/picture.gd")

const WIDTH := 820
const HEIGHT := 320
const PLOT := Rect2(64, 66, 720, 204)

var _picture := Picture.new()
var _most := 1.0


## Returns the chart, or nothing when no row counts its values.
func svg(lines: Array[Dictionary], build: Dictionary) -> String:
	var counted := lines.filter(func(line: Dictionary) -> bool: return line.values > 0 and line.trouble.is_empty())
	if counted.is_empty():
		return ""
	for line: Dictionary in counted:
		_most = maxf(_most, maxf(_cost(line, "ours_usec"), _cost(line, "engine_usec")))
	_most = ceilf(_most / 50.0) * 50.0
	_picture.text(16, 28, "Nanoseconds a value", "title")
	_picture.text(16, 48, "ours: lines, the engine: dotted; Godot %s, %s" % [
		build.version, "editor build" if build.debug else "release template"], "dim")
	_axes(counted)
	for direction: String in ["encode", "decode"]:
		for side: String in ["ours_usec", "engine_usec"]:
			_curve(counted, direction, side)
	return _picture.svg(WIDTH, HEIGHT, "Line chart: cost of a value against their number")


func _axes(lines: Array) -> void:
	for step in 6:
		var cost := _most * step / 5.0
		_picture.line(Vector2(PLOT.position.x, _y(cost)), Vector2(PLOT.end.x, _y(cost)), "grid")
		_picture.text(PLOT.position.x - 8, _y(cost) + 4, "%d" % cost, "dim number", "end")
	for line: Dictionary in lines:
		if line.direction == "encode":
			_picture.text(_x(line.values), PLOT.end.y + 20, "%d" % line.values, "dim number", "middle")
	_picture.text(PLOT.get_center().x, PLOT.end.y + 40, "values", "dim", "middle")
	for direction: String in ["encode", "decode"]:
		var x := PLOT.end.x - (140 if direction == "encode" else 66)
		_picture.bar(Rect2(x, 19, 10, 10), direction)
		_picture.text(x + 14, 28, direction)


func _curve(lines: Array, direction: String, side: String) -> void:
	var points := PackedVector2Array()
	for line: Dictionary in lines:
		if line.direction == direction:
			points.append(Vector2(_x(line.values), _y(_cost(line, side))))
	_picture.path(points, "line %s%s" % [direction, " theirs" if side == "engine_usec" else ""])


func _cost(line: Dictionary, side: String) -> float:
	return 1000.0 * line[side] / line.values


## Maps a number of values to a place, from ten to a million with one step a decade.
func _x(values: int) -> float:
	return remap(log(values) / log(10.0), 1.0, 6.0, PLOT.position.x + 20, PLOT.end.x - 20)


func _y(cost: float) -> float:
	return remap(cost, 0.0, _most, PLOT.end.y, PLOT.position.y)
