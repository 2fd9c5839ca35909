extends RefCounted
## Makes inputs that cost much more memory than they have bytes, each with a charge of about 4 MiB.
## heap_test.gd decodes them.

const COUNT := 20000


## Returns the encoded values by name.
static func all() -> Dictionary:
	var shapes := _leaves()
	shapes.merge(_containers())
	shapes.merge(_packed())
	shapes.merge(_dictionaries())
	return shapes


static func _leaves() -> Dictionary:
	var path := "root/a/b/c/d/e/f:x:y"
	return {
		"nulls": _repeated(null, COUNT * 8),
		"ints": _repeated(1 << 40, COUNT * 8),
		"Vector4 in slots": _repeated(Vector4.ONE, COUNT * 8),
		"empty strings": _repeated("", COUNT * 4),
		"strings of 1": _repeated("x", COUNT * 4),
		"strings of 3": _repeated("xyz", COUNT * 4),
		"strings of 33": _repeated("x".repeat(33), COUNT),
		"strings of 1 CJK": _repeated("\u5b57", COUNT * 4),
		"one long ASCII string": var_to_bytes("x".repeat(1 << 20)),
		"one long CJK string": var_to_bytes("\u5b57".repeat(400000)),
		"distinct StringNames": _distinct(&"abcdefgh", 8, COUNT * 2),
		"long distinct StringNames": _distinct(StringName("abcdefgh" + "x".repeat(100)), 8, COUNT / 2),
		"Transform2D": _repeated(Transform2D.IDENTITY, COUNT * 3),
		"AABB": _repeated(AABB(), COUNT * 3),
		"Basis": _repeated(Basis.IDENTITY, COUNT * 3),
		"Transform3D": _repeated(Transform3D.IDENTITY, COUNT * 3),
		"Projection": _repeated(Projection.IDENTITY, COUNT * 3),
		"NodePaths": _repeated(NodePath(path), COUNT / 4),
		"distinct NodePaths": _distinct(^"bcdefghi:x", 20, COUNT / 2),
		"NodePaths no text can say": _odd_paths(COUNT / 2),
		"one NodePath of long names": var_to_bytes(NodePath("%s/%s" % ["a".repeat(60000), "b".repeat(60000)])),
		"object ids": _objects(COUNT),
		"null objects": _repeated_bytes(PackedByteArray([24, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0]), COUNT * 8),
		"signals": _repeated(Signal(), COUNT * 4),
		"plain signals": _repeated(Signal(), COUNT),
		"plain object ids": _objects(COUNT),
	}


static func _containers() -> Dictionary:
	var typed: Array[int] = []
	var nested: Variant = []
	for i in 60:
		nested = [nested]
	return {
		"empty arrays": _repeated([], COUNT * 2),
		"arrays of 1": _repeated([1], COUNT),
		"arrays of 3": _repeated([1, 2, 3], COUNT),
		"arrays of 17": _repeated(range(17), COUNT / 4),
		"empty typed arrays": _repeated(typed, COUNT * 2),
		"nested arrays": _repeated(nested, COUNT / 40),
		"nested arrays and dicts": _repeated([{"a": [{"b": [1]}]}], COUNT / 4),
	}


static func _packed() -> Dictionary:
	var strings := PackedStringArray()
	strings.resize(COUNT * 3)
	var filled := strings.duplicate()
	filled.fill("x")
	var bytes := PackedByteArray()
	bytes.resize(5 << 20)
	return {
		"empty PackedByteArrays": _repeated(PackedByteArray(), COUNT * 3),
		"PackedByteArrays of 1": _repeated(PackedByteArray([1]), COUNT * 2),
		"PackedInt64Arrays of 5": _repeated(PackedInt64Array([1, 2, 3, 4, 5]), COUNT),
		"PackedColorArrays of 3": _repeated(PackedColorArray([Color.RED, Color.RED, Color.RED]), COUNT),
		"PackedStringArrays of 1": _repeated(PackedStringArray(["x"]), COUNT),
		"one PackedStringArray, empty": var_to_bytes(strings),
		"one PackedStringArray of x": var_to_bytes(filled),
		"one PackedByteArray": var_to_bytes(bytes),
	}


static func _dictionaries() -> Dictionary:
	var shapes := {
		"empty dicts": _repeated({}, COUNT),
		"dicts of 1": _repeated({1: 1}, COUNT / 2),
		"dicts of 3": _repeated({1: 1, 2: 2, 3: 3}, COUNT / 2),
		"dicts of 4": _repeated({1: 1, 2: 2, 3: 3, 4: 4}, COUNT / 2),
		"dicts of 18": _repeated(_counted(18), COUNT / 8),
		"one dict of ints": var_to_bytes(_counted(COUNT)),
		"one dict of ints, just grown": var_to_bytes(_counted(18444)),
	}
	var texts := {}
	var arrays := {}
	for i in COUNT:
		texts["key number %d" % i] = i
		arrays[[i, "x"]] = null
	shapes["one dict of texts"] = var_to_bytes(texts)
	shapes["one dict of arrays"] = var_to_bytes(arrays)
	return shapes


static func _counted(count: int) -> Dictionary:
	var dict := {}
	for i in count:
		dict[i] = i
	return dict


## Makes an array that holds a value `count` times, without making the values.
static func _repeated(value: Variant, count: int) -> PackedByteArray:
	return _repeated_bytes(var_to_bytes(value), count)


static func _repeated_bytes(one: PackedByteArray, count: int) -> PackedByteArray:
	var bytes := PackedByteArray()
	var power := one
	var rest := count
	while rest > 0:
		if rest & 1:
			bytes.append_array(power)
		power = power + power
		rest >>= 1
	return _array_of(count) + bytes


static func _array_of(count: int) -> PackedByteArray:
	var header := PackedByteArray([28, 0, 0, 0, 0, 0, 0, 0])
	header.encode_u32(4, count)
	return header


## Makes names that are not interned yet: at this byte of the encoded value eight letters are a number.
static func _distinct(value: Variant, text_at: int, count: int) -> PackedByteArray:
	var one := var_to_bytes(value)
	var bytes := _repeated_bytes(one, count)
	for i in count:
		var at := 8 + i * one.size() + text_at
		for digit in 8:
			bytes[at + digit] = 97 + ((i >> (2 * digit)) & 3) + 4 * (digit % 5) + int(text_at == 20)
	return bytes


## Makes paths that are absolute and have no name.
static func _odd_paths(count: int) -> PackedByteArray:
	return _repeated_bytes(PackedByteArray([22, 0, 0, 0, 0, 0, 0, 128, 0, 0, 0, 0, 1, 0, 0, 0]), count)


static func _objects(count: int) -> PackedByteArray:
	return _repeated_bytes(PackedByteArray([24, 0, 1, 0, 57, 48, 0, 0, 0, 0, 0, 0]), count)
