extends "suite.gd"
## Tests what SAFE, the default, refuses and ENGINE takes, rule by rule, with the engine's value for each. It
## also tests what SAFE must not refuse, since engines write it.

const ValueGenerator := preload("res://addons/variant_stream/ci/value_generator.gd")
const SEED := 60901

## Names and bytes that SAFE refuses and ENGINE reads.
const REFUSED: Array[Array] = [
	["trailing bytes", "00000000 00000000"],
	["one trailing byte", "02000000 07000000 00"],
	["a missing last pad", "1d000000 03000000 616263"],
	["a missing last pad inside", "1c000000 01000000 1d000000 03000000 616263"],
	["a flag nobody knows, nil", "00000100"],
	["a flag nobody knows, int", "02000200 07000000"],
	["flag 64 on a bool", "01000100 01000000"],
	["flag 64 on a Color", "14000100 0000803f 00000040 00004040 00008040"],
	["flag 64 on a Vector2i", "06000100 01000000 02000000"],
	["bits between the type and the flags", "02ab0000 07000000"],
	["a third container flag on an Array", "1c000400 00000000"],
	["a fifth container flag on a Dictionary", "1b001000 00000000"],
	["an int key twice", "1b000000 02000000 02000000 01000000 00000000 02000000 01000000 00000000"],
	["a key as int32 and as int64",
		"1b000000 02000000 02000000 01000000 00000000 02000100 01000000 00000000 00000000"],
	["a key as String and StringName",
		"1b000000 02000000 04000000 01000000 61000000 00000000 15000000 01000000 61000000 00000000"],
	["keys 0.0 and -0.0", "1b000000 02000000 03000000 00000000 00000000 03000000 00000080 00000000"],
	["a NaN key twice", "1b000000 02000000 03000000 0000c07f 00000000 03000000 0000c07f 00000000"],
	["a nil key twice", "1b000000 02000000 00000000 00000000 00000000 00000000"],
	["an array key twice", "1b000000 02000000 1c000000 00000000 00000000 1c000000 00000000 00000000"],
	["an Array[int] dropping a String", "1c000100 02000000 01000000 04000000 01000000 78000000"],
	["an Array[int] dropping nil", "1c000100 02000000 01000000 00000000"],
	["an Array[int] converting a float", "1c000100 02000000 01000000 03000000 0000e03f"],
	["an Array[String] converting a StringName", "1c000100 04000000 01000000 15000000 01000000 61000000"],
	["a Dictionary[String, int] dropping an int key",
		"1b000500 04000000 02000000 01000000 02000000 05000000 02000000 01000000"],
	["a Dictionary[String, int] converting a StringName key",
		"1b000500 04000000 02000000 01000000 15000000 01000000 61000000 02000000 01000000"],
	["a Dictionary[String, int] holding a String",
		"1b000500 04000000 02000000 01000000 04000000 01000000 61000000 04000000 01000000 62000000"],
	["a String with a leading BOM", "04000000 04000000 efbbbf78"],
	["a String that is a BOM", "04000000 03000000 efbbbf00"],
	["a StringName with a leading BOM", "15000000 04000000 efbbbf78"],
	["a String with a NUL", "04000000 03000000 61006200"],
	["a String ending in a NUL", "04000000 02000000 61000000"],
	["a StringName with a NUL", "15000000 03000000 61006200"],
	["a NodePath name with a BOM", "16000000 01000080 00000000 00000000 04000000 efbbbf78"],
	["a NodePath name with a NUL", "16000000 01000080 00000000 00000000 03000000 61006200"],
	["a packed string with a NUL", "22000000 01000000 04000000 61006200"],
	["a packed string with a BOM", "22000000 01000000 05000000 efbbbf78 00000000"],
	["a negative count of packed strings", "22000000 ffffffff"],
	["a String with a dirty pad", "04000000 03000000 616263ff"],
	["a PackedByteArray with a dirty pad", "1d000000 03000000 616263ff"],
]

## Names and bytes that an engine of this dialect writes, or one with double precision.
const ACCEPTED: Array[Array] = [
	["a NodePath with dirty pads (before 4.6.3)", "16000000 01000080 00000000 00000000 01000000 616f6f74"],
	["a Vector2 in double precision", "05000100 00000000 0000f03f 00000000 00000040"],
	["a PackedVector2Array in double precision", "23000100 01000000 00000000 0000f03f 00000000 00000040"],
	["an untyped empty Array", "1c000000 00000000"],
	["an Array[int]", "1c000100 02000000 01000000 02000000 05000000"],
	["a text with a BOM inside", "04000000 04000000 61efbbbf"],
	["null", "00000000"],
]


func test_what_safe_refuses() -> void:
	var safe := _codec(VariantCodec.SAFE)
	var engine := _codec(VariantCodec.ENGINE)
	for row in REFUSED:
		var bytes := _hex(row[1])
		check(engine.decode(bytes) == OK, "ENGINE refuses %s: %s" % [row[0], engine.get_error_message()])
		check(safe.decode(bytes) != OK, "SAFE accepts %s" % row[0])
		check(safe.validate(bytes) != OK, "SAFE's validate() accepts %s" % row[0])
		check(not safe.get_error_message().is_empty(), "no message for %s" % row[0])
		check_same(safe.data, null, "data after %s" % row[0])


func test_what_safe_accepts() -> void:
	var safe := _codec(VariantCodec.SAFE)
	for row in ACCEPTED:
		var bytes := _hex(row[1])
		check_error(safe.decode(bytes), OK, "%s (%s)" % [row[0], safe.get_error_message()])
		check_same(safe.data, bytes_to_var(bytes), row[0])


## Tests that SAFE reads whatever an engine writes and reads back unchanged.
func test_safe_reads_what_the_engine_writes() -> void:
	var safe := _codec(VariantCodec.SAFE)
	var generator := ValueGenerator.new()
	var read := 0
	for case in 3000:
		var value: Variant = generator.make(SEED, case)
		var bytes := var_to_bytes(value)
		var back: Variant = bytes_to_var(bytes)
		if generator.has_objects or var_to_bytes(back) != bytes:
			continue  # a leading BOM, keys that become equal: changed on the way, refused for it
		read += 1
		check_error(safe.decode(bytes), OK, "seed %d case %d (%s)" % [SEED, case, safe.get_error_message()])
		check_same(safe.data, back, "seed %d case %d" % [SEED, case])
	check(read > 1500, "only %d of 3000 values were comparable" % read)
	generator.free_live()


func test_engine_counts_trailing_bytes() -> void:
	var engine := _codec(VariantCodec.ENGINE)
	check_error(engine.decode(_hex("02000000 07000000 ffffffff ff")), OK, "trailing bytes")
	check(engine.get_consumed() == 8 and engine.get_trailing() == 5, "consumed, trailing")
	check_error(engine.decode(_hex("1d000000 03000000 616263")), OK, "missing pad")
	check(engine.get_consumed() == 12 and engine.get_trailing() == 0, "consumed %d, trailing %d" % [
		engine.get_consumed(), engine.get_trailing()])


static func _codec(strictness: int) -> VariantCodec:
	var codec := VariantCodec.new()
	codec.strictness = strictness
	codec.limits = VariantLimits.engine()
	return codec


static func _hex(text: String) -> PackedByteArray:
	return text.replace(" ", "").hex_decode()
