extends "engine_suite.gd"
## CANONICAL: one form for each value. What it accepts, the engine reads alike and writes again byte for byte.

## Other forms of values: SAFE reads them, CANONICAL refuses them at this byte.
const OTHER_FORMS: Array[Array] = [
	["a wide int that fits", "02000100 05000000 00000000", 0],
	["a wide float that is a single", "03000100 00000000 0000f03f", 0],
	["a narrow NaN", "03000000 0000c07f", 0],
	["one of them deeper", "1c000000 02000000 00000000 02000100 05000000 00000000", 12],
	["a null object as an id", "18000100 00000000 00000000", 0],
	["a path name with a dirty pad", "16000000 01000080 00000000 00000000 01000000 61000001", 21],
	["a packed string without its NUL", "22000000 01000000 03000000 61626300", 8],
	["an empty packed string without its NUL", "22000000 01000000 00000000", 8],
]


func test_other_forms_are_refused() -> void:
	for row: Array in OTHER_FORMS:
		var bytes: PackedByteArray = str(row[1]).replace(" ", "").hex_decode()
		check_error(codec(VariantCodec.SAFE).decode(bytes), OK, "%s in SAFE" % row[0])
		var canonical := codec(VariantCodec.CANONICAL)
		check_error(canonical.decode(bytes), ERR_INVALID_DATA, "%s in CANONICAL" % row[0])
		check(canonical.get_error().get("byte_offset") == row[2], "%s: %s" % [row[0], canonical.get_error()])
		check(canonical.validate(bytes) == ERR_INVALID_DATA, "%s: validate() agrees" % row[0])


func test_what_we_write_is_canonical() -> void:
	for value: Variant in [null, 1 << 40, 0.1, -7, NAN, "text", &"name", ^"/a/b:c", {"a": [1, 2.5]}, PackedStringArray(["", "x"]),
			PackedByteArray([1]), [Vector2(1, 2), Color.RED], Transform3D()]:
		var bytes := VariantStream.encode(value)
		var canonical := codec(VariantCodec.CANONICAL)
		check_error(canonical.decode(bytes), OK, "%s: %s" % [value, canonical.get_error_message()])
		check_same(canonical.data, bytes_to_var(bytes), str(value))
		check_bytes(VariantStream.encode(canonical.data), bytes, str(value))


func codec(strictness: VariantCodec.Strictness) -> VariantCodec:
	var made := VariantCodec.new()
	made.strictness = strictness
	made.limits = VariantLimits.engine()
	return made
