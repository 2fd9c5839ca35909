extends "suite.gd"
## Tests that coerce() takes the texts that the running engine makes of its types, and the objects of
## JSON.from_native(), for values and for keys; that it takes the texts of Godot 3; and that it takes nothing near them.

## JSON.from_native() came with 4.4. Before, small numbers have fewer digits, and a Projection has line ends.
const NEEDS := {
	"test_numbers_of_from_native": "Godot 4.4", "test_objects_of_from_native": "Godot 4.4",
	"test_every_number_survives": "Godot 4.4", "test_every_text_of_every_type": "Godot 4.4",
}
const SEED := 20261125
const NAMES := {
	TYPE_VECTOR2: "vector2", TYPE_VECTOR2I: "vector2i", TYPE_RECT2: "rect2", TYPE_RECT2I: "rect2i", TYPE_VECTOR3:
	"vector3", TYPE_VECTOR3I: "vector3i", TYPE_TRANSFORM2D: "transform2d", TYPE_VECTOR4: "vector4", TYPE_VECTOR4I:
	"vector4i", TYPE_PLANE: "plane", TYPE_QUATERNION: "quaternion", TYPE_AABB: "aabb", TYPE_BASIS: "basis",
	TYPE_TRANSFORM3D: "transform3d", TYPE_PROJECTION: "projection", TYPE_COLOR: "color", TYPE_PACKED_BYTE_ARRAY:
	"packed_byte_array", TYPE_PACKED_INT32_ARRAY: "packed_int32_array", TYPE_PACKED_INT64_ARRAY:
	"packed_int64_array", TYPE_PACKED_FLOAT32_ARRAY: "packed_float32_array", TYPE_PACKED_FLOAT64_ARRAY:
	"packed_float64_array", TYPE_PACKED_STRING_ARRAY: "packed_string_array", TYPE_PACKED_VECTOR2_ARRAY:
	"packed_vector2_array", TYPE_PACKED_VECTOR3_ARRAY: "packed_vector3_array", TYPE_PACKED_COLOR_ARRAY:
	"packed_color_array", TYPE_PACKED_VECTOR4_ARRAY: "packed_vector4_array",
}

var _random := RandomNumberGenerator.new()


func _init() -> void:
	_random.seed = SEED


func test_every_text_of_every_type() -> void:
	for turn in 200 if long else 20:
		for value: Variant in _values():
			var schema := _schema_of(value)
			for text: Variant in [JSON.stringify(value), JSON.stringify(value, "", true, true)]:
				_becomes(schema, JSON.parse_string(text), value, "JSON.stringify: " + text)
			_becomes(schema, str(value), value, "str()")
			_becomes(schema, var_to_str(value), value, "var_to_str()")


## Numbers of every size; str() cuts digits, var_to_str() does not.
func test_every_number_survives() -> void:
	for turn in 2000 if long else 100:
		var bits := PackedByteArray()
		bits.resize(8)
		bits.encode_u32(0, _random.randi() & 0xBF7F_FFFF)
		bits.encode_u32(4, _random.randi() & 0xBF7F_FFFF)
		var value := Vector2(bits.decode_float(0), bits.decode_float(4))
		_becomes(VariantSchema.vector2(), var_to_str(value), value, "var_to_str()")
	for value: Vector2 in [Vector2(INF, -INF), Vector2(1e-30, 1e30)]:
		_becomes(VariantSchema.vector2().allow_non_finite(), var_to_str(value), value, "var_to_str()")
	var infinite := JSON.stringify(Vector2(INF, 1))
	_is_refused(VariantSchema.vector2(), JSON.parse_string(infinite), "(root): expected finite Vector2, got Vector2 with inf or nan")
	_becomes(VariantSchema.vector2().allow_non_finite(), JSON.parse_string(infinite), Vector2(INF, 1), "allowed")


func test_numbers_of_from_native() -> void:
	for turn in 2000 if long else 100:
		var value := Vector2(_random.randfn() * 1e10, _random.randfn() * 1e-10)
		_becomes(VariantSchema.vector2(), JSON.parse_string(_native(value)), value, "from_native()")


func test_objects_of_from_native() -> void:
	for turn in 200 if long else 20:
		for value: Variant in _values():
			var json := _native(value)
			_becomes(_schema_of(value), JSON.parse_string(json), value, "from_native(): " + json)
	var save := {
		&"name": "s:x", 7: 2.5, 2.5: true, Vector2i(1, 2): [Color.RED, null], ^"a/b": {"n": &"y"},
	}
	var json: Variant = JSON.parse_string(_native(save))
	check_same(VariantSchema.map(VariantSchema.any(), VariantSchema.any()).coerce(json), save, "a dictionary")
	var typed: Variant = JSON.parse_string(_native([1, 2] as Array[int]))
	check_same(VariantSchema.array(VariantSchema.int()).typed().coerce(typed), [1, 2] as Array[int], "a typed array")
	check_same(VariantSchema.int().coerce("i:9223372036854775807"), 9223372036854775807, "an int alone")
	check_same(VariantSchema.float().coerce("f:0.1"), 0.1, "a float alone")
	var own := VariantSchema.dict({"type": VariantSchema.string(), "args": VariantSchema.array()})
	var call := {"type": "Dictionary", "args": ["i:1", "i:2"]}
	check_same(own.coerce(call), call, "a schema with such keys means them")
	for wrong: Dictionary in [
		{"type": "Vector2", "args": [1.0]}, {"type": "Vector2", "args": [1.0, null]}, {"type": "Vector3", "args": [1.0, 2.0]},
		{"type": "Vector2", "args": [1.0, 2.0], "more": 1}, {"type": "Vector2"}, {"args": [1.0, 2.0]},
	]:
		_is_refused(VariantSchema.vector2(), wrong, "(root): expected Vector2, got Dictionary")


## JSON has texts as keys only.
func test_keys() -> void:
	var cases: Array[Array] = [
		[VariantSchema.int(), {7: 1, -3: 2}], [VariantSchema.float(), {7.0: 1, 2.5: 2, 1e30: 3}],
		[VariantSchema.bool(), {true: 1, false: 2}], [VariantSchema.vector2(), {Vector2(1.5, -2): 1}],
		[VariantSchema.vector3i(), {Vector3i(1, -2, 3): 1, Vector3i(0, 0, 0): 2}], [VariantSchema.color(), {Color(1, 0.5, 0): 1}],
		[VariantSchema.rect2(), {Rect2(1, 2, 3, 4): 1}], [VariantSchema.string_name(), {&"a": 1}],
		[VariantSchema.node_path(), {^"a/b": 1}], [VariantSchema.enum([Vector2i(1, 2), 5, 2.5, true]), {Vector2i(1, 2): 1, 5: 2, 2.5: 3, true: 4}],
	]
	for given in cases:
		var schema := VariantSchema.map(given[0], VariantSchema.int())
		_becomes(schema, JSON.parse_string(JSON.stringify(given[1], "", false)), given[1], JSON.stringify(given[1]))
	var schema := VariantSchema.map(VariantSchema.vector2(), VariantSchema.int())
	_is_refused(schema, {"(1, 2": 1}, "[key 0]: expected Vector2, got String")


## As Godot 3.6 prints them: `str()`, `JSON.print()` and `var2str()`.
func test_texts_of_godot_3() -> void:
	var basis := Basis(Vector3(1, 4, 7), Vector3(2, 5, 8), Vector3(3, 6, 9))
	var texts := {
		"(1.5, -2)": Vector2(1.5, -2), "Vector2( 1.5, -2 )": Vector2(1.5, -2), "(1, 2, 3, 4.5)": Rect2(1, 2, 3, 4.5),
		"Rect2( 1, 2, 3, 4.5 )": Rect2(1, 2, 3, 4.5), "(1, 2, 3.25)": Vector3(1, 2, 3.25), "((1, 2), (3, 4), (5, 6))":
		Transform2D(Vector2(1, 2), Vector2(3, 4), Vector2(5, 6)), "Transform2D( 1, 0, 0, 1, 5, 6 )":
		Transform2D(Vector2(1, 0), Vector2(0, 1), Vector2(5, 6)), "0, 1, 0, 5": Plane(0, 1, 0, 5), "Plane( 0, 1, 0, 5 )": Plane(0, 1, 0, 5),
		"(0, 0, 0, 1)": Quaternion(0, 0, 0, 1), "0, 0, 0, 1": Quaternion(0, 0, 0, 1), "Quat( 0, 0, 0, 1 )": Quaternion(0, 0, 0, 1),
		"1, 2, 3 - 4, 5, 6": AABB(Vector3(1, 2, 3), Vector3(4, 5, 6)), "AABB( 1, 2, 3, 4, 5, 6 )": AABB(Vector3(1, 2, 3), Vector3(4, 5, 6)),
		"((1, 2, 3), (4, 5, 6), (7, 8, 9))": basis, "Basis( 1, 2, 3, 4, 5, 6, 7, 8, 9 )": basis,
		"1, 2, 3, 4, 5, 6, 7, 8, 9 - 1, 2, 3": Transform3D(basis, Vector3(1, 2, 3)),
		"Transform( 1, 2, 3, 4, 5, 6, 7, 8, 9, 1, 2, 3 )": Transform3D(basis, Vector3(1, 2, 3)),
		"1,0.5,0,1": Color(1, 0.5, 0), "Color( 1, 0.5, 0, 1 )": Color(1, 0.5, 0), "[1, 2]": PackedByteArray([1, 2]),
		"PoolByteArray( 1, 2 )": PackedByteArray([1, 2]), "PoolIntArray( 1, 2 )": PackedInt32Array([1, 2]),
		"PoolRealArray( 1, 2.5 )": PackedFloat32Array([1, 2.5]), "PoolStringArray( \"a\", \"b, c\" )": PackedStringArray(["a", "b, c"]),
		"[(1, 2.5), (3, 4)]": PackedVector2Array([Vector2(1, 2.5), Vector2(3, 4)]),
		"PoolVector3Array( 1, 2, 3, 4, 5, 6 )": PackedVector3Array([Vector3(1, 2, 3), Vector3(4, 5, 6)]),
		"[1,0.5,0,1, 0,0,0,1]": PackedColorArray([Color(1, 0.5, 0), Color(0, 0, 0)]),
		"Vector2( 1e-10, 1.23457e+08 )": Vector2(1e-10, 1.23457e+08),
	}
	for text: String in texts:
		_becomes(_schema_of(texts[text]), text, texts[text], text)
	var turned: Transform2D = VariantSchema.transform2d().coerce("((1, 0), (-0, 1), (5, 6))", Transform2D())
	check_same(var_to_bytes(turned).hex_encode().substr(24, 8), "00000080", "the zero keeps its sign")
	check_same(VariantSchema.map(VariantSchema.bool(), VariantSchema.int()).coerce({"True": 1, "False": 2}), {true: 1, false: 2}, "keys")


func test_colors_and_bytes() -> void:
	for text: String in ["#ff8000", "#f80", "#ff8000ff", "#F80F", "#01020304", "#12f"]:
		_becomes(VariantSchema.color(), text, Color.html(text), text)
	for text: String in ["#ff800", "#ff80000", "#gg0000", "#", "ff8000", "# ff8000", "red"]:
		_is_refused(VariantSchema.color(), text, "(root): expected Color, got String")
	for size in range(1, 20):
		var bytes := PackedByteArray()
		for at in size:
			bytes.append(_random.randi() & 255)
		_becomes(VariantSchema.packed_byte_array(), Marshalls.raw_to_base64(bytes), bytes, "base64 of %d bytes" % size)
		_becomes(VariantSchema.packed_byte_array(), "PackedByteArray(\"%s\")" % Marshalls.raw_to_base64(bytes), bytes, "of a scene")
	for text: String in ["AQI", "AQI=A", "AQ I=", "AQ==AQ==", "[1, 256]", "[1, -1]", "[1.5]", "[1, 2", "é"]:
		_is_refused(VariantSchema.packed_byte_array(), text, "(root): expected PackedByteArray, got String")


## A near miss is no form: each is told by its path, and prints nothing.
func test_near_misses() -> void:
	var misses := {
		"vector2": ["(1.5, -2.0", "(1.5)", "(1.5, -2.0, 3)", "1.5, -2.0", "(1.5 -2.0)", "(1.5, -2.0,)", "(a, b)", "Vector3(1, 2)", "vector2(1, 2)",
			"Vector2(1, 2) ", "(1.5, -2.0) x", "[1, 2]", "", "(#, #)", "(1e999, 0)", "(0x1, 2)", "(1,, 2)", "(.5, 1)", "(5., 1)", "(--1, 2)"],
		"vector2i": ["(1.5, 2)", "(1, 2147483648)", "(1, nan)", "(1, 1e300)"],
		"rect2": ["[P: (1, 2), S: (3)]", "[S: (1, 2), P: (3, 4)]", "[P: (1, 2) S: (3, 4)]", "[p: (1, 2), s: (3, 4)]"],
		"basis": ["[X: (1, 0, 0), Y: (0, 1, 0)]", "1, 0, 0, 0, 1, 0, 0, 0", "((1, 0, 0), (0, 1, 0), (0, 0))"],
		"transform3d": ["1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 2, 3", "1, 0, 0, 0, 1, 0, 0, 0, 1 -1, 2, 3"],
		"plane": ["[N: (0, 1, 0)]", "[N: (0, 1, 0), D: ]"],
		"packed_vector2_array": ["[(1, 2), (3)]", "[(1, 2) (3, 4)]", "[(1, 2),]", "[1, 2]", "PackedVector2Array(1, 2, 3)", "[(1, 2), 3, 4]"],
		"packed_int32_array": ["[1, 2147483648]", "[1.5]", "[1 2]", "[1,]", "[,]"],
		"packed_color_array": ["[1, 2, 3]", "[(1, 2, 3)]"],
		"packed_string_array": ["[a]", "[\"a\"", "[\"a\" \"b\"]"],
		"bool": ["TRUE", "1", "yes", " true"],
		"float": ["1.5x", " 1.5", "0x10", "1,5", "+1", "infinity"],
		"int": ["1.0", "0x1", "i:1.5", "i:", "1 "],
	}
	for type: String in misses:
		var schema := _builder(type)
		for text: String in misses[type]:
			var wrapped := VariantSchema.dict({"k": VariantSchema.array(schema)})
			check_same(wrapped.coerce({"k": [text]}), null, "%s: %s" % [type, text])
			check_same(wrapped.get_error_message().get_slice(":", 0), "k[0]", "%s: %s" % [type, text])


## Tests that a schema which takes a text gets it as it is.
func test_texts_stay_texts() -> void:
	var either := VariantSchema.union([VariantSchema.string(), VariantSchema.vector2(), VariantSchema.int()])
	for text: String in ["(1, 2)", "5", "i:5", "true"]:
		check_same(either.coerce(text), text, text)
		check_same(VariantSchema.string().coerce(text), text, text)
		check_same(VariantSchema.any().coerce(text), text, text)


## Returns the engine's JSON of any value. The call is in a file of its own, which older engines would not parse.
func _native(value: Variant) -> String:
	return load("res://tests/schema/native_json.gd").text(value)


func _becomes(schema: VariantSchema, given: Variant, value: Variant, what: String) -> void:
	check_same(schema.coerce(given), value, "%s of %s" % [what, given])


func _is_refused(schema: VariantSchema, given: Variant, message: String) -> void:
	check_same(schema.coerce(given), null, str(given))
	check_same(schema.get_error_message(), message, str(given))


## The builder of a type has its name in small letters.
func _schema_of(value: Variant) -> VariantSchema:
	return _builder(NAMES[typeof(value)])


func _builder(name: String) -> VariantSchema:
	return VariantSchema.from_json(JSON.stringify({"schema_version": 1, "type": name}).replace("1.0", "1"))


## Returns a value of each type, of numbers that have few digits: str() cuts more.
func _values() -> Array:
	var basis := Basis(_vector3(), _vector3(), _vector3())
	return [
		Vector2(_real(), _real()), Vector2i(_int(), _int()), Rect2(_real(), _real(), _real(), _real()), Rect2i(_int(), _int(), _int(), _int()),
		_vector3(), Vector3i(_int(), _int(), _int()), Transform2D(Vector2(_real(), _real()), Vector2(_real(), _real()), Vector2(_real(), _real())),
		Vector4(_real(), _real(), _real(), _real()), Vector4i(_int(), _int(), _int(), _int()), Plane(_real(), _real(), _real(), _real()),
		Quaternion(_real(), _real(), _real(), _real()), AABB(_vector3(), _vector3()), basis, Transform3D(basis, _vector3()),
		Projection(Vector4(_real(), 1, 2, 3), Vector4(4, _real(), 5, 6), Vector4(7, 8, _real(), 9), Vector4(10, 11, 12, _real())),
		Color(_real(), _real(), _real(), _real()), PackedByteArray([1, _random.randi() & 255]), PackedByteArray(), PackedInt32Array([_int(), _int()]),
		PackedInt64Array([_int(), 5]), PackedFloat32Array([_real(), 1]), PackedFloat64Array([_real(), 1]), PackedStringArray(["a", "b, \"c\"\n", ""]),
		PackedVector2Array([Vector2(_real(), 2), Vector2.ONE]), PackedVector2Array(), PackedVector3Array([_vector3(), _vector3()]),
		PackedColorArray([Color(_real(), 0.5, 0, 1)]), PackedVector4Array([Vector4(_real(), 2, 3, 4)]), PackedStringArray(),
	]


func _vector3() -> Vector3:
	return Vector3(_real(), _real(), _real())


func _real() -> float:
	return _random.randi_range(-400, 400) / 4.0


func _int() -> int:
	return _random.randi_range(-(1 << 31), (1 << 31) - 1)
