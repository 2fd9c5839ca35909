extends RefCounted
## Lists the values at the edges of every type, for the random generator and the test suites. They are leaves
## only; containers are made around them elsewhere.

const MathValues := preload("math_values.gd")

const INTS: Array[int] = [
	0, 1, -1, 2, 127, 128, 255, 256, -128, -129, 32767, 32768, 65535, 65536, 2147483646, 2147483647, 2147483648,
	2147483649, -2147483647, -2147483648, -2147483649, 4294967295, 4294967296, 9007199254740993,
	9223372036854775807, -9223372036854775807, -9223372036854775807 - 1,
]
const INTS_32: Array[int] = [0, 1, -1, 255, -256, 65536, 2147483647, -2147483647 - 1]

## Floats by their 64 bits, since most of these have no literal.
const FLOAT_BITS: PackedStringArray = [
	"0000000000000000", "8000000000000000", "3ff0000000000000", "bff0000000000000",  # 0 -0 1 -1
	"3ff8000000000000", "3fb999999999999a", "400921fb54442d18", "3fe0000000000000",  # 1.5 0.1 pi 0.5
	"7ff0000000000000", "fff0000000000000", "7ff8000000000000", "fff8000000000000",  # inf -inf nan -nan
	"7ff8000000000001", "7ffc000020000000", "7ff0000000000001", "7fffffffffffffff",  # NaN payloads
	"fff4000000000000", "0000000000000001", "800fffffffffffff", "0010000000000000",  # f64 subnormals, smallest
	"36a0000000000000", "3690000000000000", "3690000000000001", "b6a0000000000000",  # 2^-149 2^-150 ...
	"3810000000000000", "380fffffc0000000", "47efffffe0000000", "47efffffe0000001",  # f32 normal edges
	"47f0000000000000", "47efffffffffffff", "7fefffffffffffff", "ffefffffffffffff",  # 2^128, f64 largest
	"4170000000000000", "4170000010000000", "3ff0000020000000", "3ff0000010000000",  # 2^24, +1, 1+2^-23, 1+2^-24
	"4340000000000000", "433fffffffffffff", "c3e0000000000000", "41dfffffffc00000",  # 2^53 ... -2^63, 2^31-1
]

const STRINGS: PackedStringArray = [
	"", "a", "ab", "abc", "abcd", "abcde", "hello world", " \t\r\n\"'\\/:%@", "\u0001\u001f\u007f\u0080\u009f",
	"é", "ß", "Ω", "ab\u07ff", "\u0800", "漢字かな", "한국어", "\uffff", "\ufffd", "\ud7ff\ue000",
	"\U010000", "😀", "a😀b", "\U10ffff", "👩‍👩‍👧‍👦", "e\u0301\u0323", "\u202eabc\u202c", "עברית العربية",
	"a\ufeffb", "ab\ufeff", "\ufeff", "\ufeffx", "\ufeff\ufeff", "null", "res://item.gd", "{\"k\": [1, 2]}",
]

const NODE_PATHS: PackedStringArray = [
	"", "/", ".", "..", "a", "/a", "a/b", "/a/b", "a/b/c/d/e/f", ":x", "a:x", "/a:x:y", "a/b:c:d:e", "../a",
	"../../b:p", "/root/Main/a b", "%Unique", "%Unique/c:q", "@Node@12", "a//b", "a/", "ü/漢字:😀", "a.b/c-d:e.f",
]

## Rows of numbers of which the math types are made: ordinary ones, then each special value at each place.
const REAL_ROWS: Array[Array] = [
	[0.0, 0.0], [1.0, 1.0], [-0.0, 0.0], [-0.0, -0.0], [1.5, -2.25, 3.0, 1000.125], [0.1, 0.2, 0.3],
	[INF, -INF, 0.0], [NAN, 1.0], [1.0, NAN, -0.0, INF], [1e-45, -1e-45, 1.1754944e-38, 1e-40],
	[3.4028235e38, -3.4028235e38, 1e39, -1e300], [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0,
	13.0, 14.0, 15.0, 16.0],
]
const INT_ROWS: Array[Array] = [
	[0], [1, 2, 3, 4], [-1, -2, -3, -4], [2147483647, -2147483648], [-2147483648, 0, 2147483647],
	[255, 65536, -7],
]


## NodePaths that no text can make: one name holding '/' and ':', an empty name, an empty sub-name, `//`.
const ODD_NODE_PATHS: PackedStringArray = [
	"16000000010000800000000000000000" + "05000000612f623a63000000",
	"16000000010000800000000000000000" + "00000000",
	"16000000010000800100000001000000" + "0100000061000000" + "00000000",
	"16000000020000800000000001000000" + "00000000" + "010000002f000000",
]

## The edge values of each type, indexed by Variant.Type.
var of_type: Array[Array] = []
var _live: Array[Object] = []


func _init() -> void:
	of_type.resize(TYPE_MAX)
	of_type[TYPE_NIL] = [null]
	of_type[TYPE_BOOL] = [false, true]
	of_type[TYPE_INT] = Array(INTS)
	of_type[TYPE_FLOAT] = Array(floats())
	of_type[TYPE_STRING] = Array(STRINGS) + ["x".repeat(4095), "é".repeat(1000), "😀".repeat(257)]
	of_type[TYPE_STRING_NAME] = of_type[TYPE_STRING].map(
			func(text: String) -> StringName: return StringName(text))
	of_type[TYPE_NODE_PATH] = Array(NODE_PATHS).map(func(text: String) -> NodePath: return NodePath(text))
	of_type[TYPE_NODE_PATH] += Array(ODD_NODE_PATHS).map(
			func(hex: String) -> NodePath: return bytes_to_var(hex.hex_decode()))
	for type: int in MathValues.COMPONENTS:
		of_type[type] = _math(type)
	_fill_handles()
	for type in range(TYPE_PACKED_BYTE_ARRAY, TYPE_MAX):
		of_type[type] = _packed(type)
	of_type[TYPE_DICTIONARY] = [{}, {"a": 1}, {a = 1}, {1: {2: {}}}, {null: null}, {1: 1, 1.0: 2, "1": 3}]
	of_type[TYPE_ARRAY] = [[], [null], [[]], [1, "a", 2.5, []], [[1], [2, [3]]]]


## Frees the nodes behind the handles; the values are of no use afterwards.
func free_live() -> void:
	for object in _live:
		if object is Node:
			object.free()
	_live.clear()


static func floats() -> Array[float]:
	var all: Array[float] = []
	for hex in FLOAT_BITS:
		var bytes := hex.hex_decode()
		bytes.reverse()
		all.append(bytes.decode_double(0))
	return all


static func _math(type: int) -> Array:
	var rows := INT_ROWS if MathValues.is_whole(type) else REAL_ROWS
	var all := []
	for row in rows:
		var filled := []
		while filled.size() < MathValues.COMPONENTS[type]:
			filled.append_array(row)
		all.append(MathValues.from_ints(type, filled) if rows == INT_ROWS else MathValues.from_reals(type, filled))
	return all


func _fill_handles() -> void:
	var id := EncodedObjectAsID.new()
	id.object_id = 5
	_live = [RefCounted.new(), Resource.new(), Node.new(), id]
	_live[2].add_user_signal("ünï")
	var no_object: Variant = bytes_to_var("180001000000000000000000".hex_decode())
	of_type[TYPE_OBJECT] = [no_object] + _live
	of_type[TYPE_RID] = [RID(), rid_from_int64(1), rid_from_int64(-1), rid_from_int64(0x7fffffff00000001)]
	of_type[TYPE_CALLABLE] = [Callable(), Callable(_live[1], "get_path"), func() -> int: return 1]
	of_type[TYPE_SIGNAL] = [Signal(), Signal(_live[1], "changed"), Signal(_live[2], "ünï"), Signal(_live[2], "")]


func _packed(type: int) -> Array:
	var elements: Array
	match type:
		TYPE_PACKED_BYTE_ARRAY: elements = [0, 1, 255, 127, 128]
		TYPE_PACKED_INT32_ARRAY: elements = INTS_32
		TYPE_PACKED_INT64_ARRAY: elements = INTS
		TYPE_PACKED_FLOAT32_ARRAY, TYPE_PACKED_FLOAT64_ARRAY: elements = of_type[TYPE_FLOAT]
		TYPE_PACKED_STRING_ARRAY: elements = of_type[TYPE_STRING]
		TYPE_PACKED_VECTOR2_ARRAY: elements = of_type[TYPE_VECTOR2]
		TYPE_PACKED_VECTOR3_ARRAY: elements = of_type[TYPE_VECTOR3]
		TYPE_PACKED_COLOR_ARRAY: elements = of_type[TYPE_COLOR]
		TYPE_PACKED_VECTOR4_ARRAY: elements = of_type[TYPE_VECTOR4]
	var all := []
	for count in [0, 1, 2, 3, 4, 5, elements.size()]:
		all.append(type_convert(elements.slice(0, count), type))
	var large: Variant = all.back().duplicate()
	while large.size() < 1000:
		large.append_array(all.back())
	return all + [large]
