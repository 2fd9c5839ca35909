extends "engine_suite.gd"
## Tests that one buffer has one verdict where its keys are alike: whatever reads it, whatever that has read before, and
## as the engine's own table has it. All types are keys here, and stand inside of keys.

const KeysPart := preload("res://addons/variant_stream/ci/keys_part.gd")

## The levels of a key that the engine compares; it goes by a hash below.
const COMPARED_LEVELS := 50

var _keys := KeysPart.new()


func _init() -> void:
	super()
	_keys.subject = subject


func clean_up() -> void:
	super()
	_keys.free_live()


func test_every_pair_of_keys_has_one_verdict() -> void:
	var keys := _leaves()
	for inner: Variant in _leaves():
		keys += [[inner], {inner: 1}, {1: inner}]
	for inner: Variant in _numbers():
		keys += [[[inner]], {[inner]: 1}, {{inner: 1}: 1}, [{1: inner}], Typing.array(Typing.builtin(typeof(inner)), [inner])]
	var turn := 0
	for one in keys.size():
		# Each with itself, with its neighbours, which are like it, and with some of the others.
		for step: int in range(0, 4) + ([] if not long else range(4, keys.size() - one, 7)):
			if one + step < keys.size():
				turn += 1
				_put("%s and %s" % [keys[one], keys[one + step]], [keys[one], keys[one + step]], [0, 3, 20][turn % 3])
	_report(_keys)


func test_the_keys_that_were_two_verdicts() -> void:
	_put("the bytes of the report", [[NAN], [NAN]], 0)
	for keys: Array in [[NAN, NAN], [[[NAN]], [[NAN]]], [{1: NAN}, {1: NAN}], [{NAN: 1}, {NAN: 1}], [[Vector2(NAN, 0)], [Vector2(NAN, 0)]],
			[PackedFloat64Array([NAN]), PackedFloat64Array([NAN])], [[0.0], [-0.0]], ["a", &"a"], [["a"], [&"a"]], [1, 1.0], [[1], [1.0]],
			[[1] as Array[int], [1]], [[] as Array[int], [] as Array[String]], [{1: 2, 3: 4}, {3: 4, 1: 2}], [RID(), RID()],
			[Callable(), Callable()], [Signal(), Signal()], [[Callable()], [Callable()]], [^"a/b", ^"a/b"]]:
		for before: int in [0, 3, 20]:
			_put("%s after %d" % [keys, before], keys, before)
	_report(_keys)


## Keys that are alike for as many levels as the engine compares are refused as one in every way, though its hash may tell
## some of them apart; it cannot tell these texts apart, which have one hash.
func test_deep_keys_have_one_verdict() -> void:
	for levels: int in [1, 48, COMPARED_LEVELS, COMPARED_LEVELS + 1, 60, 90]:
		for inner: Array in [[1, 2], ["aB", "b!"]]:
			var keys := [nested(levels, inner[0]), nested(levels, inner[1])]
			var bytes := PackedByteArray([27, 0, 0, 0, 2, 0, 0, 0])
			for key: Variant in keys:
				bytes.append_array(var_to_bytes(key) + var_to_bytes(1))
			var verdicts: Dictionary = subject.verdicts(bytes)
			for way: String in verdicts:
				# Limits on depth are reached before.
				var is_over := levels > 62 and not way.contains("engine()")
				var is_one := levels > COMPARED_LEVELS or is_over
				check((verdicts[way] != OK) == is_one, "%d levels around %s, %s: %s" % [levels, inner, way, error_string(verdicts[way])])


func _put(what: String, keys: Array, before: int) -> void:
	if not _keys.put(what, keys, before):
		fail("%s: cut off by a script error" % what)


func _numbers() -> Array:
	var nan: float = bytes_to_var(hex("03000100 010000000000f8ff"))
	return [0, 1, 0.0, -0.0, 1.0, NAN, nan, INF, 1 << 40]


func _leaves() -> Array:
	return _numbers() + [
		null, false, true, "", &"", "a", &"a", ^"a", ^"a:a", ^"/a", "a longer text of more than thirty letters",
		&"a longer text of more than thirty letters", Vector2.ZERO, Vector2(-0.0, 0), Vector2(NAN, 0), Vector2i.ZERO, Rect2(), Rect2(NAN, 0, 0, 0),
		Rect2i(), Vector3.ZERO, Vector3(0, -0.0, 0), Vector3(0, NAN, 0), Vector3i.ZERO, Transform2D(), Transform2D(NAN, Vector2.ZERO),
		Vector4.ZERO, Vector4(NAN, 0, 0, 0), Vector4i.ZERO, Plane(), Plane(NAN, 0, 0, 0), Quaternion(), Quaternion(0, 0, NAN, 1), AABB(),
		AABB(Vector3(NAN, 0, 0), Vector3.ZERO), Basis(), Basis(Vector3(NAN, 0, 0), Vector3.ZERO, Vector3.ZERO), Transform3D(),
		Transform3D(Basis(), Vector3(NAN, 0, 0)), Projection(), Projection(Vector4(NAN, 0, 0, 0), Vector4(), Vector4(), Vector4()), Color(),
		Color(NAN, 0, 0), RID(), rid_from_int64(7), Callable(), Signal(), {}, [], [null], [0], [[]], {1: 2}, {1: 2, 3: 4}, {3: 4, 1: 2},
		[] as Array[int], [0] as Array[int], [0.0] as Array[float], [NAN] as Array[float], PackedByteArray(), PackedByteArray([0]),
		PackedInt32Array([0]), PackedInt64Array([0]), PackedFloat32Array([0.0]), PackedFloat32Array([-0.0]), PackedFloat32Array([NAN]),
		PackedFloat64Array([0.0]), PackedFloat64Array([-0.0]), PackedFloat64Array([NAN]), PackedStringArray(["a"]), PackedStringArray(["a", ""]),
		PackedVector2Array([Vector2.ZERO]), PackedVector2Array([Vector2(NAN, 0)]), PackedVector3Array([Vector3(NAN, 0, 0)]),
		PackedColorArray([Color(NAN, 0, 0)]), PackedVector4Array([Vector4(NAN, 0, 0, 0)]),
	]
