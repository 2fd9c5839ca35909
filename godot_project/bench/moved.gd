extends RefCounted
## How many bytes have to be read or written whoever does it, of values that are little else: what a machine's memory leaves
## for all the rest. It measures nothing.

## Elements from which on an array is more than what a core has at hand.
const MANY := 10_000
## A Variant, with 32 bits a real.
const VARIANT := 24
const PLAIN: Array[int] = [TYPE_INT, TYPE_FLOAT, TYPE_VECTOR2, TYPE_VECTOR3, TYPE_COLOR]


## 0 for a value of which more is made than moved.
static func bytes(value: Variant, wire: int, direction: String) -> int:
	match typeof(value):
		TYPE_STRING when value.length() >= MANY:
			return 4 * value.length() + wire
		TYPE_ARRAY when value.size() >= MANY and typeof(value[0]) in PLAIN:
			# The engine fills an array with nulls before anybody may write to it.
			return VARIANT * value.size() * (2 if direction == "decode" else 1) + wire
	return 0


## What is to be said of a row that missed its goal, when a second has room for so many bytes.
static func told(line: Dictionary, bytes_a_second: float) -> String:
	var least: float = 1e6 * line.moved / maxf(1.0, bytes_a_second)
	return "%s %s: to move %.1f MB takes %.0f us of its %.0f; nobody gets beyond %.1f here" % [line.name, line.direction,
		line.moved / 1e6, least, line.ours_usec, line.engine_usec / maxf(0.001, least)]
