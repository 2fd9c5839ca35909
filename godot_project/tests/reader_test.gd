extends "engine_suite.gd"
## Tests VariantReader as a user uses it: bytes in any pieces, framings, statuses, files, entries, the time
## budget, signals. stream_interop_test.gd has peers in processes of their own.

const PATH := "user://reader_test.bin"

var _heard: Array = []


func clean_up() -> void:
	super()
	for path: String in [PATH, PATH + ".pck"]:
		if FileAccess.file_exists(path):
			DirAccess.remove_absolute(path)


func test_every_cut_gives_the_values() -> void:
	var values: Array = [{"hp": 80, "items": [1, "two", Vector3(1, 2, 3)]}, null, PackedStringArray(["a", "b"]), 7]
	for framing: int in [VariantReader.FRAMING_NONE, VariantReader.FRAMING_U32, VariantReader.FRAMING_U32_BE]:
		var stream := _framed(values, framing)
		for piece: int in [1, 2, 3, 7, stream.size()]:
			var reader := VariantReader.new()
			reader.framing = framing
			var got := []
			for at in range(0, stream.size(), piece):
				check_error(reader.feed(stream.slice(at, at + piece)), OK, "feed")
				while reader.next() == OK:
					got.append(reader.data)
			check_same(got, values, "framing %d in pieces of %d" % [framing, piece])
			check_same(reader.get_status(), VariantReader.NEED_MORE, "status at the end")
			check_error(reader.finish(), OK, "finish")
			check_error(reader.next(), ERR_FILE_EOF, "next after the last")
			check_same(reader.get_status(), VariantReader.END, "status after finish")


func test_what_is_needed_and_where_it_stands() -> void:
	var reader := VariantReader.new()
	reader.framing = VariantReader.FRAMING_U32
	check_error(reader.next(), ERR_UNAVAILABLE, "next of nothing")
	check_same(reader.get_bytes_needed(), 4, "a length")
	reader.feed(hex("08000000"))
	check_error(reader.next(), ERR_UNAVAILABLE, "next of a length")
	check_same([reader.get_bytes_needed(), reader.get_stream_position()], [4, 4], "a header, after the length")
	reader.feed(hex("0200000007000000"))
	check_error(reader.next(), OK, "next")
	check_same([reader.data, reader.get_bytes_needed(), reader.get_stream_position()], [7, 0, 4], "the value")


func test_a_bad_frame_is_rejected_and_the_next_one_read() -> void:
	var good := var_to_bytes([1, 2])
	var reader := VariantReader.new()
	reader.framing = VariantReader.FRAMING_U32
	for bad: PackedByteArray in [hex("63000000"), good + hex("00000000"), good.slice(0, -4), hex("")]:
		reader.feed(_frame(bad) + _frame(good))
		check(reader.next() != OK, "%s is accepted" % bad.hex_encode())
		check_same(reader.get_status(), VariantReader.REJECTED, "status of %s" % bad.hex_encode())
		check(not reader.get_error_message().is_empty() and not reader.get_error().fatal, "it says why")
		check_same(reader.data, null, "data of a bad frame")
		check_error(reader.next(), OK, "the frame after " + bad.hex_encode())
		check_same(reader.data, [1, 2], "its value")


## Tests when limits count: a value whose bytes are all there is built in place, and one that was begun goes
## on by the rules at its beginning.
func test_limits_hold_from_the_next_value_on() -> void:
	var frame := _framed([[1, 2, 3]], VariantReader.FRAMING_U32)
	for begun: int in [4, 12, frame.size()]:
		var reader := VariantReader.new()
		reader.framing = VariantReader.FRAMING_U32
		var codes := []
		reader.feed(frame.slice(0, begun))
		codes.append(reader.next())
		reader.codec.limits = VariantLimits.network()
		reader.codec.limits.max_values = 3
		reader.feed(frame.slice(begun) + frame)
		for i in 2:
			codes.append(reader.next())
		var first: Array = [OK, ERR_OUT_OF_MEMORY, ERR_UNAVAILABLE] if begun == frame.size() \
				else [ERR_UNAVAILABLE, OK, ERR_OUT_OF_MEMORY]
		check_same(codes, first, "limits changed after %d bytes" % begun)
		reader.codec.limits.max_values = 4
		reader.feed(frame)
		check_error(reader.next(), OK, "the limit raised")
		check_same(reader.data, [1, 2, 3], "the value after it")
		reader.codec.limits.max_values = 3
		reader.feed(frame.slice(0, begun))
		var early := reader.next()
		reader.codec.limits.max_values = 4
		reader.feed(frame.slice(begun))
		check([early, reader.next()].has(ERR_OUT_OF_MEMORY), "the limit was raised after %d bytes and held at once" % begun)


func test_a_declared_length_over_the_limit_breaks_the_stream() -> void:
	var reader := VariantReader.new()
	reader.framing = VariantReader.FRAMING_U32
	reader.codec.limits = VariantLimits.network()
	reader.codec.limits.max_bytes = 65536
	reader.feed(hex("ffffff7f"))
	check_error(reader.next(), ERR_OUT_OF_MEMORY, "next")
	check_same(reader.get_status(), VariantReader.BROKEN, "status")
	check_same([reader.get_error().code, reader.get_error().fatal], [VariantCodec.TOO_MANY_BYTES, true], "error")
	check_same(reader.get_error_message(), "frame at byte 0 of the stream: expected at most 65536 bytes (max_bytes)," \
			+ " got 2147483647 bytes", "message")
	check_error(reader.feed(hex("00")), ERR_INVALID_DATA, "feed of a broken stream")
	check_error(reader.next(), ERR_OUT_OF_MEMORY, "next again")
	check_error(reader.clear(), OK, "clear")
	reader.feed(_frame(var_to_bytes(5)))
	check_error(reader.next(), OK, "next after clear")
	check_same(reader.data, 5, "the value after clear")
	reader.feed(_frame(var_to_bytes("x".repeat(70000))))
	check_error(reader.next(), ERR_OUT_OF_MEMORY, "a later frame")
	check(reader.get_error_message().begins_with("frame at byte 12 of the stream:"), reader.get_error_message())
	check_same([reader.get_error().path, reader.get_error().got], ["(root)", "70008 bytes"], "its error")


func test_without_framing_a_refusal_is_the_end() -> void:
	var reader := VariantReader.new()
	reader.feed(var_to_bytes(1) + hex("63000000") + var_to_bytes(2))
	check_error(reader.next(), OK, "the value before")
	check_error(reader.next(), ERR_INVALID_DATA, "the bad one")
	check_same([reader.get_status(), reader.get_stream_position()], [VariantReader.BROKEN, 8], "status and place")


func test_files_of_the_engine() -> void:
	var values: Array = [{"a": 1}, "text", [Vector2(1, 2)], PackedByteArray([1, 2, 3])]
	for big_endian: bool in [false, true]:
		var file := FileAccess.open(PATH, FileAccess.WRITE)
		file.big_endian = big_endian
		for value: Variant in values:
			file.store_var(value)
		file.close()
		var reader := VariantReader.new()
		reader.framing = VariantReader.FRAMING_U32_BE if big_endian else VariantReader.FRAMING_U32
		check_error(reader.open_file(PATH), OK, "open_file")
		check_same(_all(reader), values, "values of the file")
		check_same([reader.get_status(), reader.get_progress()], [VariantReader.END, 1.0], "at the end")
		if not big_endian:
			check_same(_looped(PATH), values, "values of a loop")


func test_a_file_cut_off_is_broken() -> void:
	_store(_framed([[1, 2], [3, 4]], VariantReader.FRAMING_U32).slice(0, -3))
	var reader := VariantReader.new()
	reader.framing = VariantReader.FRAMING_U32
	reader.open_file(PATH)
	check_same(_all(reader), [[1, 2]], "the whole value")
	check_same(reader.get_status(), VariantReader.BROKEN, "status")
	check_same(reader.get_error().code, VariantCodec.INCOMPLETE, "kind")
	check_same(_looped(PATH), [[1, 2]], "a loop")
	check_same(VariantStream.get_last_error().get("code"), VariantCodec.INCOMPLETE, "what a loop leaves")


func test_no_file_no_loop() -> void:
	check_same(_looped("user://there/is/none.bin"), [], "a loop over no file")
	check(VariantStream.get_last_error().message.contains("opening"), "it says what failed")
	var reader := VariantReader.new()
	check_error(reader.open_file("user://there/is/none.bin"), ERR_FILE_NOT_FOUND, "open_file")
	check_error(reader.open_file(5), ERR_INVALID_PARAMETER, "open_file of a number")
	reader.clear()
	check_error(reader.feed("text"), ERR_INVALID_PARAMETER, "feed of a text")
	check_error(reader.feed_peer(RefCounted.new()), ERR_INVALID_PARAMETER, "feed_peer of no peer")
	check_error(reader.call("feed_packet_peer", StreamPeerBuffer.new()), ERR_INVALID_PARAMETER, "a stream as packets")


func test_compressed_and_encrypted_files() -> void:
	var value := {"list": range(3000), "text": "x".repeat(100000)}
	var key := PackedByteArray(range(32))
	for way in 3:
		var file := _special(way, FileAccess.WRITE, key)
		file.store_var(value)
		file.store_var("end")
		file.close()
		var reader := VariantReader.new()
		reader.framing = VariantReader.FRAMING_U32
		check_error(reader.open_file(_special(way, FileAccess.READ, key)), OK, "open_file %d" % way)
		check_same(_all(reader), [value, "end"], "the values of file %d" % way)


func test_a_file_inside_of_a_pack() -> void:
	var file := FileAccess.open(PATH, FileAccess.WRITE)
	file.store_var([1, 2])
	file.store_var("end")
	file.close()
	var packer := PCKPacker.new()
	packer.pck_start(PATH + ".pck")
	packer.add_file("res://only_in_the_pack.bin", PATH)
	packer.flush()
	check(ProjectSettings.load_resource_pack(PATH + ".pck"), "the pack does not load")
	check_same(_looped("res://only_in_the_pack.bin"), [[1, 2], "end"], "values of the file in the pack")


func test_entries_one_by_one() -> void:
	var world := {"seed": 5, "players": [{"name": "a"}, {"name": "b"}], &"empty": [], Vector2i(1, 2): "last"}
	_store(var_to_bytes(world))
	var reader := VariantReader.new()
	reader.open_file(PATH)
	check_error(reader.enter(), OK, "enter")
	check_error(reader.enter(), ERR_DOES_NOT_EXIST, "enter an int")
	check(reader.get_error_message().contains("no Array or Dictionary to enter"), reader.get_error_message())
	check_error(reader.next(), OK, "the first entry")
	check_same([reader.key, reader.data, reader.get_depth()], ["seed", 5, 1], "the first entry")
	check_error(reader.enter(), OK, "enter the second")
	check_same([reader.key, reader.data, reader.get_depth()], ["players", null, 2], "the second")
	check_same(_all(reader), world.players, "its elements")
	check_same(reader.get_status(), VariantReader.END, "its end")
	check_error(reader.leave(), OK, "leave")
	check_error(reader.skip(), OK, "skip")
	check_error(reader.next(), OK, "the last entry")
	check_same([reader.key, reader.data], [Vector2i(1, 2), "last"], "the last entry")
	check_error(reader.next(), ERR_FILE_EOF, "behind the last entry")
	check_error(reader.leave(), OK, "leave the root")
	check_error(reader.leave(), ERR_DOES_NOT_EXIST, "leave nothing")
	check(reader.get_error_message().contains("nothing to leave"), reader.get_error_message())
	check_error(reader.next(), ERR_FILE_EOF, "behind the root")


func test_an_entry_at_fault_is_named_from_the_root() -> void:
	var bytes := var_to_bytes({"players": [1, 2, "no"]})
	bytes[bytes.size() - 12] = 99
	var reader := VariantReader.new()
	reader.feed(bytes)
	reader.enter()
	reader.enter()
	reader.skip()
	reader.skip()
	check_error(reader.next(), ERR_INVALID_DATA, "next")
	var codec := VariantCodec.new()
	codec.decode(bytes)
	check_same(reader.get_error_message(), codec.get_error_message(), "the message of a whole decode")


func test_a_time_budget_changes_nothing_but_the_time() -> void:
	var value := []
	for i in 20000:
		value.append({"id": i, "name": "item %d" % i})
	_store(var_to_bytes(value))
	var reader := VariantReader.new()
	reader.time_budget_usec = 500
	reader.open_file(PATH)
	var pauses := 0
	while reader.next() == ERR_BUSY:
		pauses += 1
		if pauses == 1:
			check_same([reader.get_status(), reader.data], [VariantReader.BUSY, null], "in a pause")
			check(reader.get_progress() > 0.0 and reader.get_progress() < 1.0, "%f" % reader.get_progress())
	check(pauses > 3, "%d pauses" % pauses)
	check_same(reader.get_status(), VariantReader.READY, "status")
	check_same(reader.data, value, "the value")


func test_values_under_a_schema() -> void:
	var move := VariantSchema.dict({"seq": VariantSchema.int(0, 9), "note?": VariantSchema.string()})
	var reader := VariantReader.new()
	reader.codec.schema = move
	for framing: int in [VariantReader.FRAMING_NONE, VariantReader.FRAMING_U32]:
		reader.framing = framing
		reader.clear()
		reader.feed(_framed([{"seq": 1}, {"seq": 10}, {"seq": 2, "note": "x"}], framing))
		check_error(reader.next(), OK, "a value that fits")
		check_same(reader.data, {"seq": 1}, "the value")
		check(reader.next() != OK, "a value out of range")
		check_same([reader.get_status(), reader.data], [VariantReader.REJECTED, null], "its status")
		check_same(reader.get_error().path, "seq", reader.get_error_message())
		check_error(reader.next(), OK, "the value behind it")
		check_same(reader.data, {"seq": 2, "note": "x"}, "the value behind it")
	_store(_framed([{"seq": 1}, {"seq": 2}], VariantReader.FRAMING_U32))
	var got := []
	for value: Variant in VariantStream.read_file(PATH, move):
		got.append(value.seq)
	check_same(got, [1, 2], "a loop over a file")
	for value: Variant in VariantStream.read_file(PATH, VariantSchema.int()):
		fail("%s is no int" % [value])
	check(not VariantStream.get_last_error().is_empty(), "the loop says why it ended")
	_store(_frame(var_to_bytes({"seq": 3})))
	var job: VariantJob = VariantStream.load_file_async(PATH, move)
	check_error(job.wait(), OK, "a job under a schema")
	check_same(job.data, {"seq": 3}, "its value")
	job = VariantStream.load_file_async(PATH, VariantSchema.int())
	check(job.wait() != OK and job.data == null, "a job that loads another value")


## Tests values of several kinds, whole or in pieces, wherever the key stands that tells the kind.
func test_values_of_several_kinds() -> void:
	var orc := VariantSchema.dict({"hp": VariantSchema.int(1, 9)})
	var elf := VariantSchema.dict({"name": VariantSchema.string().max_chars(3), "age": VariantSchema.int().optional(7)})
	var reader := VariantReader.new()
	reader.codec.schema = VariantSchema.discriminated("kind", {"orc": orc, "elf": elf})
	reader.framing = VariantReader.FRAMING_U32
	var values := [
		{"kind": "orc", "hp": 5}, {"hp": 12, "kind": "orc"}, {"name": "abc", "kind": "elf"},
		{"kind": "elf", "name": "abcd"}, {"kind": "dog"}, 5,
	]
	var stream := _framed(values, VariantReader.FRAMING_U32)
	for piece: int in [1, 7, 64, 1000]:
		var got := []
		for at in range(0, stream.size(), piece):
			reader.feed(stream.slice(at, at + piece))
			while reader.next() != ERR_UNAVAILABLE:
				var is_good := reader.get_status() == VariantReader.READY
				got.append(reader.data if is_good else reader.get_error_message())
		check_same(got, [
			{"kind": "orc", "hp": 5}, "hp: expected int 1..9, got int 12 (byte 20)",
			{"name": "abc", "kind": "elf", "age": 7},
			"name: expected String of at most 3 characters, got String of 4 characters (byte 44)",
			"kind: expected one of \"orc\", \"elf\", got String of 3 characters (byte 20)",
			"(root): expected Dictionary with a known \"kind\", got int 5 (byte 0)",
		], "in pieces of %d" % piece)


func test_signals() -> void:
	var reader := VariantReader.new()
	reader.framing = VariantReader.FRAMING_U32
	reader.codec.limits = VariantLimits.network()
	reader.value_received.connect(func(value: Variant) -> void: _heard.append(value))
	reader.rejected.connect(func(error: Dictionary) -> void: _heard.append(error.code))
	reader.broken.connect(func(error: Dictionary) -> void: _heard.append([error.code, error.fatal]))
	reader.feed(_framed(["a", "b"], VariantReader.FRAMING_U32) + _frame(hex("63000000")) + _frame(var_to_bytes(3)))
	check_same(reader.poll(), 3, "values")
	check_same(_heard, ["a", "b", VariantCodec.UNKNOWN_TYPE, 3], "what was heard")
	_heard.clear()
	reader.feed(hex("ffffffff"))
	check_same([reader.poll(), reader.poll()], [0, 0], "values of a broken stream")
	check_same(_heard, [[VariantCodec.TOO_MANY_BYTES, true]], "what was heard of a broken stream")


## Tests that a broken stream is signalled once, whether poll() found it or another call, a missing file
## included.
func test_a_broken_stream_is_signalled_once() -> void:
	var reader := VariantReader.new()
	reader.broken.connect(func(error: Dictionary) -> void: _heard.append(error.code))
	check_error(reader.open_file("user://there/is/none.bin"), ERR_FILE_NOT_FOUND, "open_file")
	check_same([reader.poll(), reader.poll(), _heard], [0, 0, [VariantCodec.FILE_FAILED]], "no file")
	reader.clear()
	check_same([reader.poll(), _heard.size()], [0, 1], "a new stream")
	reader.feed(hex("63000000"))
	reader.next()
	check_same([reader.poll(), reader.poll(), _heard.size()], [0, 0, 2], "broken by next()")
	reader.open_file("user://there/is/none.bin")
	check_same([reader.poll(), reader.poll(), _heard.size()], [0, 0, 3], "no file again")


## Tests that a file which was read is released: it can be replaced and removed, on Windows too, while the
## reader lives.
func test_a_file_that_is_read_is_let_go() -> void:
	for bytes: PackedByteArray in [var_to_bytes(1) + var_to_bytes([2]), hex("63000000"), var_to_bytes([1, 2]).slice(0, -4)]:
		_store(bytes)
		var file := FileAccess.open(PATH, FileAccess.READ)
		var alone := file.get_reference_count()
		var reader := VariantReader.new()
		reader.open_file(file)
		check_same(file.get_reference_count(), alone + 1, "while it is read")
		while reader.next() == OK:
			check_same(file.get_reference_count(), alone + 1, "while it is read")
		check_same(file.get_reference_count(), alone, "status %d" % reader.get_status())
		check(reader.next() != OK, "and again")
		check_same(reader.get_progress(), 1.0 if reader.get_status() == VariantReader.END else reader.get_progress(), "progress")


func test_a_handler_may_use_the_reader() -> void:
	var reader := VariantReader.new()
	reader.value_received.connect(func(_value: Variant) -> void:
		if _heard.size() < 3:
			_heard.append(reader.feed(var_to_bytes(1))))
	reader.feed(var_to_bytes(1))
	check_same([reader.poll(), _heard], [4, [OK, OK, OK]], "values and answers")
	for connection in reader.value_received.get_connections():
		reader.value_received.disconnect(connection.callable)  # it holds the reader that holds it


func test_packets_have_ends_of_their_own() -> void:
	var reader := VariantReader.new()
	var peer := PacketPeerStream.new()
	var buffer := StreamPeerBuffer.new()
	buffer.data_array = _frame(var_to_bytes(1)) + _frame(hex("63000000")) + _frame(var_to_bytes([2]))
	peer.stream_peer = buffer
	check_error(reader.feed_packet_peer(peer), OK, "feed_packet_peer")
	check_error(reader.next(), OK, "the first packet")
	check(reader.next() != OK and reader.get_status() == VariantReader.REJECTED, "the second packet")
	check_error(reader.next(), OK, "the third packet")
	check_same(reader.data, [2], "the third packet")
	check_error(reader.next(), ERR_UNAVAILABLE, "no fourth packet")


func test_whether_a_value_has_begun() -> void:
	for framing in 3:
		var reader := VariantReader.new()
		reader.framing = framing
		check(not reader.has_partial_value(), "before the first byte")
		var stream := _framed([5, {"hp": [1, 2]}], framing)
		var ends := [_framed([5], framing).size(), stream.size()]
		for at in stream.size():
			reader.feed(stream.slice(at, at + 1))
			reader.next()
			check_same(reader.has_partial_value(), not at + 1 in ends, "framing %d, %d bytes" % [framing, at + 1])
	var reader := VariantReader.new()
	reader.framing = VariantReader.FRAMING_U32
	reader.feed(PackedByteArray([12, 0, 0, 0, 99, 0, 0, 0]))
	check(reader.next() != OK and reader.get_status() == VariantReader.REJECTED, "a bad value")
	check(reader.has_partial_value(), "the rest of it has not come")
	reader.feed(PackedByteArray([0, 0, 0, 0, 0, 0, 0, 0]))
	check(reader.next() == ERR_UNAVAILABLE and not reader.has_partial_value(), "now it has")


## Tests a closed file: asked for its bytes, the engine would log an error and return bytes that were never
## written.
func test_a_file_that_was_closed() -> void:
	_store(_framed([1, 2, 3], VariantReader.FRAMING_U32))
	for framing in 2:
		var file := FileAccess.open(PATH, FileAccess.READ)
		var reader := VariantReader.new()
		reader.framing = framing
		check_error(reader.open_file(file), OK, "open_file")
		file.close()
		for turn in 2:
			check_error(reader.next(), ERR_UNCONFIGURED, "next")
			check_same([reader.get_status(), reader.get_error().fatal], [VariantReader.BROKEN, true], "status")
		check_error(reader.open_file(file), ERR_UNCONFIGURED, "open_file of a closed file")
		check_same(reader.get_status(), VariantReader.BROKEN, "status after that")
		var writer := VariantWriter.new()
		check_error(writer.open_file(file), ERR_UNCONFIGURED, "a writer's open_file of it")
	var file := FileAccess.open(PATH, FileAccess.WRITE)
	var writer := VariantWriter.new()
	check_error(writer.open_file(file), OK, "a writer's open_file")
	file.close()
	check_error(writer.write("x".repeat(100000)), ERR_UNCONFIGURED, "write")
	check_error(writer.close(), ERR_UNCONFIGURED, "close")
	check_same(writer.get_error_message(), "the file was closed", "what it says")


## Tests that a framing which is set later counts from the next stream on, for packets too.
func test_packets_go_by_the_framing_of_their_stream() -> void:
	var reader := VariantReader.new()
	reader.framing = VariantReader.FRAMING_U32
	reader.feed(PackedByteArray())
	reader.framing = VariantReader.FRAMING_NONE
	check_error(reader.feed_packet_peer(_packets([_frame(var_to_bytes([1])).slice(0, 7)])), OK, "half of a frame")
	check_error(reader.next(), ERR_UNAVAILABLE, "a piece of a stream")
	check_error(reader.feed_packet_peer(_packets([_frame(var_to_bytes([1])).slice(7)])), OK, "the other half")
	check_error(reader.next(), OK, "the value of both")
	reader.clear()
	check_error(reader.feed_packet_peer(_packets([var_to_bytes([2]), hex("63000000"), var_to_bytes([3])])), OK, "packets")
	check(reader.next() == OK and reader.data == [2], "a packet by itself")
	check(reader.next() != OK and reader.get_status() == VariantReader.REJECTED, "a bad one")
	check(reader.next() == OK and reader.data == [3], "the one behind it")


func test_what_is_no_framing() -> void:
	var writer := VariantWriter.new()
	for wrong: Array in [[7, "int 7"], [-1, "int -1"], ["", "String"]]:
		check_error(writer.open_buffer(wrong[0]), ERR_INVALID_PARAMETER, "open_buffer(%s)" % [wrong[0]])
		check_same(writer.get_error().got, wrong[1], "what it got")
	check_error(writer.call("open_buffer", null), OK, "none")


func _packets(packets: Array) -> PacketPeerStream:
	var buffer := StreamPeerBuffer.new()
	for packet: PackedByteArray in packets:
		buffer.put_u32(packet.size())
		buffer.put_data(packet)
	buffer.seek(0)
	var peer := PacketPeerStream.new()
	peer.stream_peer = buffer
	return peer


func _all(reader: VariantReader) -> Array:
	var got := []
	while reader.next() == OK:
		got.append(reader.data)
	return got


func _looped(path: String) -> Array:
	var got := []
	for value: Variant in VariantStream.read_file(path):
		got.append(value)
	return got


## A loop takes what a writer writes when nobody says how, as it takes what store_var() writes.
func test_a_loop_finds_out_how_values_stand() -> void:
	var values := [1, {"a": 2}, "three", [Vector2.ONE]]
	for framing: int in [VariantReader.FRAMING_NONE, VariantReader.FRAMING_U32, VariantReader.FRAMING_U32_BE]:
		var writer := VariantWriter.new()
		check_error(writer.open_file(PATH, framing), OK, "open")
		for value: Variant in values:
			check_error(writer.write(value), OK, writer.get_error_message())
		check_error(writer.close(), OK, "close")
		check_same(_looped(PATH), values, "framing %d" % framing)
		check_same(VariantStream.get_last_error(), {}, "its end")
	_store("{\"hp\": 1}".to_utf8_buffer())
	check_same(_looped(PATH), [], "JSON")
	check("this is no file of values" in VariantStream.get_last_error().message, VariantStream.get_last_error().message)


func _special(way: int, mode: FileAccess.ModeFlags, key: PackedByteArray) -> FileAccess:
	match way:
		0: return FileAccess.open_compressed(PATH, mode, FileAccess.COMPRESSION_ZSTD)
		1: return FileAccess.open_compressed(PATH, mode, FileAccess.COMPRESSION_DEFLATE)
	return FileAccess.open_encrypted(PATH, mode, key)


static func _store(bytes: PackedByteArray) -> void:
	var file := FileAccess.open(PATH, FileAccess.WRITE)
	file.store_buffer(bytes)
	file.close()


static func _framed(values: Array, framing: int) -> PackedByteArray:
	var stream := PackedByteArray()
	for value: Variant in values:
		stream += _frame(var_to_bytes(value), framing)
	return stream


static func _frame(bytes: PackedByteArray, framing: int = VariantReader.FRAMING_U32) -> PackedByteArray:
	var length := PackedByteArray([0, 0, 0, 0])
	length.encode_u32(0, bytes.size())
	if framing == VariantReader.FRAMING_U32_BE:
		length.reverse()
	return (length if framing != VariantReader.FRAMING_NONE else PackedByteArray()) + bytes


## A file of store_var() is read as one, though nothing was said of it.
func test_files_are_looked_at_for_their_framing() -> void:
	var two_ints := hex("08000000 02000000 05000000 08000000 02000000 00000000")
	var floats := hex("08000000 03000000 00007043 08000000 01000000 01000000 08000000 03000000 00002841 08000000 03000000 "
		+ "00000000 08000000 01000000 00000000 08000000 02000000 03000000")
	var values := [{"hp": 80}, [1, 2, 3], "text", null, Vector2(1, 2), 7, range(2000), PackedByteArray(range(200))]
	check_same(VariantReader.new().framing, VariantReader.FRAMING_AUTO, "what a reader does unless it is told")
	_check_file(two_ints, [5, 0])
	_check_file(floats, [240.0, true, 10.5, 0.0, false, 3])
	for framing: int in [VariantReader.FRAMING_NONE, VariantReader.FRAMING_U32, VariantReader.FRAMING_U32_BE]:
		var all := PackedByteArray()
		for value: Variant in values:
			var bytes := _frame(var_to_bytes(value), framing)
			_check_file(bytes, [value])
			all.append_array(bytes)
		_check_file(all, values)
		# Cut off, it is read as before it was.
		_check_file(all.slice(0, -4), values.slice(0, -1), VariantReader.BROKEN)
	_check_file(PackedByteArray(), [])
	# Of more values than are looked at.
	var many := PackedByteArray()
	for i in 5000:
		many.append_array(_frame(var_to_bytes(i), VariantReader.FRAMING_U32))
	_check_file(many, range(5000))
	# From where a file stands, which is where it stays until something is read.
	var file := FileAccess.open(PATH, FileAccess.WRITE)
	file.store_buffer(hex("ffffffff"))
	file.store_buffer(two_ints)
	file = FileAccess.open(PATH, FileAccess.READ)
	file.seek(4)
	var reader := VariantReader.new()
	check_error(reader.open_file(file), OK, "an open file")
	check_same(file.get_position(), 4, "where it stands")
	check_error(reader.next(), OK, "its first value")
	check_same(reader.data, 5, "its first value")
	# What was set counts.
	reader.framing = VariantReader.FRAMING_NONE
	_store(two_ints)
	reader.open_file(PATH)
	reader.next()
	check_same(reader.data, Rect2i(2, 5, 8, 2), "without lengths, as it was told")


func _check_file(bytes: PackedByteArray, values: Array, status := VariantReader.END) -> void:
	_store(bytes)
	var reader := VariantReader.new()
	check_error(reader.open_file(PATH), OK, "open")
	var seen := []
	while reader.next() == OK:
		seen.append(reader.data)
	check_same(seen, values, "%d bytes" % bytes.size())
	check_same(reader.get_status(), status, "how it ends: %s" % reader.get_error_message())


func test_a_reader_of_nothing_says_so() -> void:
	var reader := VariantReader.new()
	for call: Callable in [reader.next, reader.skip, reader.enter, reader.leave]:
		check_error(call.call(), ERR_UNCONFIGURED, "%s of nothing" % call.get_method())
		check(reader.get_error_message().begins_with("nothing is open: open_file()"), reader.get_error_message())
		check_same(reader.get_error().code, VariantCodec.INVALID_ARGUMENT, "kind")
	reader.feed(hex("02000000"))
	check_error(reader.next(), ERR_UNAVAILABLE, "the beginning of a value")
	reader.clear()
	check_error(reader.next(), ERR_UNCONFIGURED, "after clear()")


## No more than the frame has left can be asked for.
func test_bytes_needed_within_a_frame() -> void:
	for length in [1, 2, 3, 5, 6, 7]:
		for call: String in ["next", "skip", "enter"]:
			var reader := VariantReader.new()
			reader.framing = VariantReader.FRAMING_U32
			reader.feed(PackedByteArray([length, 0, 0, 0]))
			check_error(reader.call(call), ERR_UNAVAILABLE, "%s() of a frame of %d bytes" % [call, length])
			check_same(reader.get_bytes_needed(), mini(length, 4), "%s() of a frame of %d bytes" % [call, length])
			reader.feed(hex("1c000000").slice(0, mini(length, 4)))
			if length > 4:
				check_error(reader.call(call), ERR_UNAVAILABLE, "%s() of a header" % call)
				check_same(reader.get_bytes_needed(), length - 4, "%s() after a header in %d bytes" % [call, length])
