extends "suite.gd"
## Tests streams of packed values, and frames whose lengths take one byte.

const VARINT := VariantReader.FRAMING_VARINT
const PATH := "user://packed_stream_test.bin"


static func _schema() -> VariantSchema:
	return VariantSchema.dict({"seq": VariantSchema.int(0, 65535), "text": VariantSchema.string().max_chars(20_000)})


static func _values() -> Array:
	return [{"seq": 1, "text": ""}, {"seq": 2, "text": "a".repeat(200)}, {"seq": 3, "text": "b".repeat(17_000)}, {"seq": 4, "text": "c"}]


static func _writer(form: VariantCodec.Form) -> VariantWriter:
	var writer := VariantWriter.new()
	writer.codec.schema = _schema()
	writer.codec.form = form
	return writer


static func _reader(form: VariantCodec.Form, framing := VARINT) -> VariantReader:
	var reader := VariantReader.new()
	reader.framing = framing
	reader.codec.schema = _schema()
	reader.codec.form = form
	return reader


func clean_up() -> void:
	DirAccess.remove_absolute(ProjectSettings.globalize_path(PATH))


func test_lengths_of_one_byte_and_more() -> void:
	var writer := VariantWriter.new()
	check_error(writer.open_buffer(VARINT), OK, "open_buffer")
	for value: Variant in [null, "x".repeat(200), "y".repeat(17_000)]:
		check_error(writer.write(value), OK, "write")
	var bytes := writer.get_buffer()
	check_bytes(bytes.slice(0, 7), PackedByteArray([4, 0, 0, 0, 0, 0xD0, 0x01]), "4 bytes, then 208")
	var third := 5 + 2 + 208
	check_bytes(bytes.slice(third, third + 3), PackedByteArray([0xF0, 0x84, 0x01]), "17008")
	check_same(bytes.size(), third + 3 + 17_008, "all of it")
	for piece: int in [1, 3, 1000, bytes.size()]:
		var reader := VariantReader.new()
		reader.framing = VARINT
		var found := []
		for at: int in range(0, bytes.size(), piece):
			reader.feed(bytes.slice(at, at + piece))
			while reader.next() == OK:
				found.append(reader.data)
		check_same(found, [null, "x".repeat(200), "y".repeat(17_000)], "in pieces of %d" % piece)
		check(not reader.has_partial_value(), "nothing is left")


func test_a_length_has_one_form() -> void:
	for broken: Array in [[0x84, 0x00, 0, 0, 0, 0], [0xFF, 0xFF, 0xFF, 0xFF, 0xFF]]:
		var reader := VariantReader.new()
		reader.framing = VARINT
		reader.feed(PackedByteArray(broken))
		check(reader.next() != OK, str(broken))
		check_same(reader.get_status(), VariantReader.BROKEN, "the status")
		check_same(reader.get_error().code, VariantCodec.TOO_MANY_BYTES, "the kind")
		check(reader.get_error_message().begins_with("frame at byte 0 of the stream"), reader.get_error_message())
	var begun := VariantReader.new()
	begun.framing = VARINT
	begun.feed(PackedByteArray([0x84]))
	check_same(begun.next(), ERR_UNAVAILABLE, "more is needed")
	check_same(begun.get_bytes_needed(), 1, "how much")
	begun.feed(PackedByteArray([0x01]))
	check_same([begun.next(), begun.get_bytes_needed()], [ERR_UNAVAILABLE, 4], "the least of the value")


func test_containers_written_entry_by_entry() -> void:
	var writer := VariantWriter.new()
	writer.open_buffer(VARINT)
	writer.begin_array()
	for at: int in 100:
		writer.write(at)
	check_error(writer.end(), OK, "end")
	check_error(writer.write("next"), OK, "write")
	var reader := VariantReader.new()
	reader.framing = VARINT
	reader.feed(writer.get_buffer())
	check_same([reader.next(), reader.data], [OK, range(100)], "the array")
	check_same([reader.next(), reader.data], [OK, "next"], "what is behind it")


func test_packed_frames_in_any_pieces() -> void:
	var schema := _schema()
	for framing: int in [VARINT, VariantReader.FRAMING_U32, VariantReader.FRAMING_U32_BE]:
		var writer := _writer(VariantCodec.FORM_PACKED)
		writer.open_buffer(framing)
		for value: Dictionary in _values():
			check_error(writer.write(value), OK, writer.get_error_message())
		var bytes := writer.get_buffer()
		if framing == VARINT:
			var first := schema.pack(_values()[0])
			check_bytes(bytes.slice(0, first.size() + 1), PackedByteArray([first.size()]) + first, "the first frame")
		for piece: int in [1, 7, bytes.size()]:
			var reader := _reader(VariantCodec.FORM_PACKED, framing)
			var found := []
			for at: int in range(0, bytes.size(), piece):
				reader.feed(bytes.slice(at, at + piece))
				while reader.next() == OK:
					found.append(reader.data)
			check_same(found, _values(), "framing %d in pieces of %d" % [framing, piece])


func test_what_is_refused_is_passed_over() -> void:
	var schema := _schema()
	var writer := _writer(VariantCodec.FORM_PACKED)
	writer.open_buffer(VARINT)
	check_error(writer.write({"seq": 70_000, "text": ""}), ERR_INVALID_DATA, "too much")
	check_same(writer.get_error_message(), "seq: expected int 0..65535, got int 70000", "the words")
	check_same(writer.get_buffer(), PackedByteArray(), "nothing was written")
	check_error(writer.begin_array(), ERR_INVALID_PARAMETER, "it is written as a whole")
	writer.write(_values()[0])
	var good := writer.get_buffer()
	var bad := good.duplicate()
	bad[1] ^= 0x40
	var reader := _reader(VariantCodec.FORM_PACKED)
	var got := []
	reader.value_received.connect(func(value: Variant) -> void: got.append(value.seq))
	reader.rejected.connect(func(error: Dictionary) -> void: got.append(error.code))
	reader.feed(good + bad + good)
	check_same(reader.poll(), 2, "values")
	check_same(got, [1, VariantCodec.SCHEMA_MISMATCH, 1], "in their order")
	reader.codec.tagging = VariantSchema.BARE
	reader.feed(PackedByteArray([1, 0]))
	check(reader.next() != OK, "no tag is expected")
	check_same([reader.get_error().code, reader.get_error().bit_offset], [VariantCodec.INCOMPLETE, 0], "the place")
	reader.codec.tagging = VariantSchema.TAGGED
	reader.feed(bad + good)
	check(reader.skip() != OK, "skip checks as next does")
	check_same(reader.get_error().code, VariantCodec.SCHEMA_MISMATCH, "the kind")
	check_same(reader.skip(), OK, "skip")
	reader.feed(good)
	check_same(reader.enter(), ERR_DOES_NOT_EXIST, "no entries by themselves")
	check_same([reader.next(), reader.data.seq], [OK, 1], "it is still there")
	reader.codec.schema = null
	reader.feed(good)
	check_same(reader.next(), ERR_INVALID_PARAMETER, "no schema")
	check_same(reader.next(), ERR_UNAVAILABLE, "one refusal each")


func test_it_needs_frames() -> void:
	var writer := _writer(VariantCodec.FORM_PACKED)
	writer.open_buffer()
	check_error(writer.write(_values()[0]), ERR_INVALID_PARAMETER, "no framing")
	check(writer.get_error_message().contains("FRAMING_VARINT"), writer.get_error_message())
	var reader := _reader(VariantCodec.FORM_PACKED, VariantReader.FRAMING_NONE)
	reader.feed(PackedByteArray([1, 2, 3]))
	check(reader.next() != OK, "no framing")
	check(reader.get_error_message().contains("FRAMING_VARINT"), reader.get_error_message())


func test_files_and_packets() -> void:
	var writer := _writer(VariantCodec.FORM_PACKED)
	check_error(writer.open_file(PATH, VARINT), OK, "open_file")
	for value: Dictionary in _values():
		check_error(writer.write(value), OK, writer.get_error_message())
	check_error(writer.close(), OK, writer.get_error_message())
	var reader := _reader(VariantCodec.FORM_PACKED)
	check_error(reader.open_file(PATH), OK, "open_file")
	var found := []
	for value: Dictionary in reader:
		found.append(value)
	check_same(found, _values(), "of the file")
	var server := PacketPeerUDP.new()
	check_error(server.bind(0, "127.0.0.1"), OK, "bind")
	var client := PacketPeerUDP.new()
	client.connect_to_host("127.0.0.1", server.get_local_port())
	var sender := _writer(VariantCodec.FORM_PACKED)
	check_error(sender.open_packet_peer(client), OK, "open_packet_peer")
	check_error(sender.write(_values()[1]), OK, sender.get_error_message())
	sender.flush()
	var taker := _reader(VariantCodec.FORM_PACKED, VariantReader.FRAMING_NONE)
	var until := Time.get_ticks_msec() + 2000
	while taker.next() != OK and Time.get_ticks_msec() < until:
		taker.feed_packet_peer(server)
	check_same(taker.data, _values()[1], "of a packet")


func test_a_refused_value_leaves_the_stream_as_it_was() -> void:
	var writer := VariantWriter.new()
	writer.codec.form = VariantCodec.FORM_PACKED
	writer.codec.schema = VariantSchema.int(0, 9).check_with(func(value: int) -> bool: return value < 5)
	writer.open_buffer(VARINT)
	check_error(writer.write(4), OK, "write")
	var bytes := writer.get_buffer()
	check_same(writer.write(7), ERR_INVALID_DATA, "by the game's own check")
	check_same(writer.write(11), ERR_INVALID_DATA, "by the schema")
	check_bytes(writer.get_buffer(), bytes, "nothing was added")
	check_error(writer.write(4), OK, "write")
	check_bytes(writer.get_buffer(), bytes + bytes, "the next one")


func test_a_large_file_of_varint_frames() -> void:
	var writer := VariantWriter.new()
	writer.open_file(PATH, VARINT)
	for at: int in 40:
		check_error(writer.write("z".repeat(at * 1000)), OK, "write")
	check_error(writer.close(), OK, "close")
	var reader := VariantReader.new()
	reader.framing = VARINT
	reader.open_file(PATH)
	var sizes := []
	for text: String in reader:
		sizes.append(text.length())
	check_same(sizes, range(0, 40_000, 1000), "each is there")
