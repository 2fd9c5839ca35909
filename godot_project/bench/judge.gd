extends RefCounted
## Judges whether rows have reached their goals. It measures nothing and knows only two rows by name.

## Rows that need direct access to a dictionary's nodes: without it they go through official calls, which are
## slower than all that the engine does.
const HARD_WITHOUT_NODES: Array[String] = ["nesting of 200", "dictionary, int keys"]
## The highest goal in a debug build, where no row has to be faster than the engine.
const DEBUG := 0.95
## The part of what memory allows from which on a row counts as having reached its goal.
const OF_MEMORY := 0.9


## Returns the goal of a row. The goals are for players' engines in which the probe of memory layouts trusts
## everything. A debug build only has to be no slower than the engine, more or less; so has a run that does
## not walk dictionaries by their nodes, but for two rows that need it. Where still less of memory is trusted
## there is no goal. `raw` is the value of VARIANT_STREAM_RAW.
static func goal(row: Dictionary, direction: String, raw: String, is_debug: bool) -> float:
	match raw:
		"off":
			return 0.0
		"walkless":
			return minf(row[direction], 0.7 if row.name in HARD_WITHOUT_NODES else 0.9)
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
