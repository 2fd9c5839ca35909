extends "suite.gd"
## Tests VariantClassSet on random graphs: what comes back is the same graph up to the identity of its objects, by our
## decoder and by the engine's own functions alone, and it is written as the same bytes again.

const Cast := preload("objects/cast.gd")
const Reader := preload("objects/reader.gd")


class Knot:
	var left: Knot
	var right: Knot
	var list: Array[Knot]
	var any: Dictionary
	var plain: Array


class Leaf:
	var number := 0
	var knot: Knot


var _random := RandomNumberGenerator.new()
## All knots of the graph at hand, since some hold each other and nothing leads to them.
var _knots: Array[Knot] = []
var _classes := VariantClassSet.new()
var _codec := VariantCodec.new()


func _init() -> void:
	_classes.allow("knot", Knot, VariantClassSet.VARIABLES)
	_classes.allow("leaf", Leaf, VariantClassSet.VARIABLES)
	for name: String in ["left", "right"]:
		_classes.property("knot", name, VariantClassSet.object("knot").nullable())
	_classes.property("leaf", "knot", VariantClassSet.object("knot").nullable())
	_classes.property("knot", "any", VariantSchema.map(VariantSchema.string(), VariantSchema.any()))
	_classes.property("knot", "plain", VariantSchema.array())
	_codec.classes = _classes


func clean_up() -> void:
	_classes.release(_knots)


## Returns a random graph of up to so many objects, as the value that leads to some of them.
func _graph(most: int) -> Array:
	_classes.release(_knots)
	var knots: Array[Knot] = []
	for i in _random.randi_range(1, most):
		knots.append(Knot.new())
	_knots = knots
	var leaves: Array[Leaf] = []
	for i in _random.randi_range(0, most):
		leaves.append(Leaf.new())
		leaves[i].number = _random.randi_range(-3, 300)
		leaves[i].knot = _some(knots)
	for knot in knots:
		knot.left = _some(knots)
		knot.right = _some(knots)
		for i in _random.randi_range(0, 3):
			knot.list.append(_some(knots))
		for i in _random.randi_range(0, 2):
			knot.any["key%d" % i] = [_some(knots), _some(leaves), i]
		if _random.randf() < 0.3:
			knot.plain = [{"a": _some(leaves)}, "text", _list(knots)]
	return [_some(knots), {"leaf": _some(leaves), "knots": [_some(knots), knots[0]], "list": _list(knots)}]


## Returns an Array of some knots, one that is declared for them or not.
func _list(knots: Array[Knot]) -> Array:
	var list: Array[Knot] = []
	for i in _random.randi_range(0, 2):
		list.append(_some(knots))
	return list if _random.randf() < 0.6 else Array(list, TYPE_NIL, "", null)


func _some(objects: Array) -> Object:
	return null if objects.is_empty() or _random.randf() < 0.3 else objects[_random.randi() % objects.size()]


## Returns where two values differ, up to the identity of objects; `pairs` are those that have to be the same.
func _difference(a: Variant, b: Variant, pairs: Dictionary, due: Array) -> String:
	if a is Object or b is Object:
		if not (a is Object and b is Object and a.get_script() == b.get_script()):
			return "%s is no %s" % [b, a]
		if pairs.has(a):
			return "" if is_same(pairs[a], b) else "another object"
		if pairs.values().any(func(other: Object) -> bool: return is_same(other, b)):
			return "one object for two"
		pairs[a] = b
		due.append([a, b])
		return ""
	if typeof(a) != typeof(b):
		return "%s is no %s" % [type_string(typeof(b)), type_string(typeof(a))]
	if a is Array:
		if a.size() != b.size() or not a.is_same_typed(b):
			return "another array"
		for i: int in a.size():
			var found := _difference(a[i], b[i], pairs, due)
			if not found.is_empty():
				return "[%d]%s" % [i, found]
		return ""
	if a is Dictionary:
		if a.keys() != b.keys():
			return "other keys"
		for key: Variant in a:
			var found := _difference(a[key], b[key], pairs, due)
			if not found.is_empty():
				return ".%s%s" % [key, found]
		return ""
	return "" if a == b else "%s is not %s" % [b, a]


func _parted(a: Variant, b: Variant) -> String:
	var pairs := {}
	var due := []
	var found := _difference(a, b, pairs, due)
	while found.is_empty() and not due.is_empty():
		var pair: Array = due.pop_back()
		var names := ["number", "knot"] if pair[0] is Leaf else ["left", "right", "list", "any", "plain"]
		for name: String in names:
			if found.is_empty():
				found = _difference(pair[0].get(name), pair[1].get(name), pairs, due)
	return found


## Counts the objects of a graph that the engine's own functions have read, where each is a Dictionary.
func _read_objects(value: Variant) -> int:
	var seen := []
	var due := [value]
	while not due.is_empty():
		var next: Variant = due.pop_back()
		if next is Array:
			due.append_array(next)
		elif next is Dictionary:
			if next.has("tag"):
				if seen.any(func(other: Dictionary) -> bool: return is_same(other, next)):
					continue
				seen.append(next)
			due.append_array(next.values())
	return seen.size()


func test_o10_graphs_come_back_as_they_were() -> void:
	for i in 100000 if long else 300:
		_random.seed = i
		var graph := _graph(12)
		var bytes := _codec.encode(graph)
		_codec.strictness = VariantCodec.CANONICAL
		if not check_error(_codec.decode(bytes), OK, "graph %d: %s" % [i, _codec.get_error_message()]):
			return
		var back: Array = _codec.data
		check(_parted(graph, back).is_empty(), "graph %d: %s" % [i, _parted(graph, back)])
		check_bytes(_codec.encode(back), bytes, "graph %d, written again" % i)
		_classes.release(graph)
		_classes.release(back)


func test_o11_the_order_of_making_does_not_show() -> void:
	for i in 1000 if long else 50:
		_random.seed = i
		var graph := _graph(8)
		var bytes := _codec.encode(graph)
		# A copy is made in another order than the graph was.
		var copy: Array = _classes.copy(graph)
		check_bytes(_codec.encode(copy), bytes, "graph %d" % i)
		_classes.release(graph)
		_classes.release(copy)


func test_o12_the_engine_reads_as_many_objects() -> void:
	for i in 10000 if long else 100:
		_random.seed = i
		var graph := _graph(8)
		var bytes := _codec.encode(graph)
		var document: Array = bytes_to_var(bytes)
		var count := 0
		for class_entry: Array in document[1]:
			count += class_entry[3].size()
		check_same(_read_objects(Reader.read(bytes)), count, "graph %d" % i)
		_classes.release(graph)


func test_spoiled_documents_print_nothing_and_leave_nothing() -> void:
	_codec.strictness = VariantCodec.SAFE
	_random.seed = 7
	var graph := _graph(8)
	var bytes := _codec.encode(graph)
	_classes.release(graph)
	graph.clear()
	_codec.decode(PackedByteArray())
	var before := Performance.get_monitor(Performance.OBJECT_COUNT)
	for i in 200000 if long else 3000:
		_random.seed = i
		var spoiled := bytes.duplicate()
		for times in _random.randi_range(1, 3):
			spoiled[_random.randi() % spoiled.size()] = _random.randi() & 255
		if _codec.decode(spoiled) == OK:
			_classes.release(_codec.data)
		check_error(_codec.validate(spoiled), _codec.decode(spoiled), "spoiled %d" % i)
		_classes.release(_codec.data)
	_codec.decode(PackedByteArray())
	check_same(Performance.get_monitor(Performance.OBJECT_COUNT), before, "the number of objects")


## Two equal dictionaries give the same bytes under sort_keys, in whatever order their objects were put in.
func test_sorted_keys_number_objects_too() -> void:
	var codec := VariantCodec.new()
	codec.classes = Cast.classes()
	codec.sort_keys = true
	var links := []
	for i in 4:
		var link := Cast.Link.new()
		link.number = i
		links.append(link)
	links[0].next = links[3]
	var one := {"a": links[0], "b": {"x": links[1], "y": [links[2]]}, "c": links[3]}
	var other := {"c": links[3], "b": {"y": [links[2]], "x": links[1]}, "a": links[0]}
	var bytes := codec.encode(one)
	check(not bytes.is_empty(), codec.get_error_message())
	check_bytes(codec.encode(other), bytes, "the other order")
	check_error(codec.decode(bytes), OK, codec.get_error_message())
	check(codec.data.b.y[0].number == 2 and codec.data.a.next == codec.data.c and codec.data.c.number == 3, "the objects")
	check_bytes(codec.encode(codec.data), bytes, "written again")
