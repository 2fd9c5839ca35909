extends RefCounted
## Draws how many times as fast as the engine rows are, as bars from 1 on a logarithmic scale. It draws only
## rows that stand for the others, so that the picture fits a screen; the table beside it in
## docs/dev/BENCH.md has every row. It measures nothing.

const Picture := preload("res://bench/picture.gd")

const WIDTH := 880
const LEFT := 275.0
const RIGHT := 830.0
const TOP := 78.0
## The height of a row, and of one of its two bars.
const ROW := 26.0
const BAR := 10.0
const LEAST := 0.25
const MOST := 20.0
const MARKS: PackedFloat32Array = [0.25, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0]

## The rows that are drawn: two or three of each kind of value, those where the engine is level or ahead among
## them.
const SHOWN: PackedStringArray = [
	"packet", "packet as array", "packet, decode_into", "ten kinds of packets", "packet, refused", "save of 200",
	"save of 20000", "array of ints", "array of vectors", "Array[String]", "text, ASCII", "text, Cyrillic",
	"packed strings, ASCII", "dictionary, int keys", "dictionary, String keys", "PackedByteArray", "PackedVector3Array",
	"one int", "one matrix", "array of node paths, all new",
]

var _picture := Picture.new()


func svg(lines: Array[Dictionary], build: Dictionary) -> String:
	var rows := _by_name(lines)
	var bottom := TOP + rows.size() * ROW
	_picture.text(16, 28, "Times as fast as the engine", "title")
	_picture.text(16, 48, "%d of the bench's rows; Godot %s, %s; median of rounds; further right is faster" % [rows.size(),
		build.version, "editor build" if build.debug else "release template"], "dim")
	_legend()
	for mark in MARKS:
		_picture.line(Vector2(_x(mark), TOP - 6), Vector2(_x(mark), bottom), "one" if mark == 1.0 else "grid")
		_picture.text(_x(mark), bottom + 16, String.num(mark) + "×", "dim number", "middle")
	var y := TOP
	for name: String in rows:
		_picture.text(LEFT - 12, y + 15, name, "", "end")
		for line: Dictionary in rows[name]:
			_bar(line, y + (2.0 if line.direction == "encode" else 2.0 + BAR + 1.0))
		y += ROW
	return _picture.svg(WIDTH, int(bottom) + 30, "Bar chart: encoding and decoding against the engine, row by row")


func _by_name(lines: Array[Dictionary]) -> Dictionary:
	var rows := {}
	for line in lines:
		if line.trouble.is_empty() and line.name in SHOWN:
			rows.get_or_add(line.name, []).append(line)
	return rows


func _legend() -> void:
	_picture.bar(Rect2(RIGHT - 140, 19, 10, 10), "encode")
	_picture.text(RIGHT - 126, 28, "encode")
	_picture.bar(Rect2(RIGHT - 66, 19, 10, 10), "decode")
	_picture.text(RIGHT - 52, 28, "decode")


func _bar(line: Dictionary, y: float) -> void:
	var one := _x(1.0)
	var end := _x(line.ratio)
	var is_slower: bool = line.ratio < 1.0
	_picture.bar(Rect2(minf(one, end), y, maxf(1.0, absf(end - one)), BAR), line.direction + (" slower" if is_slower else ""))
	var label := "%.1f" % line.ratio if line.ratio >= 10.0 else "%.2f" % line.ratio
	_picture.text(minf(one, end) - 4 if is_slower else end + 4, y + 9, label, "number", "end" if is_slower else "start")


func _x(ratio: float) -> float:
	return remap(log(clampf(ratio, LEAST, MOST)), log(LEAST), log(MOST), LEFT, RIGHT)
