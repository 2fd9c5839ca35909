extends "engine_suite.gd"
## Compares a reader that has a schema with a codec that has it, however the bytes are cut. They give the same
## value, or kind, byte, path and message of the fault. Values with ids of objects and texts with two marks
## would not survive being written once more.

const ValueGenerator := preload("res://addons/variant_stream/ci/value_generator.gd")
const SEED := 7
const IDS := "1c000000 02000000 18000100 0500000000000000 02000000 09000000"
const MARKS := "04000000 07000000 efbbbfefbbbf7800"
const RAW: Array[int] = [VariantReader.FRAMING_NONE, VariantReader.FRAMING_U32, VariantReader.FRAMING_U32_BE]

var _random := RandomNumberGenerator.new()


func _init() -> void:
	super()
	_random.seed = SEED


func test_ids_of_objects_and_marks() -> void:
	for strictness: int in [VariantCodec.ENGINE, VariantCodec.SAFE]:
		for text: String in [IDS, MARKS]:
			for pieces: Array in [[4096], [1], [3, 5], [24]]:
				_agree(hex(text), VariantSchema.any(), strictness, pieces, text)
	var reader := _reader(VariantSchema.any(), VariantCodec.ENGINE)
	reader.feed(hex(IDS))
	check_error(reader.next(), OK, "ids")
	check_same(reader.data[0].object_id, 5, "the id that was sent")
	reader.feed(hex(MARKS))
	check_error(reader.next(), OK, "marks")
	check_same(reader.data, "\ufeffx", "a text that loses one mark of two")


func test_entries_of_a_container() -> void:
	var bytes := hex("1b000000 02000000 04000000 01000000 61000000 %s 02000000 07000000 %s" % [IDS, MARKS])
	for piece: int in [1, 5, 13, 4096]:
		var reader := _reader(VariantSchema.any(), VariantCodec.ENGINE)
		var entries := []
		for at in range(0, bytes.size(), piece):
			reader.feed(bytes.slice(at, at + piece))
			if reader.get_depth() == 0 and reader.enter() == ERR_UNAVAILABLE:
				continue
			while reader.next() == OK:
				entries.append([reader.key, reader.data])
		check_same(reader.get_status(), VariantReader.END, "behind the last entry")
		check_same([entries.size(), entries[0][0], entries[0][1][0].object_id, entries[0][1][1]], [2, "a", 5, 9], "pieces of %d" % piece)
		check_same(entries[1], [7, "\ufeffx"], "the second entry, pieces of %d" % piece)


## Tests each value with the default schemas: unchanged, with a default that is filled in, typed, and refused.
func test_every_golden_value_however_it_is_cut() -> void:
	var schemas: Array = [
		["%s", VariantSchema.any()],
		["1b000000 01000000 04000000 01000000 76000000 %s", VariantSchema.dict({"v": VariantSchema.any(), "d": VariantSchema.int().optional(7)})],
		["1c000000 01000000 %s", VariantSchema.tuple([VariantSchema.any(), VariantSchema.string().optional("x")])],
		["1c000000 02000000 02000000 05000000 %s", VariantSchema.array(VariantSchema.int())],
		["%s", VariantSchema.int(0, 9)],
	]
	var cases := _cases()
	check(cases.size() > 500, "%d values" % cases.size())
	for golden: Dictionary in cases:
		for row: Array in schemas:
			var bytes := hex(row[0] % golden.hex)
			var pieces := [1 + _random.randi() % 9, 1 + _random.randi() % 40]
			for strictness: int in [VariantCodec.ENGINE, VariantCodec.SAFE]:
				_agree(bytes, row[1], strictness, pieces, golden.name)


## Tests that the schema of a value is the one that was set when it began, as its limits are.
func test_a_schema_that_is_set_while_a_value_is_read() -> void:
	var ints := VariantSchema.array(VariantSchema.int())
	var texts := VariantSchema.array(VariantSchema.string())
	for rows: Array in [[ints, texts, OK], [texts, ints, ERR_INVALID_DATA], [null, texts, OK], [ints, null, OK], [texts, null, ERR_INVALID_DATA]]:
		var reader := _reader(rows[0], VariantCodec.SAFE)
		var bytes := var_to_bytes([1, 2])
		reader.feed(bytes.slice(0, 10))
		check_error(reader.next(), ERR_UNAVAILABLE, "the beginning")
		reader.codec.schema = rows[1]
		reader.feed(bytes.slice(10) + var_to_bytes(["a"]))
		check_error(reader.next(), rows[2], "the value: %s" % reader.get_error_message())
		check_error(reader.next(), OK if rows[1] != ints else ERR_INVALID_DATA, "the next one")


## Tests that a reader and a codec name the same fault where several are there: whichever comes first in the bytes, of the
## format, the limits or the schema, however the bytes are cut.
func test_the_first_fault_in_the_bytes() -> void:
	var faults: Array[PackedByteArray] = [
		hex("63000000"),  # no type
		hex("01000000 02000000"),  # no bool
		hex("04000000 03000000 ffffff00"),  # no UTF-8
		hex("1c000000 ffff0000"),  # more elements than bytes
		hex("02000000"),  # cut off
		nested_bytes(12),  # too deep
		var_to_bytes("a long text beyond the limit"),
		var_to_bytes(range(40)),  # too many values
		var_to_bytes(PackedInt64Array(range(200))),  # too many elements
		var_to_bytes({NodePath("a/b"): 1}),  # a key that limits forbid
		hex("18000000 04000000 4e6f6465"),  # an object
	]
	var breaches: Array[PackedByteArray] = [
		var_to_bytes("text"), var_to_bytes(100), var_to_bytes([1, 2, 3]), var_to_bytes({}), var_to_bytes({"k": 1, "x": 2}),
		var_to_bytes({"k": "no"}), var_to_bytes(PackedByteArray([1])),
	]
	var entry := VariantSchema.dict({"k": VariantSchema.int(0, 9), "d": VariantSchema.int().optional(7)})
	var item := VariantSchema.union([VariantSchema.int(0, 9), VariantSchema.array(VariantSchema.int(0, 9)).max_size(2), entry])
	var schemas: Array[VariantSchema] = [
		VariantSchema.array(item),
		VariantSchema.tuple([item, item, item, item]),
		VariantSchema.array(item).unique(),
		VariantSchema.array(VariantSchema.discriminated("k", {1: entry, 2: entry})),
		VariantSchema.array(VariantSchema.dict({"k": VariantSchema.int(), "d": VariantSchema.array(VariantSchema.int()).optional(range(30))})),
		VariantSchema.int(),
	]
	var tried := 0
	for fault in faults:
		for breach in breaches:
			for order in 4:
				var parts: Array = [[var_to_bytes(5), breach, fault], [fault, breach], [breach, var_to_bytes({"k": 1}), fault], [var_to_bytes({"k": 1}), fault, breach]][order]
				var bytes := hex("1c000000 04000000")
				for part: PackedByteArray in parts + [var_to_bytes(5)]:
					bytes += part
				for turn in 2:
					var schema := schemas[(tried + turn) % schemas.size()]
					var pieces := [[1], [3, 4], [4096], [8 + _random.randi() % 40]]
					_agree(bytes, schema, VariantCodec.SAFE, pieces[tried % 4], "row %d" % tried, _small())
					_agree(bytes, schema, VariantCodec.ENGINE, pieces[tried % 4], "row %d" % tried, _small())
					tried += 1
	check(tried > 600, "%d rows" % tried)


static func _small() -> VariantLimits:
	var limits := VariantLimits.network()
	limits.max_depth = 8
	limits.max_string_bytes = 16
	limits.max_values = 60
	limits.max_entries = 100
	return limits


func test_a_budget_and_a_job() -> void:
	var value := []
	for i in 20000:
		value.append({"id": i})
	var path := "user://reader_schema_test.bin"
	var bytes := var_to_bytes(value)
	var length := PackedByteArray([0, 0, 0, 0])
	length.encode_u32(0, bytes.size() + 12)
	var file := FileAccess.open(path, FileAccess.WRITE)
	# One more element is the id of an object.
	bytes.encode_u32(4, 20001)
	file.store_buffer(length + bytes + hex("18000100 0500000000000000"))
	file.close()
	var reader := _reader(VariantSchema.array(VariantSchema.any()), VariantCodec.ENGINE)
	reader.framing = VariantReader.FRAMING_U32
	reader.time_budget_usec = 200
	reader.open_file(path)
	var pauses := 0
	while reader.next() == ERR_BUSY:
		pauses += 1
	check(pauses > 1, "%d pauses" % pauses)
	check_same(reader.get_status(), VariantReader.READY, reader.get_error_message())
	check_same([reader.data.size(), reader.data[20000].object_id, reader.data[19999]], [20001, 5, {"id": 19999}], "the value")
	DirAccess.remove_absolute(path)


## Compares the bytes in these pieces under every framing, and once more behind another value, with a codec
## that has the schema.
func _agree(
		bytes: PackedByteArray, schema: VariantSchema, strictness: int, pieces: Array, what: String,
		limits := VariantLimits.engine()) -> void:
	var codec := VariantCodec.new()
	codec.limits = limits
	codec.strictness = strictness
	codec.schema = schema
	var code := codec.decode(bytes)
	var wanted := codec.get_error()
	for framing: int in RAW:
		var reader := _reader(schema, strictness)
		reader.codec.limits = limits
		reader.framing = framing
		reader.clear()
		var length := PackedByteArray([0, 0, 0, 0])
		length.encode_u32(0, bytes.size())
		if framing == VariantReader.FRAMING_U32_BE:
			length.reverse()
		var stream := bytes if framing == VariantReader.FRAMING_NONE else length + bytes
		var got := ERR_UNAVAILABLE
		var at := 0
		var turn := 0
		while got == ERR_UNAVAILABLE and at < stream.size():
			reader.feed(stream.slice(at, at + pieces[turn % pieces.size()]))
			at += pieces[turn % pieces.size()]
			turn += 1
			got = reader.next()
		if got == ERR_UNAVAILABLE:
			reader.finish()
			got = reader.next()
		var where := "%s, %s, framing %d, pieces of %s" % [what, schema, framing, pieces]
		var found := reader.get_error()
		check_error(got, code, where)
		check_same(reader.data, codec.data, where)
		for part: String in wanted:
			if part == "message":
				# Behind it a hint may stand, made from what had come.
				check_same(found.message.get_slice(";", 0), wanted.message.get_slice(";", 0), "message of " + where)
			elif part != "fatal":
				check_same(found.get(part), wanted[part], "%s of %s" % [part, where])


static func _reader(schema: VariantSchema, strictness: int) -> VariantReader:
	var reader := VariantReader.new()
	reader.codec.limits = VariantLimits.engine()
	reader.codec.strictness = strictness
	reader.codec.schema = schema
	return reader


## Returns the recorded values, which only a checkout has; elsewhere values that are made here.
static func _cases() -> Array:
	if not OS.has_feature("template"):
		var path := ProjectSettings.globalize_path("res://").path_join("../tests/golden/godot4_6.json")
		var recording: Variant = JSON.parse_string(FileAccess.get_file_as_string(path))
		return recording.cases if recording is Dictionary else []
	var cases := []
	var generator := ValueGenerator.new()
	for case in 800:
		var value: Variant = generator.make(SEED, case)
		if not generator.has_objects:
			cases.append({"hex": var_to_bytes(value).hex_encode(), "name": "generated %d" % case})
	generator.free_live()
	return cases
