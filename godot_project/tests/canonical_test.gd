extends "engine_suite.gd"
## Tests CANONICAL: it accepts one form of each value, which the engine reads alike and writes back byte for
## byte.

## Other forms of values, with the byte at which CANONICAL refuses them; SAFE reads them.
const OTHER_FORMS: Array[Array] = [
	["a wide int that fits", "02000100 05000000 00000000", 0],
	["a wide float that is a single", "03000100 00000000 0000f03f", 0],
	["a narrow NaN", "03000000 0000c07f", 0],
	["one of them deeper", "1c000000 02000000 00000000 02000100 05000000 00000000", 12],
	["a null object as an id", "18000100 00000000 00000000", 0],
	["an object's id, which is another one's when it is written", "18000100 05000000 00000000", 0],
	["an array of nil, which is untyped", "1c000100 00000000 00000000", 4],
	["keys of nil", "1b000100 00000000 00000000", 4],
	["values of nil", "1b000400 00000000 00000000", 4],
	["keys and values of nil", "1b000500 00000000 00000000 00000000", 4],
	["an array of Object by its number", "1c000100 18000000 00000000", 4],
	["an array of a class without a name", "1c000200 00000000 00000000", 4],
	["an array of Node", "1c000200 04000000 4e6f6465 00000000", 4],
	["an array of a script", "1c000300 0a000000 7265733a2f2f612e67640000 00000000", 4],
	["keys that are Nodes", "1b000600 04000000 4e6f6465 02000000 00000000", 4],
	["values that are Nodes", "1b000900 02000000 04000000 4e6f6465 00000000", 8],
	["a path name with a dirty pad", "16000000 01000080 00000000 00000000 01000000 61000001", 21],
	["a packed string without its NUL", "22000000 01000000 03000000 61626300", 8],
	["an empty packed string without its NUL", "22000000 01000000 00000000", 8],
]

const OddForms := preload("odd_forms.gd")

var _random := RandomNumberGenerator.new()


func _init() -> void:
	super()
	_random.seed = 11


func test_other_forms_are_refused() -> void:
	for row: Array in OTHER_FORMS:
		var bytes: PackedByteArray = str(row[1]).replace(" ", "").hex_decode()
		check_error(codec(VariantCodec.SAFE).decode(bytes), OK, "%s in SAFE" % row[0])
		var canonical := codec(VariantCodec.CANONICAL)
		check_error(canonical.decode(bytes), ERR_INVALID_DATA, "%s in CANONICAL" % row[0])
		check(canonical.get_error().get("byte_offset") == row[2], "%s: %s" % [row[0], canonical.get_error()])
		check(canonical.validate(bytes) == ERR_INVALID_DATA, "%s: validate() agrees" % row[0])


## Tests a dictionary of types, which engines before 4.4 cannot hold: CANONICAL accepts it there too, and it comes out untyped,
## as the help of VariantCodec.CANONICAL says.
func test_types_of_dictionaries() -> void:
	var bytes := hex("1b000500 02000000 02000000 00000000")
	var canonical := codec(VariantCodec.CANONICAL)
	check_error(canonical.decode(bytes), OK, canonical.get_error_message())
	var written := bytes if TypedContainers.dictionaries != null else hex("1b000000 00000000")
	check_bytes(canonical.encode(canonical.data), written, "what is written again")
	check_same(canonical.data, typed_dictionary({}, TYPE_INT, TYPE_INT), "the value")


## Tests references that become plain data: the plain data would be written instead of them.
func test_references_that_are_plain_data() -> void:
	var kept := codec(VariantCodec.CANONICAL)
	var plain := codec(VariantCodec.CANONICAL)
	plain.limits.live_references = false
	var texts: Array[String] = [
		"1a000000 01000000 61000000 05000000 00000000", "1c000100 1a000000 00000000",
		"1c000200 11000000 456e636f6465644f626a65637441734944000000 00000000",
	]
	if TypedContainers.dictionaries != null:
		texts.append("1b000500 02000000 1a000000 00000000")
	for text in texts:
		check_error(kept.decode(hex(text)), OK, text)
		check_bytes(kept.encode(kept.data), hex(text), text)
		check_error(plain.decode(hex(text)), ERR_INVALID_DATA, "as plain data: " + text)
		check(plain.get_error().get("code") == VariantCodec.NOT_CANONICAL, plain.get_error_message())


## Tests both widths of vectors: a build of the engine reads both and writes its own.
func test_vectors_are_as_wide_as_the_engines() -> void:
	for vectors: Array in [
		["05000000 00000040 00000840", "05000100 0000000000000040 0000000000000840"],
		["23000000 01000000 00000040 00000840", "23000100 01000000 0000000000000040 0000000000000840"],
		["23000000 00000000", "23000100 00000000"],
	]:
		for is_wide: bool in [false, true]:
			var bytes := hex(vectors[int(is_wide)])
			check_error(codec(VariantCodec.SAFE).decode(bytes), OK, "SAFE: " + bytes.hex_encode())
			var wanted := OK if is_wide == is_double else ERR_INVALID_DATA
			check_error(codec(VariantCodec.CANONICAL).decode(bytes), wanted, "CANONICAL: " + bytes.hex_encode())


## Tests that CANONICAL accepts, among the bytes that SAFE accepts, exactly those that the library and the
## engine write back from the value.
func test_what_is_accepted_is_written_again() -> void:
	var rules: Array[VariantLimits] = [VariantLimits.engine(), VariantLimits.engine(), VariantLimits.network()]
	rules[1].live_references = false
	rules[2].allowed_types = VariantLimits.engine().allowed_types
	var accepted := 0
	var refused := 0
	for round in 200000 if long else 6000:
		var bytes := OddForms.value(_random, 0)
		for limits in rules:
			var safe := codec(VariantCodec.SAFE)
			safe.limits = limits
			if safe.decode(bytes) != OK:
				continue
			var canonical := codec(VariantCodec.CANONICAL)
			canonical.limits = limits
			var is_same := safe.encode(safe.data) == bytes
			var code := canonical.decode(bytes)
			check((code == OK) == is_same and canonical.validate(bytes) == code, "%s, written %s: %s" % [
				bytes.hex_encode(), safe.encode(safe.data).hex_encode(), canonical.get_error_message()])
			if code == OK:
				check_bytes(safe.encode(safe.data), bytes, "by the library")
				check_bytes(var_to_bytes(safe.data), bytes, "by the engine")
				accepted += 1
			else:
				refused += 1
	check(accepted > 1000 and refused > 1000, "%d accepted, %d refused" % [accepted, refused])


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
