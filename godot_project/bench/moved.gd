extends RefCounted
## Computes how many bytes any implementation has to read or write for values that are little else, which
## bounds a row's speed. It measures nothing.

## The number of elements from which on an array is larger than a core's caches.
const MANY := 10_000
## The size of a Variant in an engine of single precision.
const VARIANT := 24
const PLAIN: Array[int] = [TYPE_INT, TYPE_FLOAT, TYPE_VECTOR2, TYPE_VECTOR3, TYPE_COLOR]


## Returns the bytes, or 0 for a value whose cost is in making and not in moving.
static func bytes(value: Variant, wire: int, direction: String) -> int:
	match typeof(value):
		TYPE_STRING when value.length() >= MANY:
			return 4 * value.length() + wire
		TYPE_ARRAY when value.size() >= MANY and typeof(value[0]) in PLAIN:
			# The engine fills an array with nulls before it can be written to.
			return VARIANT * value.size() * (2 if direction == "decode" else 1) + wire
	return 0


## Returns the highest ratio that a row can have when memory moves `bytes_a_second`.
static func most(line: Dictionary, bytes_a_second: float) -> float:
	return line.engine_usec / maxf(0.001, 1e6 * line.moved / maxf(1.0, bytes_a_second))


## Returns the line to print for a row that missed its goal, when memory moves `bytes_a_second`.
static func told(line: Dictionary, bytes_a_second: float) -> String:
	var least: float = 1e6 * line.moved / maxf(1.0, bytes_a_second)
	return "%s %s: to move %.1f MB takes %.0f us of its %.0f; nobody gets beyond %.1f here" % [line.name, line.direction,
		line.moved / 1e6, least, line.ours_usec, most(line, bytes_a_second)]
