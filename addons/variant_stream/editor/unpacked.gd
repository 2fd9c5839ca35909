@tool
extends RefCounted
## Unpacks the files of `FileAccess.open_compressed()` and saves of VariantSave, and explains encrypted ones, which need a
## key. It writes none, and does not read the bytes within. The engine logs an error for a block that is no
## Deflate or GZip.
##   "GCPF"  u32 mode  u32 block size  u32 size of all  u32 of each block's compressed size  blocks  "GCPF"

## The first word of each: "GCPF" and "GDEC".
const COMPRESSED := 0x46504347
const ENCRYPTED := 0x43454447
## The first word of a save, and what the layer is called.
const SAVE := 0x41535689
const SAVE_LAYER := "save"
const HEAD := 16
## The names of the modes by `FileAccess.CompressionMode`.
const MODES: PackedStringArray = ["FastLZ", "Deflate", "Zstandard", "GZip"]
## The least number of bytes that the engine compresses with FastLZ; shorter blocks are filled up with zeros.
const LEAST_FASTLZ := 16
## The most that a file may become, as a multiple of its bytes, which is the default of gdvar; and a number of
## bytes that is always allowed.
const MOST_RATIO := 100
const FREE_BYTES := 64 << 10
## The most bytes in any case, which is the size of the largest plain file that the panel shows.
const MOST_BYTES := 2 << 30

const IS_OF_GODOT_3 := "Godot 3 encrypted it, in a form that Godot 4 does not open. gdvar does, with its --password or --key"
const IS_ENCRYPTED := ("it is encrypted by FileAccess.open_encrypted(). Read it in the game and hand the bytes over with "
		+ "VariantStream.tap(), or give gdvar its --password or --key")


## Returns the bytes within and the name of the layer around them; the bytes themselves where there is no
## layer. `error` says why there are none. `is_cancelled` is called on the way.
static func read(packed: PackedByteArray, is_cancelled: Callable) -> Dictionary:
	match packed.decode_u32(0) if packed.size() >= 4 else 0:
		ENCRYPTED:
			return _refused(IS_OF_GODOT_3 if _is_of_godot_3(packed) else IS_ENCRYPTED)
		COMPRESSED:
			return _inflated(packed, is_cancelled)
		SAVE:
			return _saved(packed)
	return {"bytes": packed, "layer": "", "error": ""}


static func _refused(why: String) -> Dictionary:
	return {"bytes": PackedByteArray(), "layer": "", "error": why}


## Opens a save without a password. A damaged one is not shown in part: gdvar recovers it.
static func _saved(packed: PackedByteArray) -> Dictionary:
	var save := VariantSave.new()
	save.limits = VariantLimits.engine()
	var bytes := save.extract(packed)
	if bytes.is_empty():
		var way := "; gdvar opens it with --password or --key" if save.get_error().code == VariantCodec.WRONG_KEY else ""
		return _refused(save.get_error_message() + way)
	return {"bytes": bytes, "layer": SAVE_LAYER, "error": ""}


## Whether an encrypted file has the form of Godot 3: its one mode, and behind a header of 32 bytes the blocks for the length
## that it says. Godot 4 has an MD5 where the mode is.
static func _is_of_godot_3(packed: PackedByteArray) -> bool:
	if packed.size() < 32 or packed.decode_u32(4) != 1:
		return false
	var length := packed.decode_u64(24)
	@warning_ignore("integer_division")
	return length >= 0 and length <= packed.size() and 32 + (length + 15) / 16 * 16 == packed.size()


static func _corrupt(what: String) -> Dictionary:
	return _refused("it is compressed by FileAccess.open_compressed(), and damaged: " + what)


static func _inflated(packed: PackedByteArray, is_cancelled: Callable) -> Dictionary:
	if packed.size() < HEAD:
		return _corrupt("no whole header")
	var mode := packed.decode_u32(4)
	var block := packed.decode_u32(8)
	var total := packed.decode_u32(12)
	if mode >= MODES.size() or block == 0:
		return _corrupt("a mode or a size of blocks that no engine writes")
	if total > MOST_BYTES:
		return _refused("it becomes more than 2 GiB; gdvar opens it with --max-bytes")
	@warning_ignore("integer_division")
	var count := total / block + 1
	var at := HEAD + count * 4
	if at > packed.size():
		return _corrupt("no whole table of blocks")
	var bytes := PackedByteArray()
	for i in count:
		var end := at + packed.decode_u32(HEAD + i * 4)
		var size := block if i + 1 < count else total % block
		if end > packed.size():
			return _corrupt("a block is cut off")
		if bytes.size() + size > end * MOST_RATIO + FREE_BYTES:
			return _refused("it grows more than %d times; gdvar opens it with --max-ratio" % MOST_RATIO)
		var part := _block(packed.slice(at, end), size, mode)
		if part.size() < size or is_cancelled.call():
			return _corrupt("block %d cannot be read" % i)
		bytes.append_array(part)
		at = end
	return {"bytes": bytes, "layer": "compressed (%s)" % MODES[mode], "error": ""}


static func _block(packed: PackedByteArray, size: int, mode: int) -> PackedByteArray:
	if size == 0 or packed.is_empty():
		return PackedByteArray()
	var room := maxi(size, LEAST_FASTLZ) if mode == FileAccess.COMPRESSION_FASTLZ else size
	return packed.decompress(room, mode).slice(0, size)
