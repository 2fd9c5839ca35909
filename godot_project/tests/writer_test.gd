extends "engine_suite.gd"
## Tests VariantWriter as a user uses it: bytes, containers entry by entry, files that appear whole, slow
## peers. writer_faults_test.gd has crashes and full disks.

const NEEDS := {"test_a_peer_that_takes_little_at_a_time": "sockets"}
const Pair := preload("stream/pair.gd")
const PATH := "user://writer_test.bin"


func clean_up() -> void:
	super()
	for path: String in [PATH, PATH + ".bak"]:
		if FileAccess.file_exists(path):
			DirAccess.remove_absolute(path)


func test_values_are_written_as_the_engine_writes_them() -> void:
	var values: Array = [{"a": [1, 2.5]}, null, "text", PackedVector3Array([Vector3.ONE]), &"name", ^"a/b:c"]
	for framing in 3:
		var writer := VariantWriter.new()
		check_error(writer.open_buffer(framing), OK, "open_buffer")
		var engine := StreamPeerBuffer.new()
		engine.big_endian = framing == VariantReader.FRAMING_U32_BE
		for value: Variant in values:
			check_error(writer.write(value), OK, "write %s" % value)
			if framing == VariantReader.FRAMING_NONE:
				engine.put_data(var_to_bytes(value))
			else:
				engine.put_var(value)
		check_bytes(writer.get_buffer(), engine.data_array, "framing %d" % framing)


func test_containers_entry_by_entry() -> void:
	var value := {"list": [1, [2, "x"], {}], "map": {"k": [null]}, 5: true}
	for counts: bool in [false, true]:
		for framing in 3:
			var writer := VariantWriter.new()
			writer.open_buffer(framing)
			_write_in_parts(writer, value, counts)
			writer.write("behind")
			var whole := VariantWriter.new()
			whole.open_buffer(framing)
			whole.write(value)
			whole.write("behind")
			check_bytes(writer.get_buffer(), whole.get_buffer(), "counts %s, framing %d" % [counts, framing])


func test_files_of_parts() -> void:
	var value := []
	for i in 20000:
		value.append({"id": i, "text": "item %d" % i})
	for counts: bool in [false, true]:
		var writer := VariantWriter.new()
		check_error(writer.open_file(PATH, VariantReader.FRAMING_U32), OK, "open_file")
		_write_in_parts(writer, value, counts)
		check(writer.get_pending_bytes() < 70000, "%d bytes are in memory" % writer.get_pending_bytes())
		check(not FileAccess.file_exists(PATH), "the file is there before it is whole")
		check_error(writer.close(), OK, "close")
		var file := FileAccess.open(PATH, FileAccess.READ)
		check_same(file.get_var(), value, "the engine reads it, counts %s" % counts)
		check_same(file.get_position(), file.get_length(), "all of it")
		file.close()
		DirAccess.remove_absolute(PATH)


func test_wrong_order_and_wrong_numbers() -> void:
	var writer := VariantWriter.new()
	check_error(writer.write(1), ERR_UNCONFIGURED, "write to nothing")
	check_error(writer.open_buffer(7), ERR_INVALID_PARAMETER, "framing 7")
	check_error(writer.open_buffer(), OK, "open_buffer")
	check_error(writer.end(), ERR_INVALID_PARAMETER, "end of nothing")
	check_error(writer.write_key("a"), ERR_INVALID_PARAMETER, "a key without a dictionary")
	check_error(writer.call("begin_array", "three"), ERR_INVALID_PARAMETER, "a count that is a text")
	check_error(writer.begin_array(-2), ERR_INVALID_PARAMETER, "a count of -2")
	check_error(writer.begin_dictionary(1), OK, "begin_dictionary")
	check_error(writer.write(1), ERR_INVALID_PARAMETER, "a value without a key")
	check_error(writer.end(), ERR_INVALID_DATA, "an entry is missing")
	check_error(writer.write_key("a"), OK, "write_key")
	check_error(writer.write_key("b"), ERR_INVALID_PARAMETER, "two keys")
	check_error(writer.end(), ERR_INVALID_PARAMETER, "a value is missing")
	check_error(writer.begin_array(2), OK, "begin_array")
	check_error(writer.write(1), OK, "the first element")
	check_error(writer.end(), ERR_INVALID_DATA, "the second is missing")
	check_error(writer.write(2), OK, "the second element")
	check_error(writer.write(3), ERR_INVALID_DATA, "one too many")
	check(writer.get_error_message().contains("promised"), writer.get_error_message())
	check_error(writer.end(), OK, "end of the array")
	check_error(writer.write_entry("b", 1), ERR_INVALID_DATA, "one entry too many")
	check_error(writer.end(), OK, "end of the dictionary")
	check_bytes(writer.get_buffer(), var_to_bytes({"a": [1, 2]}), "the bytes")


func test_a_refusal_leaves_the_stream_as_it_was() -> void:
	var cycle := []
	cycle.append([cycle])
	var writer := VariantWriter.new()
	writer.open_buffer(VariantReader.FRAMING_U32)
	writer.write(1)
	var before := writer.get_buffer()
	check_error(writer.write(cycle), ERR_OUT_OF_MEMORY, "a cycle")
	check_bytes(writer.get_buffer(), before, "after the refusal")
	writer.begin_dictionary()
	var within := writer.get_position()
	check_error(writer.write_entry("k", cycle), ERR_OUT_OF_MEMORY, "a cycle as a value")
	check_same(writer.get_position(), within, "position after the refusal")
	check_error(writer.write_entry("k", 2), OK, "the entry without it")
	check_error(writer.end(), OK, "end")
	cycle.clear()
	var engine := StreamPeerBuffer.new()
	engine.put_var(1)
	engine.put_var({"k": 2})
	check_bytes(writer.get_buffer(), engine.data_array, "the stream")


func test_files_hold_nothing_that_no_load_lets_pass() -> void:
	var object := RefCounted.new()
	for value: Variant in [object, RID(), Signal(self, &"x"), Callable(self, &"clean_up")]:
		for way in 2:
			var writer := VariantWriter.new()
			writer.open_file(PATH if way == 0 else FileAccess.open(PATH, FileAccess.WRITE), VariantReader.FRAMING_U32)
			check_error(writer.write({"player": [value]}), ERR_INVALID_DATA, "a %s" % type_string(typeof(value)))
			check_same(writer.get_error().path, "player[0]", "where it stands")
			check_error(writer.write("plain"), OK, "write, after that")
			writer.begin_array()
			check_error(writer.write(value), ERR_INVALID_DATA, "as an element")
			check_error(writer.end(), OK, "end")
			check_error(writer.close(), OK, "close")
			writer = null
			check_same(_read_all(), ["plain", []], "the file")
		var writer := VariantWriter.new()
		writer.codec.limits = VariantLimits.engine()
		writer.open_file(PATH)
		check_error(writer.write([value]), OK, "where limits allow it")
		check_error(writer.close(), OK, "close")
		check_bytes(FileAccess.get_file_as_bytes(PATH), var_to_bytes([value]), "the file")
		writer = VariantWriter.new()
		writer.codec.limits = VariantLimits.engine()
		writer.open_buffer()
		check_error(writer.write([value]), OK, "into a buffer")
		check_bytes(writer.get_buffer(), var_to_bytes([value]), "the buffer")
	var writer := VariantWriter.new()
	writer.codec.full_objects = true
	writer.open_file(PATH)
	check_error(writer.write([object]), OK, "a full object")
	check_error(writer.close(), OK, "close")
	check_bytes(FileAccess.get_file_as_bytes(PATH), var_to_bytes_with_objects([object]), "the file")


## Tests that the message of a refused call says what to do.
func test_what_a_refused_call_says() -> void:
	var writer := VariantWriter.new()
	check_error(writer.write(1), ERR_UNCONFIGURED, "nothing is open")
	check_says(writer, "nothing is open: open_file(), open_buffer() or another open comes first")
	writer.open_buffer()
	for count: int in [-2, 1 << 31, -(1 << 40)]:
		check_error(writer.begin_array(count), ERR_INVALID_PARAMETER, "a count of %d" % count)
		check_says(writer, "count: expected int from 0 to 2147483647, or -1 for as many as will come, got int %d" % count)
	check_error(writer.call("begin_dictionary", "two"), ERR_INVALID_PARAMETER, "a text")
	check_says(writer, "count: expected int, got String")
	check_error(writer.end(), ERR_INVALID_PARAMETER, "end() of nothing")
	check_says(writer, "nothing to end: begin_array() or begin_dictionary() comes first")
	check_error(writer.write_key(1), ERR_INVALID_PARAMETER, "a key of nothing")
	check_says(writer, "a key outside of a Dictionary: begin_dictionary() comes first")
	check_error(writer.begin_dictionary(1), OK, "a dictionary")
	check_error(writer.write(1), ERR_INVALID_PARAMETER, "a value without a key")
	check_says(writer, "in a Dictionary the key comes first: write_key(), or write_entry() for both")
	check_error(writer.write_key("k"), OK, "a key")
	check_error(writer.end(), ERR_INVALID_PARAMETER, "an end without a value")
	check_says(writer, "the value of the last key is missing: write() adds it")
	check_error(writer.begin_array(0), OK, "an array")
	check_error(writer.write_entry(1, 1), ERR_INVALID_PARAMETER, "an entry of an array")
	check_says(writer, "an Array has no keys: write() adds an element")
	check_error(writer.write(1), ERR_INVALID_DATA, "an element too many")
	check_says(writer, "0 entries were promised, and this is one more")
	check_error(writer.close(), ERR_INVALID_PARAMETER, "close() in a container")
	check_says(writer, "a container was begun and not ended: end() comes before close()")


## Tests that the error of too many levels mentions a container that holds itself only for values, because bytes have
## an end.
func test_only_a_value_may_hold_itself() -> void:
	var codec := VariantCodec.new()
	codec.limits = VariantLimits.save_file()
	codec.limits.max_depth = 2
	check_error(codec.decode(var_to_bytes([[[]]])), ERR_OUT_OF_MEMORY, "deep bytes")
	check_says(codec, "[0][0]: expected at most 2 levels (max_depth), got more (byte 16)")
	check(codec.encode([[[]]]).is_empty(), "a deep value")
	check_says(codec, "[0][0]: expected at most 2 levels (max_depth), got more, or a container that holds itself")
	check_same(codec.get_error().got, "more, or a container that holds itself", "got")


func test_levels_that_were_begun_count() -> void:
	var writer := VariantWriter.new()
	writer.codec.limits = VariantLimits.save_file()
	writer.codec.limits.max_depth = 3
	writer.open_buffer()
	writer.begin_array()
	writer.begin_dictionary()
	check_error(writer.write_entry("a", [1]), ERR_OUT_OF_MEMORY, "a fourth level")
	check_says(writer, "[0]: expected at most 3 levels (max_depth), got 2 that were begun, and more in this value,"
			+ " or a container that holds itself")
	check_same([writer.write_key("a"), writer.begin_array()], [OK, OK], "a third level begun")
	for refused: Error in [writer.begin_array(), writer.write(1)]:
		check_error(refused, ERR_OUT_OF_MEMORY, "what stands in it")
		check_says(writer, "(root): expected at most 3 levels (max_depth), got 3 that were begun, and this value")
	check_same([writer.end(), writer.end(), writer.end()], [OK, OK, OK], "what goes on")


func check_says(told: Object, message: String) -> void:
	check_same(told.call("get_error_message"), message, "what it says")


func _read_all() -> Array:
	var values := []
	for value: Variant in VariantStream.read_file(PATH):
		values.append(value)
	return values


func test_a_file_appears_whole_or_not_at_all() -> void:
	var writer := VariantWriter.new()
	writer.keep_backup = true
	for turn in 3:
		writer.open_file(PATH)
		writer.write("turn %d" % turn)
		check_error(writer.close(), OK, "close")
	check_bytes(FileAccess.get_file_as_bytes(PATH), var_to_bytes("turn 2"), "the file")
	check_bytes(FileAccess.get_file_as_bytes(PATH + ".bak"), var_to_bytes("turn 1"), "the one before")
	writer.open_file(PATH)
	writer.begin_array()
	writer.write("never")
	check_error(writer.close(), ERR_INVALID_PARAMETER, "close inside of an array")
	writer.open_file(PATH)
	writer.write("never")
	check_error(writer.discard(), OK, "discard")
	writer.open_file(PATH)
	writer.write("never")
	expect_error("the writer ended without close()")
	writer = null
	check_bytes(FileAccess.get_file_as_bytes(PATH), var_to_bytes("turn 2"), "the file after all that")
	check_same(_leftovers(), [], "temporary files")


## Tests that a refused value does not replace the old file.
func test_a_refused_value_leaves_the_old_file() -> void:
	var path := "user://refused_save.bin"
	var writer := VariantWriter.new()
	check_error(writer.open_file(path), OK, "open")
	check_error(writer.write("good"), OK, "write")
	check_error(writer.close(), OK, "close")
	for framing: int in [VariantReader.FRAMING_NONE, VariantReader.FRAMING_U32]:
		check_error(writer.open_file(path, framing), OK, "open")
		check_error(writer.write([self]), ERR_INVALID_DATA, "an object")
		check_error(writer.write(Callable(self, &"free")), ERR_INVALID_DATA, "a Callable")
		check_error(writer.close(), ERR_INVALID_DATA, "close tells the first refusal")
		check_same(writer.get_error().path, "[0]", "of that value")
		check_same(FileAccess.get_file_as_bytes(path), var_to_bytes("good"), "the old file")
		check_error(writer.close(), OK, "once")
	writer.open_file(path)
	writer.write([self])
	writer.write("better")
	check_error(writer.close(), OK, "something is in it")
	check_same(FileAccess.get_file_as_bytes(path), var_to_bytes("better"), "the new file")
	writer.open_file(path)
	check_error(writer.close(), OK, "nothing was to be in it")
	check_same(FileAccess.get_file_as_bytes(path), PackedByteArray(), "an empty file")
	DirAccess.remove_absolute(path)


func test_compressed_and_encrypted_files() -> void:
	var key := PackedByteArray(range(32))
	for way in 2:
		var open := func(mode: FileAccess.ModeFlags) -> FileAccess:
			return (FileAccess.open_compressed(PATH, mode, FileAccess.COMPRESSION_ZSTD) if way == 0 else
				FileAccess.open_encrypted(PATH, mode, key))
		var writer := VariantWriter.new()
		check_error(writer.open_file(open.call(FileAccess.WRITE), VariantReader.FRAMING_U32), OK, "open_file")
		_write_in_parts(writer, {"a": range(1000)}, false)
		check_error(writer.close(), OK, "close")
		writer = VariantWriter.new()  # the file ends with its last holder
		var file: FileAccess = open.call(FileAccess.READ)
		check_same(file.get_var(), {"a": range(1000)}, "the engine reads way %d" % way)


## Tests a slow peer: the system's buffers fill up, the writer keeps the rest, and refuses when it has enough.
func test_a_peer_that_takes_little_at_a_time() -> void:
	var pair := Pair.new()
	if not check(pair.error.is_empty(), pair.error):
		return
	var writer := VariantWriter.new()
	writer.max_pending_bytes = 100000
	check_error(writer.open_peer(pair.near, VariantReader.FRAMING_U32), OK, "open_peer")
	var value := PackedByteArray()
	value.resize(50000)
	var frame := StreamPeerBuffer.new()
	frame.put_var(value)
	var written := 0
	while writer.write(value) == OK and written < 2000:
		written += 1
	check(written > 2 and written < 2000, "%d values before it is full" % written)
	check(writer.get_error_message().contains("peer"), writer.get_error_message())
	check(writer.get_pending_bytes() < 200000, "%d bytes wait" % writer.get_pending_bytes())
	check_error(writer.close(), ERR_BUSY, "close")
	check(writer.is_open(), "it is still open")
	var got := PackedByteArray()
	var until := Time.get_ticks_msec() + 10000
	while got.size() < written * frame.get_size() and Time.get_ticks_msec() < until:
		pair.poll()
		got += pair.far.get_partial_data(70000)[1]
		writer.flush()
	check_error(writer.close(), OK, "close, when there is room")
	var right := 0
	for i in written:
		right += int(got.slice(i * frame.get_size(), (i + 1) * frame.get_size()) == frame.data_array)
	check_same([right, got.size()], [written, written * frame.get_size()], "values that arrived, and bytes")


func test_wrong_targets() -> void:
	var writer := VariantWriter.new()
	check_error(writer.open_file(5), ERR_INVALID_PARAMETER, "a number as a file")
	check_error(writer.open_peer(null), ERR_INVALID_PARAMETER, "no peer")
	check_error(writer.call("open_packet_peer", StreamPeerBuffer.new()), ERR_INVALID_PARAMETER, "a stream as packets")
	check_error(writer.open_file("user://there/is/none.bin"), ERR_FILE_BAD_PATH, "no folder")
	check_error(writer.open_peer(StreamPeerTCP.new(), VariantReader.FRAMING_U32), OK, "a peer without connection")
	check_error(writer.write(1), ERR_CONNECTION_ERROR, "write to it")


func test_jobs() -> void:
	var state := {"hp": 80, "items": range(20000)}
	var save: VariantJob = VariantStream.save_file_async(PATH, state)
	var saved := state.duplicate(true)
	state.clear()
	check_error(save.wait(), OK, "save")
	check_same([save.is_done(), save.progress, save.data, save.get_error()], [true, 1.0, null, {}], "after the save")
	var file := FileAccess.open(PATH, FileAccess.READ)
	check_same(file.get_var(), saved, "what the engine reads")
	file.close()
	var load: VariantJob = VariantStream.load_file_async(PATH)
	check_error(load.wait(), OK, "load")
	check_same([load.data, load.progress, load.is_done()], [saved, 1.0, true], "what was loaded")
	var cancelled: VariantJob = VariantStream.load_file_async(PATH)
	cancelled.cancel()
	check(cancelled.wait() in [OK, ERR_SKIP], "a cancelled job")
	var job: VariantJob = VariantStream.load_file_async("user://none.bin")
	check_error(job.wait(), ERR_FILE_NOT_FOUND, "load none.bin")
	check(not job.get_error_message().is_empty() and job.data == null, "it says why")


static func _write_in_parts(writer: VariantWriter, value: Variant, counts: bool) -> void:
	if value is Array:
		writer.begin_array(value.size() if counts else -1)
		for element: Variant in value:
			_write_in_parts(writer, element, counts)
		writer.end()
	elif value is Dictionary:
		writer.begin_dictionary(value.size() if counts else -1)
		for key: Variant in value:
			writer.write_key(key)
			_write_in_parts(writer, value[key], counts)
		writer.end()
	else:
		writer.write(value)


static func _leftovers() -> Array:
	return Array(DirAccess.get_files_at("user://")).filter(
			func(name: String) -> bool: return name.ends_with(".tmp"))


func test_a_schema_lets_nothing_else_into_a_stream() -> void:
	var schema := VariantSchema.dict({"hp": VariantSchema.int(0, 100)})
	var good := var_to_bytes({"hp": 80})
	for framing: int in [VariantReader.FRAMING_NONE, VariantReader.FRAMING_U32]:
		var writer := VariantWriter.new()
		writer.codec.schema = schema
		writer.open_buffer(framing)
		check_error(writer.write({"hp": 80}), OK, "what fits")
		var before := writer.get_buffer()
		check(before.slice(-good.size()) == good, "its bytes")
		check(writer.write({"hp": 800}) != OK, "another is written")
		check_same([writer.get_error().path, writer.get_depth()], ["hp", 0], "where")
		check_bytes(writer.get_buffer(), before, "after it was refused")
		writer.begin_dictionary()
		writer.write_entry("hp", 801)
		check(writer.end() != OK, "one that was begun is written")
		check_same([writer.get_error().path, writer.get_depth()], ["hp", 0], "where")
		check_bytes(writer.get_buffer(), before, "after its end was refused")
		writer.begin_dictionary(1)
		writer.write_key("hp")
		check_error(writer.write(9), OK, "the value of an entry")
		check_error(writer.end(), OK, "one that was begun and fits")
		check_same(writer.get_buffer().size(), before.size() * 2, "both")


## Nothing of a value goes to the file before it is checked, however large, and what stood there stays.
func test_a_schema_guards_a_file() -> void:
	var writer := VariantWriter.new()
	writer.keep_backup = true
	for turn in 2:
		writer.open_file(PATH)
		writer.write("save %d" % turn)
		writer.close()
	writer.codec.schema = VariantSchema.dict({"list": VariantSchema.array(VariantSchema.int()), "end": VariantSchema.bool()})
	writer.open_file(PATH, VariantReader.FRAMING_U32)
	writer.begin_dictionary()
	writer.write_key("list")
	check_error(writer.write(range(100000)), OK, "most of it")
	writer.write_entry("end", "no bool")
	check(writer.end() != OK, "what no load takes")
	check(writer.close() != OK, "there is nothing to save")
	check(writer.get_error_message().contains("end"), writer.get_error_message())
	check_same(VariantStream.decode(FileAccess.get_file_as_bytes(PATH)), "save 1", "the file")
	check_same(VariantStream.decode(FileAccess.get_file_as_bytes(PATH + ".bak")), "save 0", "the backup")
	check(writer.codec.schema != null, "it stays")
	writer.codec.schema = null
	check(writer.codec.schema == null, "it can be taken away")


func test_a_writer_that_goes_without_close_warns() -> void:
	expect_error("writer_test.bin: the writer ended without close(), and the file is as it was before")
	_write_and_go(PATH)
	check(not FileAccess.file_exists(PATH), "a file is there")
	# Nothing was to be saved, or on purpose not.
	VariantWriter.new().open_file(PATH)
	var writer := VariantWriter.new()
	writer.open_file(PATH)
	writer.write(1)
	writer.discard()
	writer.open_buffer()
	writer.write(1)
	writer = null


func test_a_writer_that_opens_another_file_warns_of_the_first() -> void:
	expect_error("the writer ended without close(), and its end may be missing")
	var writer := VariantWriter.new()
	writer.open_file(FileAccess.open(PATH, FileAccess.WRITE))
	check_error(writer.write(1), OK, "into the first")
	check_error(writer.open_buffer(), OK, "another")


func _write_and_go(path: String) -> void:
	var writer := VariantWriter.new()
	writer.open_file(path)
	writer.write({"hp": 80})
