extends RefCounted
## Makes random objects: plain and scripted, with set properties, metadata and nested objects. It also makes,
## one by one, the values that the engine refuses to write. It encodes nothing.

const Item := preload("sample_objects/item.gd")
const ItemNode := preload("sample_objects/item_node.gd")
const ItemResource := preload("sample_objects/item_resource.gd")
const Typing := preload("typing.gd")
const ValueGenerator := preload("value_generator.gd")

const MAPS := "res://addons/variant_stream/ci/sample_objects/item_maps.gd"

## Classes that a server can make without a screen, with a property of each worth setting.
const CLASSES := {
	&"Object": [], &"RefCounted": [], &"Resource": [&"resource_name", TYPE_STRING],
	&"Node": [&"editor_description", TYPE_STRING], &"Node2D": [&"position", TYPE_VECTOR2],
	&"Node3D": [&"position", TYPE_VECTOR3], &"Timer": [&"one_shot", TYPE_BOOL], &"Curve": [],
	&"Gradient": [&"colors", TYPE_PACKED_COLOR_ARRAY], &"StyleBoxFlat": [&"bg_color", TYPE_COLOR],
	&"StyleBoxEmpty": [], &"RectangleShape2D": [&"size", TYPE_VECTOR2], &"ConfigFile": [],
	&"RandomNumberGenerator": [], &"EncodedObjectAsID": [&"object_id", TYPE_INT], &"ImageTexture": [],
	&"InputEventKey": [&"pressed", TYPE_BOOL], &"Animation": [], &"Label": [&"text", TYPE_STRING],
	&"Translation": [&"locale", TYPE_STRING], &"PackedDataContainer": [], &"FastNoiseLite": [],
}

## The script of typed dictionaries; null where the engine has none.
static var _maps: GDScript = load(MAPS) if Typing.dictionaries != null else null

var _values := ValueGenerator.new()
var _rng := RandomNumberGenerator.new()
var _to_free: Array[Object] = []


## Makes an object, or a container of some, for this seed and case number.
func make(seed_number: int, case: int) -> Variant:
	_rng.seed = (seed_number << 24) ^ hash(case)
	var object := _object(0, _values.make(seed_number, case))
	match _rng.randi() % 6:
		0: return [object, null, _object(0, 1), object]
		1: return {"object": object, &"again": [object]}
		2: return Array([Item.new(), null, _item(1, "x")], TYPE_OBJECT, &"RefCounted", Item)
		3 when object is Resource: return Array([object], TYPE_OBJECT, &"Resource", null)
	return object


## Frees the objects of the last make().
func free_made() -> void:
	for object in _to_free:
		if is_instance_valid(object):
			object.free()
	_to_free.clear()


func free_live() -> void:
	free_made()
	_values.free_live()


func _object(depth: int, extra: Variant) -> Object:
	var object := _scripted(depth, extra) if _rng.randi() % 2 else _builtin()
	if not object is RefCounted:
		_to_free.append(object)
	if _rng.randi() % 3 == 0:
		object.set_meta(&"extra", extra)
		object.set_meta(&"n%d" % (_rng.randi() % 3), _rng.randi())
	return object


func _builtin() -> Object:
	var name: StringName = CLASSES.keys()[_rng.randi() % CLASSES.size()]
	if not ClassDB.can_instantiate(name):
		name = &"RefCounted"  # an engine without the module
	var object: Object = ClassDB.instantiate(name)
	var property: Array = CLASSES[name]
	if not property.is_empty() and _rng.randi() % 2:
		var edges := _values.edges.of_type[property[1]]
		object.set(property[0], edges[_rng.randi() % edges.size()])
	return object


func _scripted(depth: int, extra: Variant) -> Object:
	match _rng.randi() % (5 if _maps != null else 4):
		0:
			var resource := ItemResource.new()
			resource.items = [_item(1, "a"), null]
			resource.resources = [Gradient.new(), ItemResource.new()]
			return resource
		1:
			var node := ItemNode.new()
			node.set(&"dynamic", extra)
			return node
		4:
			var maps: RefCounted = _maps.new()
			maps.by_name["ä"] = _item(2, "b")
			maps.counts[_item(3, "c")] = 3
			maps.resources[&"r"] = Resource.new()
			return maps
	var item := _item(_rng.randi(), "title")
	item.stored = extra
	item.anything = [extra, _item(4, "d")]
	item.tags = [&"x", &"ÿ"]
	if depth < 3 and _rng.randi() % 2:
		var child := _object(depth + 1, 7)
		item.child = child as RefCounted
	return item


static func _item(count: int, title: String) -> Item:
	var item := Item.new()
	item.count = count
	item.title = title
	return item


## Returns the values that no side may write, by name; each also says whether it is refused without objects
## too.
func unwritable() -> Array[Dictionary]:
	var runtime := GDScript.new()
	runtime.source_code = "extends RefCounted\n@export var a := 1\n"
	runtime.reload()
	var of_runtime := Typing.of_class(&"RefCounted", runtime)
	var cycle := []
	cycle.append(cycle)
	var own := Item.new()
	own.stored = own
	var deep: Variant = 1
	for i in 1025:
		deep = [deep]
	var deep_keys: Variant = 1
	for i in 1024:
		deep_keys = {"k": deep_keys}
	return [
		{"name": "runtime script", "value": runtime.new(), "plain": false},
		{"name": "array of a runtime script", "value": Typing.array(of_runtime, []), "plain": false},
		{"name": "inner class", "value": Inner.new(), "plain": false},
		{"name": "object that cannot be made", "value": Engine.get_singleton(&"DisplayServer"), "plain": false},
		{"name": "the same, nested", "value": {"a": [Engine.get_singleton(&"Input")]}, "plain": false},
		{"name": "object holding itself", "value": own, "plain": false, "untie": func() -> void: own.stored = null},
		{"name": "cyclic array", "value": cycle, "plain": true, "untie": func() -> void: cycle.clear()},
		{"name": "1025 arrays", "value": deep, "plain": true},
		{"name": "1025 levels in dictionaries", "value": [deep_keys], "plain": true},
	]


class Inner:
	extends RefCounted
	var a := 1
