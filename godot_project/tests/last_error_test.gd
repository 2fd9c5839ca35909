extends "engine_suite.gd"
## Tests get_error() and get_error_message(): they are those of the last call that returns an Error, on any
## class. They are full after a refusal and empty after a success. So is get_last_error() for the static
## functions.

const PATH := "user://last_error_test.bin"
const DATA := {"list": [1, 2], "n": 5}


func clean_up() -> void:
	super()
	if FileAccess.file_exists(PATH):
		DirAccess.remove_absolute(PATH)


## Tests each call where it is refused, and then where it is not.
func test_of_readers() -> void:
	var bytes := var_to_bytes(DATA)
	var cases := {
		"feed": [func(_r: VariantReader) -> void: pass, ["text"], [bytes]],
		"feed_peer": [func(_r: VariantReader) -> void: pass, [StreamPeerTCP.new()], [_buffer(bytes)]],
		"feed_packet_peer": [func(_r: VariantReader) -> void: pass, [PacketPeerUDP.new()], [_packets([bytes])]],
		"open_file": [func(_r: VariantReader) -> void: pass, ["user://no/such/file"], [PATH]],
		"next": [func(r: VariantReader) -> void: r.feed(bytes), [], []],
		"skip": [func(r: VariantReader) -> void: r.feed(bytes), [], []],
		"enter": [func(r: VariantReader) -> void: r.feed(bytes), [], []],
		"leave": [func(r: VariantReader) -> void: [r.feed(bytes), r.enter()], [], []],
		"finish": [func(_r: VariantReader) -> void: pass, [], []],
		"clear": [func(_r: VariantReader) -> void: pass, [], []],
	}
	_store(bytes)
	for method in _codes(&"VariantReader"):
		if not check(cases.has(method), "no case of " + method):
			continue
		var reader := VariantReader.new()
		var case: Array = cases[method]
		if not case[1].is_empty():
			_check_refused(reader, method, case[1])
			reader.clear()
		elif method != "clear":
			# Bytes of no value break a stream, and then every call is refused.
			if method != "leave":
				reader.feed(hex("63000000"))
				reader.next()
			_check_refused(reader, method, [])
			reader.clear()
		case[0].call(reader)
		_make_error(reader, "feed", ["text"])
		_check_accepted(reader, method, case[2])


## Tests answers that are no refusals: more bytes, more time, the end.
func test_of_readers_that_have_no_value() -> void:
	var reader := VariantReader.new()
	for turn in 3:
		reader.clear()
		_make_error(reader, "feed", ["text"])
		match turn:
			1: reader.finish()
			2:
				reader.time_budget_usec = 1
				reader.feed(var_to_bytes(range(100_000)))
		check_error(reader.next(), [ERR_UNAVAILABLE, ERR_FILE_EOF, ERR_BUSY][turn], "next()")
		check_same([reader.get_error(), reader.get_error_message()], [{}, ""], "turn %d" % turn)


## Tests that a broken reader stays BROKEN and keeps the reason.
func test_of_a_broken_reader() -> void:
	var reader := VariantReader.new()
	reader.feed(hex("63000000"))
	reader.next()
	for call: Callable in [reader.next, reader.feed.bind(hex("00")), reader.finish, reader.next, reader.poll]:
		call.call()
		check_same(reader.get_error().get("code"), VariantCodec.UNKNOWN_TYPE, "after %s" % call.get_method())
	check_same(reader.get_status(), VariantReader.BROKEN, "status")


func test_of_writers() -> void:
	var far := 1 << 40
	var deep: Variant = nested(70)
	var cases := {
		"open_file": [[], ["user://no/such/file"], [PATH]],
		"open_peer": [[], [5], [StreamPeerBuffer.new()]],
		"open_packet_peer": [[], [5], [_packets([])]],
		"open_buffer": [[], ["framing"], []],
		"write": [[], [deep], [5]],
		"write_key": [["begin_dictionary"], [deep], [5]],
		"write_entry": [["begin_dictionary"], [deep, 5], [5, 5]],
		"begin_array": [[], [far], []],
		"begin_dictionary": [[], [far], [1]],
		"end": [["begin_array"], null, []],
		"flush": [[], null, []],
		"close": [[], null, []],
		"discard": [[], null, []],
	}
	for method in _codes(&"VariantWriter"):
		if not check(cases.has(method), "no case of " + method):
			continue
		var case: Array = cases[method]
		var writer := VariantWriter.new()
		writer.open_buffer()
		for before: String in case[0]:
			writer.call(before)
		if case[1] != null:
			_check_refused(writer, method, case[1])
		if method.begins_with("open"):
			writer.open_buffer()
		else:
			_make_error(writer, "begin_array", ["many"])
		_check_accepted(writer, method, case[2])
	var writer := VariantWriter.new()
	for method: String in ["write", "end", "flush"]:
		_check_refused(writer, method, [1] if method == "write" else [])
	check_error(writer.close(), OK, "close() of nothing")
	check_same(writer.get_error(), {}, "close() of nothing")


## Tests a file that could not be opened: a script that checks only close() gets the error as well, once.
func test_what_could_not_be_opened_is_told_when_it_is_closed() -> void:
	var writer := VariantWriter.new()
	check_error(writer.open_file("user://no/such/file"), ERR_FILE_BAD_PATH, "open_file")
	check_error(writer.write(5), ERR_UNCONFIGURED, "write")
	check_error(writer.close(), ERR_FILE_BAD_PATH, "close")
	check_same(writer.get_error().get("code"), VariantCodec.FILE_FAILED, "what close says")
	check_error(writer.close(), OK, "close again")
	check_same(writer.get_error(), {}, "what it says then")
	writer.open_file("user://no/such/file")
	writer.open_buffer()
	check_error(writer.close(), OK, "close of what was opened since")
	writer.open_file("user://no/such/file")
	writer.discard()
	check_error(writer.close(), OK, "close of what was given up")


func test_of_codecs() -> void:
	var good := var_to_bytes(DATA)
	var cases := {"decode": [["text"], [good]], "validate": [[hex("63")], [good]], "decode_into": [[5, good], [{}, good]]}
	for method in _codes(&"VariantCodec"):
		if check(cases.has(method), "no case of " + method):
			var codec := VariantCodec.new()
			_check_refused(codec, method, cases[method][0])
			_check_accepted(codec, method, cases[method][1])
	var codec := VariantCodec.new()
	check(codec.encode(nested(70)).is_empty() and not codec.get_error().is_empty(), "a deep value is refused")
	check(not codec.encode(5).is_empty(), "an int is not")
	check_same([codec.get_error(), codec.get_error_message(), codec.get_errors()], [{}, "", [] as Array[Dictionary]], "encode()")


func test_of_static_functions() -> void:
	_store(VariantStream.encode(5))
	var own_path := PATH
	var bytes := var_to_bytes(DATA)
	# What is refused and what is taken; null where nothing is refused: a guess has an answer for all bytes, a job tells of itself.
	var cases := {
		"decode": [[5], [bytes]], "decode_as": [[9, bytes], [VariantStream.GODOT_4, bytes]], "diff": [[5, bytes], [bytes, bytes]],
		"dump": [[5], [bytes]], "encode": [[nested(2000)], [5]], "encoded_size": [[nested(2000)], [5]], "from_json": [["{"], ["5"]],
		"guess_dialect": [null, [bytes]], "hash_of": [[RID()], [5]],
		"load_file_async": [null, [own_path]], "read_file": [["user://no/such/file"], [own_path]],
		"save_file_async": [null, [own_path, 5]], "size_report": [[5], [bytes]], "to_json": [[5], [bytes]],
		"transcode": [[bytes, 0, 9], [bytes, 0, 1]],
	}
	for method: Dictionary in ClassDB.class_get_method_list(&"VariantStream", true):
		if method.name in ["get_fallbacks", "get_last_error", "get_version", "tap"]:
			continue
		if not check(cases.has(method.name), "no case of " + method.name):
			continue
		var answers := []
		var no_bytes: Variant = 5
		VariantStream.decode(bytes)
		if cases[method.name][0] != null:
			answers.append(_called(method.name, cases[method.name][0]))
			check(not VariantStream.get_last_error().is_empty(), "%s() was refused and nothing says so" % method.name)
		VariantStream.decode(no_bytes)
		answers.append(_called(method.name, cases[method.name][1]))
		check_same(VariantStream.get_last_error(), {}, method.name + "() was not refused")
		for job: Variant in answers:
			if job is VariantJob:
				job.wait()


func test_of_schemas() -> void:
	var schema := VariantSchema.int(1, 9)
	for method: String in ["check", "is_valid", "coerce"]:
		schema.call(method, 50)
		check_same(schema.get_error().get("code"), VariantCodec.OUT_OF_RANGE, method + "() refuses")
		schema.call(method, 5)
		check_same([schema.get_error(), schema.get_error_message()], [{}, ""], method + "() accepts")


## Calls a static function of VariantStream by its name, as engines before 4.4 have no function for.
func _called(method: String, arguments: Array) -> Variant:
	var names := ", ".join(range(arguments.size()).map(func(at: int) -> String: return "it%d" % at))
	var script := GDScript.new()
	script.source_code = "static func answer(%s):\n\treturn VariantStream.%s(%s)\n" % [names, method, names]
	return script.callv(&"answer", arguments) if script.reload() == OK else null


## Lists the methods of one of our classes that return an Error.
func _codes(of: StringName) -> PackedStringArray:
	var names := PackedStringArray()
	for method: Dictionary in ClassDB.class_get_method_list(of, true):
		if method["return"]["class_name"] == &"Error":
			names.append(method.name)
	check(names.size() > 2, "%s has %d" % [of, names.size()])
	return names


func _check_refused(told: Object, method: String, given: Array) -> void:
	var code: int = told.callv(method, given)
	check(code != OK, "%s() is not refused" % method)
	check(not told.call("get_error").is_empty() and told.call("get_error_message") != "", "%s() says nothing" % method)


func _check_accepted(told: Object, method: String, given: Array) -> void:
	var code: int = told.callv(method, given)
	check_error(code, OK, "%s(): %s" % [method, told.call("get_error_message")])
	check_same([told.call("get_error"), told.call("get_error_message")], [{}, ""], method + "() was not refused")


func _make_error(told: Object, method: String, given: Array) -> void:
	_check_refused(told, method, given)


static func _store(bytes: PackedByteArray) -> void:
	FileAccess.open(PATH, FileAccess.WRITE).store_buffer(bytes)


static func _buffer(bytes: PackedByteArray) -> StreamPeerBuffer:
	var buffer := StreamPeerBuffer.new()
	buffer.data_array = bytes
	return buffer


static func _packets(packets: Array) -> PacketPeerStream:
	var stream := PackedByteArray()
	for packet: PackedByteArray in packets:
		var size := PackedByteArray([0, 0, 0, 0])
		size.encode_u32(0, packet.size())
		stream += size + packet
	var peer := PacketPeerStream.new()
	peer.stream_peer = _buffer(stream)
	return peer
