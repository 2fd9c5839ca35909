extends RefCounted
## Makes random values as bytes, in the forms that engines write and in others that are read all the same.
## These are wide numbers, declared types that become others, and padding that is not zero. Most values are
## small; many are refused.

const Typing := preload("res://addons/variant_stream/ci/typing.gd")

const FLOATS: PackedFloat64Array = [0.0, -0.0, 1.5, 0.1, INF, -INF, NAN, 1e300, 16777217.0]
const TEXTS: PackedStringArray = ["", "a", "abc", "abcd", "é", "EncodedObjectAsID", "Node", "res://a.gd", "\ufeffx", "a\u0001"]
const VECTORS: Dictionary = {5: 2, 7: 4, 9: 3, 11: 6, 12: 4, 14: 4, 15: 4, 16: 6, 17: 9, 18: 12, 19: 16}
const PACKED_VECTORS: Dictionary = {35: 2, 36: 3, 38: 4}


static func value(random: RandomNumberGenerator, depth: int) -> PackedByteArray:
	var type := random.randi() % 39
	if depth < 3 and random.randi() % 3 == 0:
		type = 27 + random.randi() % 2
	return of_type(random, type, depth)


static func of_type(random: RandomNumberGenerator, type: int, depth: int) -> PackedByteArray:
	var is_wide := random.randi() % 4 == 0
	match type:
		0, 25:
			return word(type)
		1:
			return word(1) + word(random.randi() % 2)
		2:
			var number := random.randi_range(-5, 5) if random.randi() % 2 == 0 else int(random.randi()) << random.randi() % 33
			return word(2, is_wide) + (long(number) if is_wide else word(number))
		3:
			return word(3, is_wide) + real(random, is_wide)
		4, 21:
			return word(type) + text(random)
		22:
			var names := random.randi() % 3
			var subnames := random.randi() % 2
			var path := word(22) + word(names | 0x80000000) + word(subnames) + word(random.randi() % 2)
			for i in names + subnames:
				path += text(random)
			return path
		23, 24, 26:
			var id := long([0, 5, 1 << 40, -7][random.randi() % 4])
			return word(type, type == 24) + (text(random) if type == 26 else PackedByteArray()) + id
		27:
			return _dictionary(random, depth)
		28:
			return _array(random, depth)
		34:
			return word(34) + _repeated(random, func() -> PackedByteArray: return _packed_text(random))
		29:
			var count := random.randi() % 5
			return word(29) + word(count) + _padded(random, PackedByteArray([1, 2, 3, 4, 5]).slice(0, count))
	if VECTORS.has(type):
		return word(type, is_wide) + _reals(random, VECTORS[type], is_wide)
	if PACKED_VECTORS.has(type):
		return word(type, is_wide) + _repeated(random, func() -> PackedByteArray: return _reals(random, PACKED_VECTORS[type], is_wide))
	var bytes: int = {6: 8, 8: 16, 10: 12, 13: 16, 20: 16}.get(type, 0)
	if bytes > 0:
		return word(type) + _reals(random, bytes / 4, false)
	var sizes: int = {30: 1, 31: 2, 32: 1, 33: 2, 37: 4}.get(type, 1)
	return word(type) + _repeated(random, func() -> PackedByteArray: return _reals(random, sizes, false))


static func word(number: int, is_flagged := false) -> PackedByteArray:
	var bytes := PackedByteArray([0, 0, 0, 0])
	bytes.encode_u32(0, number | (0x10000 if is_flagged else 0))
	return bytes


static func long(number: int) -> PackedByteArray:
	var bytes := PackedByteArray([0, 0, 0, 0, 0, 0, 0, 0])
	bytes.encode_s64(0, number)
	return bytes


static func real(random: RandomNumberGenerator, is_wide: bool) -> PackedByteArray:
	var number := FLOATS[random.randi() % FLOATS.size()]
	var bytes := long(0) if is_wide else word(0)
	if is_wide:
		bytes.encode_double(0, number)
	else:
		bytes.encode_float(0, number)
	return bytes


static func text(random: RandomNumberGenerator) -> PackedByteArray:
	var bytes := TEXTS[random.randi() % TEXTS.size()].to_utf8_buffer()
	return word(bytes.size()) + _padded(random, bytes)


## Makes a text with the NUL that engines write, or without.
static func _packed_text(random: RandomNumberGenerator) -> PackedByteArray:
	var bytes := TEXTS[random.randi() % TEXTS.size()].to_utf8_buffer()
	if random.randi() % 4 > 0:
		bytes.append(0)
	return word(bytes.size()) + _padded(random, bytes)


static func _padded(random: RandomNumberGenerator, bytes: PackedByteArray) -> PackedByteArray:
	var padded := bytes.duplicate()
	while padded.size() % 4 != 0:
		padded.append(0 if random.randi() % 50 > 0 else 1)
	return padded


static func _reals(random: RandomNumberGenerator, count: int, is_wide: bool) -> PackedByteArray:
	var bytes := PackedByteArray()
	for i in count:
		bytes += real(random, is_wide)
	return bytes


static func _repeated(random: RandomNumberGenerator, one: Callable) -> PackedByteArray:
	var count := random.randi() % 3
	var bytes := word(count)
	for i in count:
		bytes += one.call()
	return bytes


## Makes a declaration: its kind, its bytes, and the type of the elements; -1 where it may be any.
static func _declared(random: RandomNumberGenerator) -> Array:
	match random.randi() % 6:
		0:
			var type := random.randi() % 39
			return [1, word(type), type if type > 0 else -1]
		1:
			return [2, text(random), 24]
		2:
			return [3, text(random), 24]
	return [0, PackedByteArray(), -1]


static func _fitting(random: RandomNumberGenerator, declared: Array, depth: int) -> PackedByteArray:
	if declared[2] == 24 and random.randi() % 2 == 0:
		return word(0)
	return value(random, depth + 1) if declared[2] < 0 else of_type(random, declared[2], depth + 1)


static func _array(random: RandomNumberGenerator, depth: int) -> PackedByteArray:
	var declared := _declared(random)
	var count := random.randi() % 3 if depth < 4 else 0
	var bytes: PackedByteArray = word(28 | declared[0] << 16) + declared[1] + word(count)
	for i in count:
		bytes += _fitting(random, declared, depth)
	return bytes


static func _dictionary(random: RandomNumberGenerator, depth: int) -> PackedByteArray:
	var key := _declared(random)
	var item := _declared(random)
	if Typing.dictionaries == null:
		# This engine writes none with types.
		key = [0, PackedByteArray(), -1]
		item = key
	var count := random.randi() % 3 if depth < 4 else 0
	var bytes: PackedByteArray = word(27 | key[0] << 16 | item[0] << 18) + key[1] + item[1] + word(count)
	for i in count:
		var fitting := _fitting(random, key, depth)
		if Typing.dictionaries == null and fitting[0] == TYPE_STRING_NAME:
			# Dictionaries of this engine keep names as texts.
			fitting[0] = TYPE_STRING
		bytes += fitting + _fitting(random, item, depth)
	return bytes
