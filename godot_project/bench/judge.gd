extends RefCounted
## Judges whether rows have reached their goals. It measures nothing.

## The highest goal in a debug build, where no row has to be faster than the engine.
const DEBUG := 0.95
## The part of what memory allows from which on a row counts as having reached its goal.
const OF_MEMORY := 0.9


## Returns the goal of a row. The goals are for players' engines in which the probe of memory layouts trusts
## everything. A debug build only has to be no slower than the engine, more or less. Where nothing of memory is
## trusted there is no goal. `raw` is the value of VARIANT_STREAM_RAW.
static func goal(row: Dictionary, direction: String, raw: String, is_debug: bool) -> float:
	if raw == "off":
		return 0.0
	return minf(row[direction], DEBUG) if is_debug else float(row[direction])


## Tells whether a row reached its goal; a row whose bytes or values differ did not. `most` is the highest ratio
## that memory allows, if that bounds the row.
static func is_reached(line: Dictionary) -> bool:
	if not line.trouble.is_empty():
		return false
	return line.ratio >= minf(line.goal, OF_MEMORY * line.get("most", INF))


## Returns the verdict that is printed. A row without a goal is only "told".
static func verdict(line: Dictionary) -> String:
	if not line.passed:
		return "FAIL"
	return "PASS" if line.goal > 0.0 else "told"


## Returns 0 if every row reached its goal, 1 if a row did not, 2 if nothing was measured.
static func exit_code(lines: Array[Dictionary]) -> int:
	if lines.is_empty():
		return 2
	return 0 if lines.all(func(line: Dictionary) -> bool: return line.passed) else 1
