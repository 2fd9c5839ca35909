extends "engine_suite.gd"
## Tests that a refusal says what the bytes look like instead, at every door by which bytes come into a game. The Rust tests
## of variant_text::looks have the rules.

const PATH := "user://looks_test.bin"
## Stands in every value below, and in no message.
const SECRET := "s3cret"
## The forms of files that `VariantSave.unversioned` loads.
const LOADABLE := ["FRAMING_U32", "GODOT_3", "JSON.parse_string()", "FileAccess.open_compressed()", "FileAccess.open_encrypted()"]


## Godot 4 reads its first 52 bytes as a Transform3D, so that the rest of the file is what is wrong with it.
const GODOT_3 := "1200000002000000040000000600000074617267657400001100010000000000000000000400000002000000687000000200000009000000"


func clean_up() -> void:
	super()
	if FileAccess.file_exists(PATH):
		DirAccess.remove_absolute(PATH)


func test_every_door_says_what_bytes_look_like() -> void:
	var value := var_to_bytes({"key": SECRET, "hp": 1})
	var json := JSON.stringify({"key": SECRET}).to_utf8_buffer()
	var godot_3 := hex("120000000100000004000000030000006b657900 04000000060000007333637265740000")
	var framed := _frame(value)
	var rows := [
		[framed, "FRAMING_U32"],
		[_big(value), "FRAMING_U32_BE"],
		[framed.slice(0, 28), "and are cut off: %d bytes declared, 24 there" % value.size()],
		[godot_3, "GODOT_3"],
		[json, "JSON.parse_string()"],
		["[1, \"%s\"]".to_utf8_buffer(), "JSON.parse_string()"],
		[("key = " + SECRET).to_utf8_buffer(), "this is text"],
		[Marshalls.raw_to_base64(value).to_utf8_buffer(), "Marshalls.base64_to_raw()"],
		[value.hex_encode().to_utf8_buffer(), "String.hex_decode()"],
		[json.compress(FileAccess.COMPRESSION_GZIP), "decompress_dynamic(-1, FileAccess.COMPRESSION_GZIP)"],
		[json.compress(FileAccess.COMPRESSION_DEFLATE), "decompress_dynamic(-1, FileAccess.COMPRESSION_DEFLATE)"],
		[json.compress(FileAccess.COMPRESSION_ZSTD), "FileAccess.COMPRESSION_ZSTD"],
		[_stored(value, _compressed), "FileAccess.open_compressed()"],
		[_stored(value, _encrypted), "FileAccess.open_encrypted()"],
		[PackedByteArray([5]) + value, "a value begins at byte 1"],
		[var_to_str({"key": SECRET, "at": Vector2.ONE}).to_utf8_buffer(), "str_to_var()"],
		[_saved({"key": SECRET}), "VariantSave.load()"],
	]
	for row: Array in rows:
		var messages := _messages(row[0])
		for door: String in messages:
			var message: String = messages[door]
			# A save does not ask what wrote such a file: it says how to load it.
			var is_loadable: bool = door == "VariantSave.load" and row[1] in LOADABLE
			var wanted: String = "unversioned = 1" if is_loadable else row[1]
			check(message.contains(wanted), "%s: %s is not in: %s" % [door, wanted, message])
			check(not message.contains(SECRET), "%s: quotes the bytes: %s" % [door, message])


## Tests that a value which a limit or a schema refuses is told as that and nothing else.
func test_nothing_is_said_of_values() -> void:
	var codec := VariantCodec.new()
	codec.limits = VariantLimits.network()
	codec.limits.max_bytes = 8
	for value: Variant in [{"a": 1}, [1, 2, 3], "a text of some length", Transform3D.IDENTITY, PackedByteArray([1, 2, 3])]:
		check_error(codec.decode(var_to_bytes(value)), ERR_OUT_OF_MEMORY, "a limit")
		check(codec.get_error_message().ends_with(")"), "a limit: " + codec.get_error_message())
	codec.limits = null
	codec.schema = VariantSchema.int(1, 3)
	for value: Variant in [9, {"a": 1}, [1, 2, 3], "text"]:
		check_error(codec.decode(var_to_bytes(value)), ERR_INVALID_DATA, "a schema")
		check(not codec.get_error_message().contains(";"), "a schema: " + codec.get_error_message())
	codec.schema = null
	# Godot 3 and the published ids ask less of the form.
	for form: String in ["04000000 03000000 616263ff", "04000000 04000000 efbbbf78", "1c000100 02000000 01000000 04000000 01000000 78000000"]:
		check_error(codec.decode(hex(form)), ERR_INVALID_DATA, form)
		check(codec.get_error_message().ends_with(")"), codec.get_error_message())
	var cut := var_to_bytes({"key": SECRET, "hp": 1}).slice(0, -5)
	check_same(VariantStream.decode(cut), null, "a cut value")
	check(not VariantStream.get_last_error().message.contains(";"), VariantStream.get_last_error().message)


## Tests that a schema's refusal says it too, since that comes first.
func test_a_schema_is_no_obstacle() -> void:
	var codec := VariantCodec.new()
	codec.schema = VariantSchema.dict({"key": VariantSchema.string()})
	var value := var_to_bytes({"key": SECRET})
	for turn in 2:
		check(codec.decode(_frame(value)) != OK, "a framed value")
		var said := codec.get_error_message()
		check(said.contains("FRAMING_U32"), said)
		check_same(codec.get_error().message, said, "get_error()")
		check_same(codec.get_errors(9)[0].message, said, "get_errors()")
		codec.schema = VariantSchema.any()


## Tests a value of Godot 3 with its length before it, as its store_var() wrote it.
func test_a_file_of_godot_3() -> void:
	_store(_frame(hex("120000000100000004000000030000006b657900 04000000060000007333637265740000")))
	var job: VariantJob = VariantStream.load_file_async(PATH)
	check(job.wait() != OK, "it is loaded")
	check(job.get_error_message().contains("GODOT_3"), job.get_error_message())
	check(not job.get_error_message().contains(SECRET), job.get_error_message())
	var reader := VariantReader.new()
	reader.framing = VariantReader.FRAMING_U32
	reader.open_file(FileAccess.open(PATH, FileAccess.READ))
	check(reader.next() != OK, "it is read")
	check(reader.get_error_message().contains("GODOT_3"), reader.get_error_message())


	_store(hex(GODOT_3))
	job = VariantStream.load_file_async(PATH)
	check(job.wait() != OK, "it is loaded without a length")
	check(job.get_error_message().contains("goes on after its value"), job.get_error_message())
	check(job.get_error_message().contains("GODOT_3"), job.get_error_message())
	_store(var_to_bytes(1) + var_to_bytes(2))
	job = VariantStream.load_file_async(PATH)
	check(job.wait() != OK and not job.get_error_message().contains("GODOT_3"), job.get_error_message())


## Tests the words for a value of a stream that ends too soon.
func test_a_cut_off_value_of_a_stream() -> void:
	var record := hex("100000000400000006000000736563")
	var reader := VariantReader.new()
	reader.framing = VariantReader.FRAMING_U32
	reader.feed(record)
	reader.finish()
	check(reader.next() != OK, "a record that is cut off")
	check_same(reader.get_error_message(), "(root): value is cut off: 16 bytes declared, 11 there (byte 11)", "message")
	check_same(reader.get_error().code, VariantCodec.INCOMPLETE, "kind")
	_store(record)
	var of_file := VariantReader.new()
	of_file.framing = VariantReader.FRAMING_U32
	of_file.open_file(FileAccess.open(PATH, FileAccess.READ))
	check(of_file.next() != OK, "a file that is cut off")
	check(of_file.get_error_message().contains("value is cut off: 16 bytes declared, 11 there"), of_file.get_error_message())


## Tests that a reader which expects lengths says what stands there instead.
func test_a_reader_of_lengths() -> void:
	var value := var_to_bytes({"key": SECRET, "hp": 1})
	for row: Array in [[value, "FRAMING_NONE"], [_big(value), "FRAMING_U32_BE"], [JSON.stringify({"key": SECRET}).to_utf8_buffer(), "JSON"]]:
		_store(row[0])
		var reader := VariantReader.new()
		reader.framing = VariantReader.FRAMING_U32
		reader.open_file(FileAccess.open(PATH, FileAccess.READ))
		check(reader.next() != OK, "%s: it is taken" % row[1])
		check(reader.get_error_message().contains(row[1]), "%s is not in: %s" % [row[1], reader.get_error_message()])


## Returns what each door says of bytes that it refuses.
func _messages(bytes: PackedByteArray) -> Dictionary:
	var messages := {}
	check_same(VariantStream.decode(bytes), null, "decode")
	messages["VariantStream.decode"] = VariantStream.get_last_error().get("message", "")
	var codec := VariantCodec.new()
	for call: StringName in [&"decode", &"validate"]:
		check(codec.call(call, bytes) != OK, "%s takes them" % call)
		messages["VariantCodec." + call] = codec.get_error_message()
		check_same(codec.get_error().message, codec.get_error_message(), "both messages")
	check(codec.decode_into({}, bytes) != OK, "decode_into takes them")
	messages["decode_into"] = codec.get_error_message()
	check_same(VariantStream.transcode(bytes, VariantStream.GODOT_4, VariantStream.GODOT_3), PackedByteArray(), "transcode")
	messages["transcode"] = VariantStream.get_last_error().get("message", "")
	# These take what the engine takes: more than the others.
	VariantStream.dump(bytes)
	if VariantStream.get_last_error():
		messages["dump"] = VariantStream.get_last_error().message
	VariantStream.to_json(bytes)
	if VariantStream.get_last_error():
		messages["to_json"] = VariantStream.get_last_error().message
	_store(bytes)
	var reader := VariantReader.new()
	reader.framing = VariantReader.FRAMING_NONE
	reader.open_file(FileAccess.open(PATH, FileAccess.READ))
	check(reader.next() != OK, "the reader takes them")
	messages["VariantReader"] = reader.get_error_message()
	# It takes values with their length before them.
	var job: VariantJob = VariantStream.load_file_async(PATH)
	if job.wait() != OK and not job.get_error_message().begins_with("the file is cut off"):
		messages["load_file_async"] = job.get_error_message()
	var save := VariantSave.new()
	if bytes.slice(1, 5) != "VSAV".to_ascii_buffer():
		check(save.load(PATH) != OK, "a save takes them")
		messages["VariantSave.load"] = save.get_error_message()
		messages["VariantSave.peek"] = save.peek(PATH).error
	var fed := VariantReader.new()
	fed.framing = VariantReader.FRAMING_U32
	fed.feed(_frame(bytes))
	check(fed.next() != OK, "the reader of a stream takes them")
	messages["a frame"] = fed.get_error_message()
	return messages


func _saved(value: Dictionary) -> PackedByteArray:
	if FileAccess.file_exists(PATH):
		DirAccess.remove_absolute(PATH)
	check_error(VariantSave.new().save(PATH, value), OK, "a save")
	var bytes := FileAccess.get_file_as_bytes(PATH)
	DirAccess.remove_absolute(PATH)
	return bytes


func _store(bytes: PackedByteArray) -> void:
	var file := FileAccess.open(PATH, FileAccess.WRITE)
	file.store_buffer(bytes)
	file.close()


func _stored(bytes: PackedByteArray, open: Callable) -> PackedByteArray:
	var file: FileAccess = open.call()
	file.store_buffer(bytes)
	file.close()
	return FileAccess.get_file_as_bytes(PATH)


func _compressed() -> FileAccess:
	return FileAccess.open_compressed(PATH, FileAccess.WRITE, FileAccess.COMPRESSION_ZSTD)


func _encrypted() -> FileAccess:
	return FileAccess.open_encrypted_with_pass(PATH, FileAccess.WRITE, "swordfish")


func _frame(bytes: PackedByteArray) -> PackedByteArray:
	var length := PackedByteArray([0, 0, 0, 0])
	length.encode_u32(0, bytes.size())
	return length + bytes


func _big(bytes: PackedByteArray) -> PackedByteArray:
	var framed := _frame(bytes)
	var length := framed.slice(0, 4)
	length.reverse()
	return length + bytes
