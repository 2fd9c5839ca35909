extends RefCounted
## Compares two values more strictly than any operator of GDScript. It tells apart types (1 and 1.0, String
## and StringName), -0.0 and every NaN bit pattern, typed containers by builtin type, class and script,
## dictionary order, NodePaths name by name, decoded objects by class and carried id. It iterates, so nesting
## costs no call stack.

const Typing := preload("typing.gd")

## The beginning of the text of an object read from its id; the id follows.
const WRAPPER := "<EncodedObjectAsID#"

enum Way { EQUAL, BITS, PACKED_BITS, ARRAY, DICTIONARY, NODE_PATH, OBJECT, CALLABLE, SIGNAL, TEXTS }

## The comparison for each Variant.Type, in the order of Variant.Type.
const WAYS: PackedByteArray = [
	Way.EQUAL, Way.EQUAL, Way.EQUAL, Way.BITS, Way.EQUAL,  # nil bool int float String
	Way.BITS, Way.EQUAL, Way.BITS, Way.EQUAL, Way.BITS, Way.EQUAL,  # Vector2 2i Rect2 2i Vector3 3i
	Way.BITS, Way.BITS, Way.EQUAL, Way.BITS, Way.BITS,  # Transform2D Vector4 4i Plane Quaternion
	Way.BITS, Way.BITS, Way.BITS, Way.BITS, Way.BITS,  # AABB Basis Transform3D Projection Color
	Way.EQUAL, Way.NODE_PATH, Way.EQUAL, Way.OBJECT,  # StringName NodePath RID Object
	Way.CALLABLE, Way.SIGNAL, Way.DICTIONARY, Way.ARRAY,
	Way.EQUAL, Way.EQUAL, Way.EQUAL, Way.PACKED_BITS, Way.PACKED_BITS,  # bytes int32 int64 float32 float64
	Way.TEXTS, Way.PACKED_BITS, Way.PACKED_BITS, Way.PACKED_BITS, Way.PACKED_BITS,  # String Vector2 3 Color 4
]


## Describes the first difference (`ours ..., engine ...`), or returns an empty text when there is none.
static func difference(ours: Variant, engine: Variant, us := "ours", them := "engine's") -> String:
	var left: Array = [ours]
	var right: Array = [engine]
	while not left.is_empty():
		var a: Variant = left.pop_back()
		var b: Variant = right.pop_back()
		var type := typeof(a)
		if type != typeof(b):
			return "%s is %s, %s is %s" % [us, _shown(a), them, _shown(b)]
		var way := WAYS[type]
		var same: bool
		if way == Way.EQUAL:
			same = a == b
		elif way == Way.BITS:
			# A number or math value keeps all its bits in var_to_bytes: every NaN is written 64 bits wide.
			same = var_to_bytes(a) == var_to_bytes(b)
		elif way == Way.PACKED_BITS:
			same = a.to_byte_array() == b.to_byte_array()
		elif way == Way.ARRAY:
			same = a.size() == b.size() and Typing.same_array(a, b)
			left.append_array(a)
			right.append_array(b)
		elif way == Way.DICTIONARY:
			same = a.size() == b.size() and Typing.same_dictionary(a, b)
			left.append_array(a.keys())
			left.append_array(a.values())
			right.append_array(b.keys())
			right.append_array(b.values())
		else:
			same = _same_handle(way, a, b)
		if not same:
			return "%s is %s, %s is %s" % [us, _shown(a), them, _shown(b)]
	return ""


static func _same_handle(way: int, a: Variant, b: Variant) -> bool:
	match way:
		Way.TEXTS:
			return a == b or _without_ids(a) == _without_ids(b)
		Way.NODE_PATH:
			return _same_path(a, b)
		Way.OBJECT:
			if a == null or b == null:
				return a == null and b == null
			if a is EncodedObjectAsID and b is EncodedObjectAsID:
				return a.object_id == b.object_id
			return is_same(a, b)
		Way.CALLABLE:
			return a == b and a.is_null() == b.is_null()
		Way.SIGNAL:
			return a.get_object_id() == b.get_object_id() and a.get_name() == b.get_name()
	return false


## Masks ids in texts: an Array[PackedStringArray] turns objects into text, which shows the id of a wrapper
## that was just made.
static func _without_ids(texts: PackedStringArray) -> PackedStringArray:
	var masked := PackedStringArray()
	for text in texts:
		var parts := text.split(WRAPPER)
		for i in range(1, parts.size()):
			parts[i] = parts[i].substr(parts[i].find(">"))
		masked.append(WRAPPER.join(parts))
	return masked


## Compares paths name by name, because `a/b` can be one name or two.
static func _same_path(a: NodePath, b: NodePath) -> bool:
	if (a.is_absolute() != b.is_absolute() or a.get_name_count() != b.get_name_count()
			or a.get_subname_count() != b.get_subname_count()):
		return false
	for i in a.get_name_count():
		if a.get_name(i) != b.get_name(i):
			return false
	for i in a.get_subname_count():
		if a.get_subname(i) != b.get_subname(i):
			return false
	return true


static func _shown(value: Variant) -> String:
	Engine.print_error_messages = false
	var literal := var_to_str(value).replace("\n", " ")
	var text := "%s %s%s" % [type_string(typeof(value)), Typing.text(value), literal]
	if WAYS[typeof(value)] == Way.BITS:
		text += " " + var_to_bytes(value).hex_encode()
	Engine.print_error_messages = true
	return text if text.length() <= 240 else text.left(240) + "…"
