extends RefCounted
## Spoils encoded bytes as hostile or broken senders do: bits, bytes, words, flags, counts, cuts, splices. It
## judges nothing; an equal generator state gives equal results.

## Words at the edges of the decoder's checks: counts, lengths, type ids, flags, text that is no UTF-8.
const WORDS: PackedInt64Array = [
	0, 1, 2, 3, 4, 5, 7, 8, 16, 38, 39, 40, 255, 0x100, 0x102, 0x7fff, 0x10000, 0x10002, 0x10003, 0x10004,
	0x10005, 0x10018, 0x18, 0x1001c, 0x2001c, 0x3001c, 0x1001b, 0x4001b, 0x5001b, 0xf001b, 0x1b, 0x1c, 0x1d,
	0x22, 0x16, 0x15, 0x3fffffff, 0x40000000, 0x7ffffffc, 0x7ffffffd, 0x7fffffff, 0x80000000, 0x80000001,
	0x80000002, 0x1fffffff,
	0x10000000, 0x0fffffff, 0xfffffff8, 0xfffffffc, 0xfffffffd, 0xfffffffe, 0xffffffff, 0xffffff00, 0xfffe0002,
	0x00bfbbef, 0x78bfbbef, 0x000080c0, 0x0080a0ed, 0x80808ff4, 0x808090f4, 0x8080e2ac, 0x61626300, 0x3f800000,
	0x7fa00001, 0x7fc00000, 0xff800000,
]

var _rng: RandomNumberGenerator


func _init(rng: RandomNumberGenerator) -> void:
	_rng = rng


## Returns a copy of `bytes` with one to four changes; splices come from `other`.
func spoil(bytes: PackedByteArray, other: PackedByteArray) -> PackedByteArray:
	var spoiled := bytes.duplicate()
	for i in 1 + (_rng.randi() % 4 if _rng.randi() % 2 else 0):
		if spoiled.size() < 4:
			spoiled.append_array(other)
		if spoiled.size() >= 4:
			spoiled = _once(spoiled, other)
	return spoiled


func _once(bytes: PackedByteArray, other: PackedByteArray) -> PackedByteArray:
	var at := _rng.randi() % bytes.size()
	# Most of what is read stands on a multiple of four, and most of what matters stands near the beginning.
	var word := (_rng.randi() % (bytes.size() / 4 if _rng.randi() % 2 else mini(6, bytes.size() / 4))) * 4
	match _rng.randi() % 13:
		0: bytes[at] ^= 1 << (_rng.randi() % 8)
		1: bytes[at] = _rng.randi() & 255
		2, 3, 4: bytes.encode_u32(word, _word())
		5: bytes.encode_u32(word, bytes.decode_u32(word) ^ (1 << (16 + _rng.randi() % 4)))
		6: bytes.encode_u32(word, bytes.decode_u32(word) + (_rng.randi() % 9) - 4)
		7: bytes[word] = _rng.randi() % 40
		8: bytes.resize(at)
		9: return bytes.slice(0, word) + _piece(other) + bytes.slice(word)
		10: return bytes.slice(0, word) + bytes.slice(mini(bytes.size(), word + 4 * (1 + _rng.randi() % 4)))
		11: return bytes.slice(0, at) + _piece(other)
		12: return _wrapped(bytes)
	return bytes


func _word() -> int:
	return WORDS[_rng.randi() % WORDS.size()]


func _piece(other: PackedByteArray) -> PackedByteArray:
	if other.is_empty():
		return PackedByteArray()
	var from := (_rng.randi() % other.size()) & ~3
	return other.slice(from, from + 4 * (1 + _rng.randi() % 8))


## Wraps the bytes as the only element of an array typed to any builtin: what fits stays, what converts is
## converted.
func _wrapped(bytes: PackedByteArray) -> PackedByteArray:
	var head := PackedByteArray()
	head.resize(12)
	head.encode_u32(0, 0x1001c)
	head.encode_u32(4, _rng.randi() % 40)
	head.encode_u32(8, 1)
	return head + bytes
