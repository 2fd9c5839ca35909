extends RefCounted
## Makes a random value of a given type; a third of them are edge values. It uses the random generator that it
## is given. It knows nothing of containers: an Array or Dictionary is an edge value as it is.

const EdgeValues := preload("edge_values.gd")
const MathValues := preload("math_values.gd")

## The characters of random text: ASCII, Latin, Greek, Kana, Hangul, private use, astral planes.
const ALPHABETS: Array[Array] = [
	[0x20, 0x7e], [0x20, 0x7e], [0x61, 0x7a], [0x80, 0x24f], [0x300, 0x3ff], [0x3040, 0x30ff], [0xac00, 0xd7a3],
	[0xe000, 0xf8ff], [0x10000, 0x10ffff], [0x1f300, 0x1faff], [1, 0x1f],
]
const TEXTS := 512
const LARGE := 600

var _rng: RandomNumberGenerator
var _edges: EdgeValues
var _texts: PackedStringArray = []
var _scratch := PackedByteArray()


func _init(rng: RandomNumberGenerator, edges: EdgeValues) -> void:
	_rng = rng
	_edges = edges
	_scratch.resize(8)


func make(type: int) -> Variant:
	if type >= TYPE_PACKED_BYTE_ARRAY:
		return _packed(type)
	if _rng.randi() % 3 == 0:
		return _edge(type)
	match type:
		TYPE_INT: return _integer()
		TYPE_FLOAT: return _number()
		TYPE_STRING: return _text()
		TYPE_STRING_NAME: return StringName(_text())
		TYPE_NODE_PATH: return _path()
		TYPE_RID: return rid_from_int64(_integer())
	if not MathValues.COMPONENTS.has(type):
		return _edge(type)
	var row := []
	var whole := MathValues.is_whole(type)
	for i in MathValues.COMPONENTS[type]:
		row.append(_integer() if whole else _number())
	return MathValues.from_ints(type, row) if whole else MathValues.from_reals(type, row)


func _edge(type: int) -> Variant:
	var values := _edges.of_type[type]
	return values[_rng.randi() % values.size()]


func _integer() -> int:
	return (_rng.randi() | (_rng.randi() << 32)) >> (_rng.randi() % 64)


func _number() -> float:
	match _rng.randi() % 4:
		0: return float(_rng.randi_range(-100000, 100000)) / 8.0
		1: return _rng.randf() * 2.0 - 1.0
		2:
			_scratch.encode_u32(0, _rng.randi())
			return _scratch.decode_float(0)
	_scratch.encode_u32(0, _rng.randi())
	_scratch.encode_u32(4, _rng.randi())
	return _scratch.decode_double(0)


## Returns a text of a stock that is made at first use, half of the time with a number behind it.
func _text() -> String:
	if _texts.is_empty():
		_fill_texts()
	var text := _texts[_rng.randi() % TEXTS]
	return text if _rng.randi() % 2 else text + str(_rng.randi() % 1000)


func _fill_texts() -> void:
	var before := _rng.state
	_rng.seed = 1  # the stock is equal whichever case comes first
	for i in TEXTS:
		var alphabet := ALPHABETS[_rng.randi() % ALPHABETS.size()]
		var text := ""
		for n in _rng.randi() % 24 if i % 50 else _rng.randi() % LARGE:
			text += String.chr(_rng.randi_range(alphabet[0], alphabet[1]))
		_texts.append(text)
	_rng.state = before


func _path() -> NodePath:
	var path := "/" if _rng.randi() % 2 else ""
	for i in _rng.randi() % 5:
		path += _text().left(12).replace("/", "_").replace(":", "_") + "/"
	path = path.trim_suffix("/")
	for i in _rng.randi() % 3:
		path += ":p" + _text().left(8).replace(":", "_")  # never empty: the engine refuses `::`
	return NodePath(path)


func _packed(type: int) -> Variant:
	var values := _edges.of_type[type]
	if _rng.randi() % 80 == 0:
		return values.back()  # the large one; seldom, because it takes most of the time
	var array: Variant = values[_rng.randi() % (values.size() - 1)].duplicate()
	match _rng.randi() % 3:
		0: array.reverse()
		1:
			for i in _rng.randi() % 6:
				array.append(_element(type))
	return array


func _element(type: int) -> Variant:
	match type:
		TYPE_PACKED_BYTE_ARRAY: return _rng.randi() & 255
		TYPE_PACKED_INT32_ARRAY: return _rng.randi()
		TYPE_PACKED_INT64_ARRAY: return _integer()
		TYPE_PACKED_FLOAT32_ARRAY, TYPE_PACKED_FLOAT64_ARRAY: return _number()
		TYPE_PACKED_STRING_ARRAY: return _text()
		TYPE_PACKED_VECTOR2_ARRAY: return make(TYPE_VECTOR2)
		TYPE_PACKED_VECTOR3_ARRAY: return make(TYPE_VECTOR3)
		TYPE_PACKED_COLOR_ARRAY: return make(TYPE_COLOR)
	return make(TYPE_VECTOR4)
