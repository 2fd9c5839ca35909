extends RefCounted
## Makes random value trees: every type, typed containers of every builtin, nesting, edge values mixed with
## random ones. A seed and case number always give the same tree. It compares and encodes nothing.

const EdgeValues := preload("edge_values.gd")
const LeafGenerator := preload("leaf_generator.gd")
const Typing := preload("typing.gd")

const DEEPEST := 1024  # Containers around one leaf that the engine still writes.
const WIDEST := 9
const NESTING := 7

## Whether the last tree holds objects: their ids change when an engine writes again what it read.
var has_objects := false
## A bit for each Variant.Type that any tree so far held.
var seen := 0

var edges := EdgeValues.new()
var _rng := RandomNumberGenerator.new()
var _leaves := LeafGenerator.new(_rng, edges)
var _budget := 0
var _plain: Array = []


func _init() -> void:
	for values in edges.of_type:
		_plain.append_array(values)


## Makes a value: the first cases are the edge values one by one, then come the trees.
func make(seed_number: int, case: int) -> Variant:
	_rng.seed = (seed_number << 24) ^ hash(case)
	if case < _plain.size():
		has_objects = typeof(_plain[case]) == TYPE_OBJECT
		return _plain[case]
	has_objects = false
	var roll := _rng.randi() % 1000
	if roll < 2:
		return _deep(_rng.randi_range(NESTING, DEEPEST))
	if roll < 250:
		return _leaf()
	_budget = 12 if roll < 650 else (80 if roll < 990 else 800)
	return _container(0)


func free_live() -> void:
	edges.free_live()


func _node(depth: int) -> Variant:
	_budget -= 1
	if depth < NESTING and _budget > 0 and _rng.randi() % 3 == 0:
		return _container(depth)
	return _leaf()


func _leaf() -> Variant:
	return _leaf_of(_rng.randi() % TYPE_MAX)


func _leaf_of(type: int) -> Variant:
	seen |= 1 << type
	if type == TYPE_OBJECT:
		has_objects = true
	return _leaves.make(type)


func _container(depth: int) -> Variant:
	match _rng.randi() % 6:
		0, 1: return _array(depth)
		2: return _typed_array(depth)
		3: return _typed_dictionary(depth) if Typing.dictionaries != null else _dictionary(depth)
		_: return _dictionary(depth)


func _array(depth: int) -> Array:
	var array := []
	for i in _rng.randi() % WIDEST:
		array.append(_node(depth + 1))
	seen |= 1 << TYPE_ARRAY
	return array


func _dictionary(depth: int) -> Dictionary:
	var dictionary := {}
	for i in _rng.randi() % WIDEST:
		dictionary[_key()] = _node(depth + 1)
	seen |= 1 << TYPE_DICTIONARY
	return dictionary


## Makes a key: mostly a name, as in games, now and then any leaf at all.
func _key() -> Variant:
	var roll := _rng.randi() % 8
	if roll < 4:
		return _leaf_of(TYPE_STRING)
	if roll < 7:
		return _leaf_of(TYPE_STRING_NAME if roll < 6 else TYPE_INT)
	return _leaf()


func _typed_array(depth: int) -> Array:
	var type := _element_type()
	var elements := []
	for i in _rng.randi() % WIDEST:
		elements.append(_of_type(type.type, depth + 1))
	return Typing.array(type, elements)


func _typed_dictionary(depth: int) -> Dictionary:
	var key := _element_type()
	var value := _element_type()
	if key.type == TYPE_ARRAY or key.type == TYPE_DICTIONARY:
		key = Typing.builtin(TYPE_STRING)
	var entries := {}
	for i in _rng.randi() % WIDEST:
		entries[_of_type(key.type, depth + 1)] = _of_type(value.type, depth + 1)
	return Typing.dictionaries.make(entries, key, value)


## Draws any builtin, `Variant` (nil) included; the only class is RefCounted, which the live objects fit.
func _element_type() -> Dictionary:
	return Typing.builtin(_rng.randi() % TYPE_MAX)


func _of_type(type: int, depth: int) -> Variant:
	_budget -= 1
	match type:
		TYPE_NIL: return _leaf()
		TYPE_OBJECT:
			has_objects = true
			return edges.of_type[TYPE_OBJECT][1]
		TYPE_ARRAY when depth < NESTING and _budget > 0: return _array(depth)
		TYPE_DICTIONARY when depth < NESTING and _budget > 0: return _dictionary(depth)
	return _leaf_of(type)


## Makes `levels` containers around one leaf; keys stay shallow, because the engine's hash gives up on deep
## ones.
func _deep(levels: int) -> Variant:
	var value: Variant = _leaf_of(_rng.randi() % TYPE_DICTIONARY)
	for i in levels:
		value = [value] if _rng.randi() % 2 else {i: value}
	return value
