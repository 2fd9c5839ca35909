extends "suite.gd"
## Tests the judge of the bench: no goal is lower than the one asked for, and a row that misses its goal is
## red. It times nothing: `cargo xtask bench` does.

## The reason why this runs once: see run.gd.
const ONCE := "is about the judge of the bench"
## The bench has rows of typed dictionaries.
const NEEDS := {"*": "Godot 4.4"}
const Judge := preload("res://bench/judge.gd")
const Moved := preload("res://bench/moved.gd")
const RatioChart := preload("res://bench/ratio_chart.gd")
const Report := preload("res://bench/report.gd")
const Rows := preload("res://bench/rows.gd")
const Stopwatch := preload("res://bench/stopwatch.gd")

## The goals that were asked for, encode and decode, by row; 0 where nothing is timed. All others have to
## reach 1.
const ASKED := {
	"packet": [6.0, 1.8], "packet, codec": [4.0, 1.6], "packet as array": [4.0, 2.0], "packet, decode_into": [0.0, 3.0],
	"save of 200": [10.0, 2.0], "save of 20000": [4.5, 1.9], "array of ints": [3.2, 5.5], "array of floats": [3.2, 5.5],
	"array of vectors": [3.4, 9.0], "Array[int]": [3.2, 4.3], "Array[String]": [9.0, 2.5], "text, ASCII": [4.5, 2.2],
	"text, CJK": [4.8, 3.5], "text, Cyrillic": [6.0, 1.9], "text, mixed with emoji": [4.7, 1.2],
	"packed strings, ASCII": [8.0, 1.8], "packed strings, others": [2.9, 1.5], "dictionary, int keys": [3.5, 1.1],
	"dictionary, String keys": [7.0, 1.3], "dictionary, name keys": [2.8, 1.05], "nesting of 200": [6.0, 1.3],
	"packet, refused": [0.0, 10.0], "refused: 2^31 - 1 elements": [0.0, 10.0], "refused: unknown type": [0.0, 10.0],
	"refused: no UTF-8": [0.0, 10.0], "packet, refused, unlogged": [0.0, 4.0],
	"refused: 2^31 - 1 elements, unlogged": [0.0, 4.0], "refused: unknown type, unlogged": [0.0, 4.0],
	"refused: no UTF-8, unlogged": [0.0, 4.0], "save file, against a plain one": [0.0, 0.8],
	"packing, a move": [1.0, 0.9], "packing, 250 bodies from two states": [0.67, 0.0],
	"objects, 20000": [4.0, 1.18], "objects, 20000, validate": [0.0, 20.0], "objects, one, loop by hand": [0.0, 0.83],
}
## Rows that are timed and not judged, because no allowed means can bring them to 1.
const TOLD: Array[String] = [
	"array of node paths, all new", "dictionary, 200 NodePath keys", "dictionary, 200 NodePath keys, decode_into",
	"dictionary, 200 Array keys", "dictionary, 200 Array keys, decode_into",
]
const PACKED: Array[String] = ["PackedByteArray", "PackedInt32Array", "PackedInt64Array", "PackedFloat32Array",
	"PackedFloat64Array", "PackedVector2Array", "PackedVector3Array", "PackedVector4Array", "PackedColorArray"]


## Claims two times, one of them three times the other, without taking any.
class Told:
	extends RefCounted

	func engine_encode(times: int) -> int:
		return 300 * times

	func ours_encode(times: int) -> int:
		return 100 * times


func test_no_goal_is_lower_than_what_was_asked_for() -> void:
	var rows := {}
	for row: Dictionary in Rows.new().all():
		check(not rows.has(row.name), "%s comes twice" % row.name)
		rows[row.name] = row
		if row.name in TOLD:
			continue
		var asked: Array = ASKED.get(row.name, [0.95, 0.95] if row.name in PACKED else [1.0, 1.0])
		for at: int in 2:
			var direction: String = ["encode", "decode"][at]
			check(not row.has(direction) or row[direction] >= asked[at], "%s %s" % [row.name, direction])
	for name: String in ASKED.keys() + PACKED + TOLD:
		check(rows.has(name), "no row " + name)
		for at: int in 2:
			var is_asked: bool = name not in TOLD and ASKED.get(name, [1.0, 1.0])[at] > 0.0
			check(not is_asked or rows[name].has(["encode", "decode"][at]), name)


## Tests that the chart of ratios shows rows that the table has, and fits a screen.
func test_the_chart_of_ratios_fits_a_screen() -> void:
	var lines: Array[Dictionary] = []
	var names := PackedStringArray()
	for row: Dictionary in Rows.new().all():
		names.append(row.name)
		for direction: String in ["encode", "decode"]:
			if row.has(direction):
				lines.append({"name": row.name, "direction": direction, "ratio": 2.0, "trouble": ""})
	for name in RatioChart.SHOWN:
		check(name in names, "no row " + name)
	var svg: String = RatioChart.new().svg(lines, {"version": "4", "debug": false})
	var height := svg.get_slice(" height=\"", 1).get_slice("\"", 0).to_int()
	check(height > 400 and height <= 700, "%d pixels high" % height)


## Tests the sizes of the saves: 96 KB and 9.6 MB, within a tenth.
func test_saves_have_their_size() -> void:
	for entities: int in [200, 20_000]:
		var size := var_to_bytes(load("res://bench/values.gd").save(entities)).size()
		check(absf(size - 480.0 * entities) < 48.0 * entities, "%d bytes" % size)
	check(var_to_bytes(load("res://bench/values.gd").packet()).size() == 132, "the packet has 132 bytes")


func test_what_misses_its_goal_is_red() -> void:
	for case: Array in [[2.0, 1.0, "PASS"], [0.5, 1.0, "FAIL"], [0.5, 0.0, "told"]]:
		var line := _line(case[0], case[1])
		line.passed = Judge.is_reached(line)
		check(Judge.verdict(line) == case[2], str(case))
	check(Judge.is_reached(_line(2.0, 2.0)), "just reached")
	check(not Judge.is_reached(_line(1.99, 2.0)), "missed")
	check(not Judge.is_reached(_line(9.0, 2.0, "bytes")), "what differs")
	# Memory allows 1.5 there.
	check(Judge.is_reached(_line(1.36, 2.0).merged({"most": 1.5})), "nine tenths of what memory allows")
	check(not Judge.is_reached(_line(1.34, 2.0).merged({"most": 1.5})), "less than that")
	check(not Judge.is_reached(_line(1.9, 2.0).merged({"most": 9.0})), "memory allows more than the goal")
	check(not Judge.is_reached(_line(9.0, 2.0, "bytes").merged({"most": 1.5})), "what differs, bound by memory")
	var good := {"passed": true}
	check(Judge.exit_code([good, good]) == 0 and Judge.exit_code([good, {"passed": false}]) == 1, "one missed")
	check(Judge.exit_code([] as Array[Dictionary]) == 2, "nothing was measured")


func test_rows_below_their_goals_are_named() -> void:
	var lines: Array[Dictionary] = []
	for case: Array in [["a", 2.0, 1.0, ""], ["b", 0.5, 1.0, ""], ["c", 0.5, 0.0, ""], ["d", 0.0, 1.0, "bytes"]]:
		var line := _line(case[1], case[2], case[3]).merged({"name": case[0], "direction": "encode"})
		lines.append(line.merged({"passed": Judge.is_reached(line)}))
	check_same(Report.new(lines).below_goals(),
			"1 of 3 rows reach their goal. The others:\n\n- b, encode: 0.50 of 1.00\n- d, encode: bytes", "one row is told")
	check_same(Report.new(lines.slice(0, 1)).below_goals(), "1 of 1 rows reach their goal.", "all")


## Tests that the page says of its own table which rows are below their goals.
func test_the_page_names_the_rows_below_their_goals() -> void:
	var page := FileAccess.get_file_as_string(ProjectSettings.globalize_path("res://../docs/dev/BENCH.md"))
	var lines: Array[Dictionary] = []
	for row in page.get_slice("cargo xtask bench: begin", 1).get_slice("cargo xtask bench: end", 0).split("\n"):
		var cells := row.split(" | ")
		if cells.size() == 7 and cells[3].is_valid_float():
			lines.append({"name": cells[0].trim_prefix("| "), "direction": cells[2], "ratio": cells[3].to_float(), "trouble": "",
				"goal": cells[5].to_float(), "passed": not cells[6].begins_with("no")})
	check(lines.size() > 100, "%d rows are read" % lines.size())
	check(Report.new(lines).below_goals() in page, "docs/dev/BENCH.md does not say:\n" + Report.new(lines).below_goals())


func test_goals_of_other_builds() -> void:
	var row := {"name": "packet", "encode": 6.0, "decode": 0.5}
	check(Judge.goal(row, "encode", "", false) == 6.0 and Judge.goal(row, "encode", "on", false) == 6.0, "release")
	check(Judge.goal(row, "encode", "", true) == 0.95 and Judge.goal(row, "decode", "", true) == 0.5, "debug")
	check(Judge.goal(row, "encode", "off", false) == 0.0, "modes")


func test_ratios_are_the_engines_time_by_ours() -> void:
	var stopwatch := Stopwatch.new()
	stopwatch.budget = 1000
	var result: Dictionary = stopwatch.compare(Told.new(), "encode")
	check(is_equal_approx(result.ratio, 3.0) and is_equal_approx(result.ratio_of_minima, 3.0), str(result))
	check(is_equal_approx(result.engine_usec, 300.0) and is_equal_approx(result.ours_usec, 100.0), str(result))
	check(result.noise == 0.0 and result.rounds >= Stopwatch.LEAST_ROUNDS, str(result))


## Tests the share that memory alone takes of a row, which is printed beside red rows.
func test_bytes_that_have_to_be_moved() -> void:
	var numbers := range(20_000)
	for case: Array in [["x".repeat(20_000), "decode", 80_500], ["ж".repeat(20_000), "encode", 80_500], [numbers, "encode", 480_500],
			[numbers, "decode", 960_500], ["short", "decode", 0], [[1, 2], "decode", 0], [{}, "encode", 0], [null, "decode", 0]]:
		check(Moved.bytes(case[0], 500, case[1]) == case[2], "%s of %s" % [case[1], type_string(typeof(case[0]))])
	var line := {"name": "text", "direction": "encode", "moved": 5_000_000, "ours_usec": 250.0, "engine_usec": 1000.0}
	check_same(Moved.told(line, 25e9), "text encode: to move 5.0 MB takes 200 us of its 250; nobody gets beyond 5.0 here", "told")


func _line(ratio: float, goal: float, trouble := "") -> Dictionary:
	return {"ratio": ratio, "goal": goal, "trouble": trouble}
