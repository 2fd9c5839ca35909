extends RefCounted
## Whether rows have reached their goals. It measures nothing and knows no row but two by name.

## Without the walk along nodes these live by official calls, which are slower than all that the engine does.
const HARD_WITHOUT_NODES: Array[String] = ["nesting of 200", "dictionary, int keys"]
## In a debug build no row has to be faster than the engine, but hardly slower.
const DEBUG := 0.95


## The goals are for players' engines, with all that the probe has seen. A debug build has to be no slower than the
## engine, more or less; so has what walks no dictionary by its nodes, but for two rows that live by them. Where still less
## of memory is trusted there is none. `raw` is what VARIANT_STREAM_RAW says.
static func goal(row: Dictionary, direction: String, raw: String, is_debug: bool) -> float:
	match raw:
		"off", "values":
			return 0.0
		"walkless":
			return minf(row[direction], 0.7 if row.name in HARD_WITHOUT_NODES else 0.9)
	return minf(row[direction], DEBUG) if is_debug else float(row[direction])


## A row whose bytes or values differ is no row.
static func is_reached(line: Dictionary) -> bool:
	return line.trouble.is_empty() and line.ratio >= line.goal


## What is said of it. A row without a goal is told, no more.
static func verdict(line: Dictionary) -> String:
	if not line.passed:
		return "FAIL"
	return "PASS" if line.goal > 0.0 else "told"


## 0 every row reached its goal, 1 one did not, 2 nothing was measured.
static func exit_code(lines: Array[Dictionary]) -> int:
	if lines.is_empty():
		return 2
	return 0 if lines.all(func(line: Dictionary) -> bool: return line.passed) else 1
