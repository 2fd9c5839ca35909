extends RefCounted
## Writes the rows of a run as files: all numbers as JSON, ratios as a table, charts. It measures nothing.

const Judge := preload("res://bench/judge.gd")

var _lines: Array[Dictionary]


func _init(lines: Array[Dictionary]) -> void:
	_lines = lines


func json() -> String:
	return JSON.stringify({"build": build(), "rows": _lines}, "\t") + "\n"


func build() -> Dictionary:
	return {"debug": OS.is_debug_build(), "version": Engine.get_version_info().string,
		"processor": OS.get_processor_name(), "cores": OS.get_processor_count(), "system": OS.get_name()}


func markdown() -> String:
	var text := "| Workload | bytes | | ratio | of minima | goal | reached |\n|---|--:|---|--:|--:|--:|---|\n"
	for line in _lines:
		if line.trouble.is_empty():
			text += "| %s | %d | %s | %.2f | %.2f | %.2f | %s |\n" % [line.name, line.bytes, line.direction, line.ratio,
				line.ratio_of_minima, line.goal, {"PASS": "yes", "FAIL": "no"}.get(Judge.verdict(line), "")]
	return text + "\n" + below_goals() + "\n\n" + scaling_table()


## Says how many rows reach their goal, and names those that do not, each with its ratio and its goal.
func below_goals() -> String:
	var judged := _lines.filter(func(line: Dictionary) -> bool: return Judge.verdict(line) != "told")
	var red := judged.filter(func(line: Dictionary) -> bool: return not line.passed)
	var text := "%d of %d rows reach their goal" % [judged.size() - red.size(), judged.size()]
	if red.is_empty():
		return text + "."
	var names := red.map(func(line: Dictionary) -> String: return "- %s, %s: %s" % [line.name, line.direction,
			"%.2f of %.2f" % [line.ratio, line.goal] if line.trouble.is_empty() else line.trouble])
	return text + ". The others:\n\n" + "\n".join(names)


## Returns the nanoseconds for each value of the rows that count their values, or nothing when there are none.
func scaling_table() -> String:
	var text := ""
	for line in _lines:
		if line.values > 0 and line.trouble.is_empty():
			text += "| %d | %s | %.1f | %.1f |\n" % [line.values, line.direction,
				1000.0 * line.ours_usec / line.values, 1000.0 * line.engine_usec / line.values]
	return "" if text.is_empty() else "| Values | | ours, ns a value | the engine, ns a value |\n|--:|---|--:|--:|\n" + text


func svg() -> String:
	return load("res://bench/ratio_chart.gd").new().svg(_lines, build())


func scaling() -> String:
	return load("res://bench/scaling_chart.gd").new().svg(_lines, build())
