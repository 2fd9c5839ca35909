extends "part.gd"
## Compares which keys are one. Each case is a Dictionary with two keys that are alike, or nearly so, often deep inside of
## arrays and dictionaries. The engine keeps as many entries as there are keys; every way in under SAFE strictness has to
## refuse the Dictionary exactly where the engine keeps fewer than the bytes declare, and ENGINE has to keep what it keeps.

const LeafGenerator := preload("leaf_generator.gd")
const EdgeValues := preload("edge_values.gd")
const Oracle := preload("oracle.gd")
const Typing := preload("typing.gd")
const ValueCompare := preload("value_compare.gd")

## The run has so many cases for each pair, because a pair asks some ten readers.
const SHARE := 8
## Around the leaf: mostly few levels, now and then as many as the engine compares.
const NESTING := 4
const DEEPEST := 48
## Entries before the two, of which there are few or many.
const BEFORE: PackedInt32Array = [0, 0, 0, 3, 20]
## Types that name something of the running game: each that is read is another one.
const LIVE: PackedInt32Array = [TYPE_OBJECT, TYPE_CALLABLE, TYPE_SIGNAL]

var _rng := RandomNumberGenerator.new()
var _edges := EdgeValues.new()
var _leaves := LeafGenerator.new(_rng, _edges)
var _equal := 0
var _refused := 0


func _init() -> void:
	title = "keys"
	unit = "pairs"


func run() -> bool:
	for case in maxi(cases / SHARE, 1):
		_rng.seed = (seed_number << 24) ^ hash(1_000_000_007 + case)
		came_through("case %d" % case, put("case %d" % case, _pair()))
	free_live()
	if ran >= 1000 and (_equal < ran / 10 or _equal > ran - ran / 10 or _refused > ran / 5):
		differ("generator", "%d of %d pairs were one key, %d were refused: too one-sided to show anything" % [_equal, ran, _refused])
	return true


func free_live() -> void:
	_edges.free_live()


## Gives both sides a Dictionary in which these keys follow each other. Keys with what SAFE refuses anywhere show nothing, such
## as text that the engine does not give back.
func put(case: String, keys: Array, before := BEFORE[_rng.randi() % BEFORE.size()]) -> bool:
	checks += 1
	if not keys.all(func(key: Variant) -> bool: return subject.takes(Oracle.encode([key]))):
		_refused += 1
		return true
	var bytes := PackedByteArray([TYPE_DICTIONARY, 0, 0, 0, before + keys.size(), 0, 0, 0])
	for number in before:
		bytes.append_array(var_to_bytes(1_000_000 + number) + var_to_bytes("before"))
	for key: Variant in keys:
		bytes.append_array(Oracle.encode(key) + var_to_bytes("value"))
	var engine: Variant = Oracle.decode(bytes)
	if not engine is Dictionary:
		differ(case, "the engine does not read two keys\n    bytes  " + window(bytes))
		return true
	var is_one: bool = engine.size() < before + keys.size()
	_equal += int(is_one)
	var verdicts: Dictionary = subject.verdicts(bytes)
	for way: String in verdicts:
		checks += 1
		if (verdicts[way] != OK) != is_one:
			differ(case, "%s says %s, the engine keeps %d entries of %d\n    bytes  %s" % [way, error_string(verdicts[way]),
				engine.size(), before + keys.size(), bytes.hex_encode()], keys)
	checks += 2
	if subject.decode(bytes) != OK:
		differ(case, "refused by ENGINE (%s)\n    bytes  %s" % [subject.error_message(), bytes.hex_encode()])
		return true
	var parted := ValueCompare.difference(subject.data(), engine)
	if not parted.is_empty():
		differ(case, "values differ: %s\n    bytes  %s" % [parted, bytes.hex_encode()], engine)
	if not is_one:
		checks += 1
		if not subject.saves(engine):
			differ(case, "a save refuses it\n    bytes  " + bytes.hex_encode(), engine)
	return true


## Makes two keys that are alike but for one leaf, which is nearly the same.
func _pair() -> Array:
	var type := _rng.randi() % TYPE_MAX
	while LIVE.has(type):
		type = _rng.randi() % TYPE_MAX
	var one: Variant = _leaves.make(type)
	var other: Variant = one
	if _rng.randi() % 2:
		other = _near(one)
	var levels := _rng.randi() % NESTING if _rng.randi() % 20 else _rng.randi_range(NESTING, DEEPEST)
	for level in levels:
		var way := _rng.randi() % 6
		one = _around(one, way)
		other = _around(other, way)
	return [one, other]


static func _around(inner: Variant, way: int) -> Variant:
	match way:
		0: return {inner: 1}
		1: return {1: inner}
		2: return {"first": 1, "then": inner}
		3: return Typing.array(Typing.builtin(typeof(inner)), [inner])
		4: return [1, inner]
	return [inner]


## Makes a value that some comparison takes for the same.
func _near(value: Variant) -> Variant:
	match typeof(value):
		TYPE_INT: return float(value)
		TYPE_FLOAT when is_nan(value): return _edges.of_type[TYPE_FLOAT].filter(is_nan)[_rng.randi() % 4]
		TYPE_FLOAT when value == 0.0: return -value
		TYPE_FLOAT: return int(clampf(value, -1e15, 1e15))
		TYPE_BOOL: return int(value)
		TYPE_STRING: return StringName(value)
		TYPE_STRING_NAME: return String(value)
		TYPE_NODE_PATH: return String(value)
		TYPE_NIL: return [false, 0, [], ""][_rng.randi() % 4]
		TYPE_RID: return value.get_id()
		TYPE_ARRAY: return Typing.array(Typing.builtin(TYPE_NIL), value.duplicate())
		TYPE_DICTIONARY: return value.duplicate()
		TYPE_VECTOR2: return value * Vector2(-1, 1) if value.x == 0.0 else Vector2i(0, 1)
		TYPE_VECTOR3: return value * Vector3(1, -1, 1) if value.y == 0.0 else Vector3i(0, 1, 0)
	return _leaves.make(typeof(value))
