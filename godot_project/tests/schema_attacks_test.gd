extends "suite.gd"
## Tests that a few bytes which ask a schema for many defaults are refused before those are built. This holds
## however the schema is applied. The inputs are the lines of tests/attacks/schemas, and some that a game
## would write.

## The reason why run.gd skips this suite in a packed game.
const EDITOR_ONLY := "reads the corpus of the checkout"

const AttackRows := preload("attack_rows.gd")
const ProcessMemory := preload("process_memory.gd")
const PlainClass := preload("schema/plain_class.gd")

const FOLDER := "res://../tests/attacks/schemas"
const LINES := 10
const SAVE_PATH := "user://schema_attacks_test.save"
## The most that a refused flood may add to the memory of the process: what network() allows, and a part of
## that for the engine's growing buffers.
const MOST_MEMORY := 40 << 20
const EMPTY: Dictionary = {}

var _memory := ProcessMemory.new()


func test_every_line_in_every_way() -> void:
	var rows := _rows()
	check_same(rows.size(), LINES, "lines of the corpus")
	for row in rows:
		var schema := VariantSchema.from_json(row.schema)
		check_same(str(schema.get_build_errors()), "[]", row.name)
		_every_way(row.name, schema, row.bytes, row.network)
		# An accepted value would take some hundred megabytes.
		if row.save_file != "ok":
			_check_job(row.name, schema, row.bytes, row.save_file)


## Tests the case of the issue: 10 million values of 8 KB.
func test_a_long_list_in_each_of_many() -> void:
	var lists := VariantSchema.array().optional(range(10000))
	var schema := VariantSchema.array(VariantSchema.dict({"a": lists}))
	var bytes := var_to_bytes(_empties(1000))
	_memory.reset()
	var before := _memory.peak()
	_every_way("range(10000)", schema, bytes, "TOO_MANY_VALUES@56")
	var grown := _memory.peak() - before
	check(sanitized or grown < MOST_MEMORY, "%d bytes more" % grown)
	check_same(_codec(schema).decode(var_to_bytes(_empties(6))), OK, "so many there may be")


func test_a_class_of_plain_variables() -> void:
	var schema := VariantSchema.array(VariantSchema.from_script(PlainClass))
	check_same(str(schema.get_build_errors()), "[]", "the schema")
	# A dictionary, ten keys and ten values are 21 each.
	_every_way("a class", schema, var_to_bytes(_empties(65000)), "TOO_MANY_VALUES@24968")


func test_a_hundred_thousand_texts_in_each_of_many() -> void:
	var texts := PackedStringArray()
	texts.resize(100_000)
	var schema := VariantSchema.array(VariantSchema.dict({"a": VariantSchema.packed_string_array().optional(texts)}))
	_every_way("texts", schema, var_to_bytes(_empties(4000)), "TOO_MANY_VALUES@8")


func test_a_limit_of_forty_values() -> void:
	var texts := VariantSchema.dict({"a": VariantSchema.array().optional(range(1000))})
	var codec := _codec(VariantSchema.array(texts))
	codec.limits.max_values = 40
	check_error(codec.decode(var_to_bytes(_empties(20))), ERR_OUT_OF_MEMORY, "20 000 values of 40")
	check_same(codec.get_error_message().get_slice(":", 0), "[0]", "at the first")
	check_same(codec.get_error().code, VariantCodec.TOO_MANY_VALUES, "its code")
	codec.schema = VariantSchema.array(VariantSchema.dict({"a": VariantSchema.int().optional(1)}))
	check_error(codec.decode(var_to_bytes(_empties(13))), OK, "1 and 13 times 3 are 40")
	check_error(codec.decode(var_to_bytes(_empties(14))), ERR_OUT_OF_MEMORY, "43")


## Tests coercion, because a live value may have come from JSON.
func test_coercion_is_bounded_too() -> void:
	var schema := VariantSchema.array(VariantSchema.dict({"a": VariantSchema.array().optional(range(100_000))}))
	check_same(schema.coerce(_empties(1000)), null, "a hundred million values")
	check_same(schema.get_errors().size(), 1, "told")
	check_same(schema.get_errors()[0].get("code"), VariantCodec.TOO_MANY_VALUES, "why")
	check_same(schema.coerce(_empties(2)).size(), 2, "so many there may be")


func _every_way(name: String, schema: VariantSchema, bytes: PackedByteArray, due: String) -> void:
	var codec := _codec(schema)
	check_same(_answer(codec.decode(bytes), codec.get_error()), due, name + ": decode()")
	check_same(_answer(codec.validate(bytes), codec.get_error()), due, name + ": validate()")
	var target: Variant = {} if bytes[0] == TYPE_DICTIONARY else []
	check_same(_answer(codec.decode_into(target, bytes), codec.get_error()), due, name + ": decode_into()")
	check_same(target.size() > 0, due == "ok", name + ": the target")
	for piece: int in [1 << 20, 4096]:
		var reader := VariantReader.new()
		reader.framing = VariantReader.FRAMING_NONE
		reader.codec.limits = VariantLimits.network()
		reader.codec.schema = schema
		for at in range(0, bytes.size(), piece):
			reader.feed(bytes.slice(at, at + piece))
		var error := reader.next()
		check_same(_answer(error, reader.get_error()), due, "%s: a reader, pieces of %d" % [name, piece])


## Checks a job, which uses save_file().
func _check_job(name: String, schema: VariantSchema, bytes: PackedByteArray, due: String) -> void:
	var file := FileAccess.open(SAVE_PATH, FileAccess.WRITE)
	file.store_32(bytes.size())
	file.store_buffer(bytes)
	file.close()
	var job: VariantJob = VariantStream.load_file_async(SAVE_PATH, schema)
	var error := job.wait()
	check_same(_answer(error, job.get_error()), due, name + ": a job")
	DirAccess.remove_absolute(SAVE_PATH)


func _answer(error: int, found: Dictionary) -> String:
	if error == OK:
		return "ok"
	for constant in ClassDB.class_get_enum_constants(&"VariantCodec", &"ErrorKind"):
		if ClassDB.class_get_integer_constant(&"VariantCodec", constant) == found.get("code"):
			return "%s@%d" % [constant, found.get("byte_offset", -1)]
	return str(found)


func _codec(schema: VariantSchema) -> VariantCodec:
	var codec := VariantCodec.new()
	codec.limits = VariantLimits.network()
	if is_double:
		codec.limits.max_heap_bytes *= 2  # All is charged twice.
	codec.schema = schema
	return codec


func _empties(count: int) -> Array:
	var all := []
	all.resize(count)
	all.fill(EMPTY)
	return all


func _rows() -> Array[Dictionary]:
	var attacks := AttackRows.new()
	var found: Array[Dictionary] = []
	var folder := ProjectSettings.globalize_path(FOLDER).simplify_path()
	for name in DirAccess.get_files_at(folder):
		for line in FileAccess.get_file_as_string(folder.path_join(name)).split("\n", false):
			if line.begins_with("#"):
				continue
			var columns := line.split("|")
			check_same(columns.size(), 6, line.left(60))
			var parts := columns[1].split("<")
			var json := parts[0]
			for part in parts.slice(1):
				json += attacks.bytes(part.get_slice(">", 0)).hex_encode() + part.get_slice(">", 1)
			found.append({
				"name": columns[0].strip_edges(), "schema": json, "bytes": attacks.bytes(columns[2]),
				"network": columns[3].strip_edges(), "save_file": columns[4].strip_edges(),
			})
	return found
