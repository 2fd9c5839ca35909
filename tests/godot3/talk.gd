extends SceneTree
# Reads and writes values in Godot 3 for the test tests/tests/godot_3_live, through files. Each file holds
# values with their length before them, as File.store_var() writes them. `given.bin` is read and written again
# into `echo.bin`; values made here go into `own.bin`. Nothing is judged here.

const KINDS = 21


func _init():
	var folder = OS.get_environment("VARIANT_TALK")
	var given = _opened(folder + "/given.bin", File.READ)
	var echo = _opened(folder + "/echo.bin", File.WRITE)
	while given.get_position() < given.get_len():
		var at = echo.get_position()
		echo.store_var(given.get_var())
		if echo.get_position() == at:
			echo.store_32(0)
	echo.close()
	seed(int(OS.get_environment("VARIANT_SEED")))
	var own = _opened(folder + "/own.bin", File.WRITE)
	for i in int(OS.get_environment("VARIANT_COUNT")):
		own.store_var(_value(4))
	own.close()
	quit()


func _opened(path, mode):
	var file = File.new()
	if file.open(path, mode) != OK:
		printerr("cannot open ", path)
	return file


func _value(depth):
	var kind = randi() % (KINDS if depth > 0 else KINDS - 2)
	match kind:
		0: return null
		1: return randi() % 2 == 0
		2: return _int()
		3: return _number()
		4: return _text()
		5: return Vector2(_number(), _number())
		6: return Rect2(_number(), _number(), _number(), _number())
		7: return _vector3()
		8: return Transform2D(Vector2(_number(), 1), Vector2(2, _number()), Vector2(_number(), 3))
		9: return Plane(_vector3(), _number())
		10: return Quat(_number(), _number(), _number(), _number())
		11: return AABB(_vector3(), _vector3())
		12: return Basis(_vector3(), _vector3(), _vector3())
		13: return Transform(_vector3(), _vector3(), _vector3(), _vector3())
		14: return _color()
		15: return NodePath(["", "/", "/a", "ab", "a/../b:c:d", "/root/Main:x", ":only"][randi() % 7])
		16: return RID()
		17: return _pool()
		18: return _reals()
		19: return _array(depth - 1)
	var dictionary = {}
	for i in randi() % 5:
		dictionary[_value(depth - 1)] = _value(depth - 1)
	return dictionary


func _array(depth):
	var array = []
	for i in randi() % 5:
		array.append(_value(depth))
	return array


func _pool():
	match randi() % 4:
		0: return _text().to_utf8()
		1: return PoolIntArray([_int(), _int(), randi() % 100])
		2: return PoolStringArray([_text(), "", _text()])
	return PoolIntArray()


func _reals():
	match randi() % 4:
		0: return PoolRealArray([_number(), _number()])
		1: return PoolVector2Array([Vector2(_number(), _number())])
		2: return PoolVector3Array([_vector3(), _vector3()])
	return PoolColorArray([_color()])


func _int():
	return [0, 1, -1, 2147483647, 2147483648, -2147483649, randi(), randi() << 31, -randi()][randi() % 9]


func _number():
	return [0.0, 1.5, -2.25, 0.1, 1e30, INF, -INF, NAN, randf(), randf() * 1e6, float(randi())][randi() % 11]


func _vector3():
	return Vector3(_number(), _number(), _number())


func _color():
	return Color(randf(), randf(), randf(), _number())


func _text():
	var text = ""
	for i in randi() % 9:
		text += ["a", "b", "/", ":", " ", "\n", "é", "ß", "漢", "😀"][randi() % 10]
	return text
