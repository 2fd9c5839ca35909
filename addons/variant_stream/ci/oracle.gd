extends RefCounted
## The running engine's own codec, asked without a word in the log: refusing is its daily work here.
## Also knows how this engine differs from 4.6.3, the one the library equals. It compares no values.

const ValueCompare := preload("value_compare.gd")

const ZEROED_PADS := 0x040603  ## The first engine that zeroes the pads of a NodePath.
const WIDE_COERCION := 0x040600  ## The first engine that converts elements of typed arrays so freely.
const TYPED_DICTIONARIES := 0x040400

static var engine_hex: int = Engine.get_version_info().hex


## Whether this engine was built with `precision=double`.
static func is_double() -> bool:
	return var_to_bytes(Vector2()).size() > 12


static func encode(value: Variant) -> PackedByteArray:
	Engine.print_error_messages = false
	var bytes := var_to_bytes(value)
	Engine.print_error_messages = true
	return bytes


static func encode_with_objects(value: Variant) -> PackedByteArray:
	Engine.print_error_messages = false
	var bytes := var_to_bytes_with_objects(value)
	Engine.print_error_messages = true
	return bytes


## The bytes a value takes, as the engine counts them; 0 when it refuses.
static func consumed(bytes: PackedByteArray, objects := false) -> int:
	Engine.print_error_messages = false
	var size := bytes.decode_var_size(0, objects)
	Engine.print_error_messages = true
	return size


static func decode(bytes: PackedByteArray) -> Variant:
	Engine.print_error_messages = false
	var value: Variant = bytes_to_var(bytes)
	Engine.print_error_messages = true
	return value


static func decode_with_objects(bytes: PackedByteArray) -> Variant:
	Engine.print_error_messages = false
	var value: Variant = bytes_to_var_with_objects(bytes)
	Engine.print_error_messages = true
	return value


## Whether an engine of this version may read `bytes` otherwise than 4.6.3 does, for its age alone: a header
## of a typed array (other conversions before 4.6) or of a typed dictionary (unknown before 4.4) stands in them.
static func reads_otherwise(version: int, bytes: PackedByteArray) -> bool:
	if version >= WIDE_COERCION:
		return false
	for at in range(0, bytes.size() - 3, 4):
		var word := bytes.decode_u32(at)
		if word & 0xff == TYPE_ARRAY and word & 0x30000 != 0:
			return true
		if word & 0xff == TYPE_DICTIONARY and word & 0xf0000 != 0 and version < TYPED_DICTIONARIES:
			return true
	return false


## Equal, or (before 4.6.3, whose NodePaths end in heap garbage) differing only where ours writes zero pads.
static func same_bytes(ours: PackedByteArray, engine: PackedByteArray) -> bool:
	return ours == engine or (engine_hex < ZEROED_PADS and differ_in_pads_only(ours, engine))


## True when every differing byte is zero in ours, no four of them follow each other, and the engine reads
## both alike: a byte that means something could not pass, since the engine's reading would change with it.
static func differ_in_pads_only(ours: PackedByteArray, engine: PackedByteArray) -> bool:
	if ours.size() != engine.size():
		return false
	var run := 0
	for i in ours.size():
		run = run + 1 if ours[i] != engine[i] else 0
		if run > 3 or (run > 0 and ours[i] != 0):
			return false
	return ValueCompare.difference(decode(ours), decode(engine)).is_empty()
