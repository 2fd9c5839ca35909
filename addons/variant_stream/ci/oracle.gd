extends RefCounted
## Calls the running engine's own codec without letting it log, because its refusals are expected here. It
## also knows how this engine differs from 4.6.3, the one the library equals. It compares no values.

const ValueCompare := preload("value_compare.gd")

const ZEROED_PADS := 0x040603  # The first engine that zeroes the pads of a NodePath.
const WIDE_COERCION := 0x040600  # The first engine that converts elements of typed arrays so freely.
const TYPED_DICTIONARIES := 0x040400

## A float of 64 bits that is a signalling NaN.
static var SIGNALLING := PackedByteArray([3, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0xf0, 0x7f])

static var engine_hex: int = Engine.get_version_info().hex


## Tells whether this engine was built with `precision=double`.
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


## Returns the bytes that a value takes, as the engine counts them; 0 when it refuses.
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


## Tells whether an engine of this version may read `bytes` differently from 4.6.3 only because it is older: a
## header of a typed array (other conversions before 4.6) or of a typed dictionary (unknown before 4.4) stands
## in them.
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


## Tells whether the bytes are equal, but for two cases: before 4.6.3, whose NodePaths end in heap garbage,
## they may differ where ours are zero pads, and on 32-bit x86, where the engine's NaNs have become quiet.
static func same_bytes(ours: PackedByteArray, engine: PackedByteArray) -> bool:
	return ours == engine or (engine_hex < ZEROED_PADS and differ_in_pads_only(ours, engine)) or (
			quiets() and differ_in_quiet_bits_only(ours, engine))


## Tells whether this engine makes a signalling NaN a quiet one by writing it: the processor does that to each
## that passes through its old stack of floats, as in engines for 32-bit x86. We write what the value has.
static func quiets() -> bool:
	return var_to_bytes(bytes_to_var(SIGNALLING)) != SIGNALLING


## Returns true when every byte that differs is that of a NaN's quiet bit, which is set in the engine's alone.
static func differ_in_quiet_bits_only(ours: PackedByteArray, engine: PackedByteArray) -> bool:
	if ours.size() != engine.size():
		return false
	for i in ours.size() - 1:
		# In a NaN of 64 bits the exponent reaches into this byte; in one of 32 it ends in its highest bit.
		var bit := 0x08 if ours[i] & 0xf0 == 0xf0 else 0x40
		var is_nan := ours[i + 1] & 0x7f == 0x7f and ours[i] & 0x80 == 0x80
		if ours[i] != engine[i] and not (is_nan and engine[i] == ours[i] | bit):
			return false
	return ours[-1] == engine[-1]


## Returns true when every differing byte is zero in ours, no four of them follow each other, and the engine
## reads both alike: a byte with a meaning could not pass, since the engine's reading would change with it.
static func differ_in_pads_only(ours: PackedByteArray, engine: PackedByteArray) -> bool:
	if ours.size() != engine.size():
		return false
	var run := 0
	for i in ours.size():
		run = run + 1 if ours[i] != engine[i] else 0
		if run > 3 or (run > 0 and ours[i] != 0):
			return false
	return ValueCompare.difference(decode(ours), decode(engine)).is_empty()
