extends "engine_suite.gd"
## Tests that a reader with a time budget checks and builds a value under a schema in slices, one each call.
## The outcome is that of one call, and a script may use the reader in between.

const COUNT := 12000

var _bytes := PackedByteArray()


func _init() -> void:
	super()
	_bytes = var_to_bytes(_value())


func test_what_is_filled_in_and_typed() -> void:
	var schema := VariantSchema.array(_entry()).typed()
	for framing: int in [VariantReader.FRAMING_NONE, VariantReader.FRAMING_U32]:
		for strictness: int in [VariantCodec.SAFE, VariantCodec.ENGINE]:
			var reader := _reader(schema, framing, strictness)
			var pauses := _read_on(reader)
			check(pauses > 5, "%d pauses behind the last byte" % pauses)
			check_same(reader.get_status(), VariantReader.READY, reader.get_error_message())
			var codec := _codec(schema, strictness)
			check_error(codec.decode(_bytes), OK, "in one go")
			check_same(reader.data, codec.data, "the value")
			check_same([reader.data[0], reader.data.get_typed_builtin()], [{"id": 0, "name": "n0", "hp": 100}, TYPE_DICTIONARY], "its first element")
			_read_on(reader)
			check_same(reader.data.size(), 0, "the next value")


func test_what_is_wrong_at_the_very_end() -> void:
	var schema := VariantSchema.array(VariantSchema.dict({"id": VariantSchema.int(0, COUNT - 2), "name": VariantSchema.string()}))
	for strictness: int in [VariantCodec.SAFE, VariantCodec.ENGINE]:
		var reader := _reader(schema, VariantReader.FRAMING_U32, strictness)
		check(_read_on(reader) > 1, "it takes its time")
		var codec := _codec(schema, strictness)
		check_error(codec.decode(_bytes), ERR_INVALID_DATA, "it is wrong")
		var wanted := codec.get_error()
		for part: String in wanted:
			check_same(reader.get_error().get(part), wanted[part], part)
		check_same([reader.get_status(), reader.data], [VariantReader.REJECTED, null], "it is refused")
		_read_on(reader)
		check_same([reader.get_status(), reader.data], [VariantReader.READY, []], "the stream is in step")


func test_a_check_of_the_games_own() -> void:
	var asked := []
	var refuse := func(value: Array) -> bool:
		asked.append(value.size())
		return asked.size() > 1
	var schema := VariantSchema.array(_entry()).check_with(refuse)
	var reader := _reader(schema, VariantReader.FRAMING_U32)
	_read_on(reader)
	check_same([reader.get_status(), asked], [VariantReader.REJECTED, [COUNT]], "the first one")
	check(reader.get_error_message().contains("check_with()"), reader.get_error_message())
	reader.clear()
	reader.feed(_stream(VariantReader.FRAMING_U32))
	_read_on(reader)
	check_same([reader.get_status(), asked], [VariantReader.READY, [COUNT, COUNT]], reader.get_error_message())


func test_in_a_pause() -> void:
	var reader := _begun(VariantSchema.array(_entry()), _bytes + var_to_bytes([]), _bytes.size())
	check_same([reader.get_status(), reader.data, reader.has_partial_value()], [VariantReader.BUSY, null, true], "in a pause")
	check_error(reader.enter(), ERR_DOES_NOT_EXIST, "it was begun")
	check_error(reader.next(), ERR_BUSY, "it goes on all the same")
	# A schema that is set now is for the next value.
	reader.codec.schema = VariantSchema.dict({})
	reader.codec.limits = VariantLimits.network()
	_read_on(reader)
	check_same([reader.get_status(), reader.has_partial_value()], [VariantReader.READY, false], reader.get_error_message())
	check_same(reader.data.size(), COUNT, "the value")
	_read_on(reader)
	check_same(reader.get_status(), VariantReader.REJECTED, reader.get_error_message())


func test_a_value_that_is_passed_over() -> void:
	var reader := _begun(VariantSchema.array(_entry()), _bytes + var_to_bytes([]), _bytes.size())
	check_error(reader.skip(), OK, "skip")
	check_same([reader.data, reader.has_partial_value()], [null, false], "nothing of it is left")
	_read_on(reader)
	check_same(reader.data, [], "the next one")
	reader.clear()
	check_same(reader.has_partial_value(), false, "a new stream")


func test_entries_with_keys() -> void:
	var value := {"a": _value(), 2: _value(), "c": []}
	for passing: String in ["none", "skip", "leave", "no budget"]:
		# The value begins behind the header, the count and the key.
		var reader := _begun(VariantSchema.array(_entry()), var_to_bytes(value) + var_to_bytes([]), 20 + _bytes.size())
		match passing:
			"skip":
				check_error(reader.skip(), OK, passing)
			"leave":
				reader.time_budget_usec = 0
				check_error(reader.leave(), OK, passing)
				check_same([reader.get_depth(), reader.key], [0, null], passing)
				check_error(reader.next(), OK, "behind it")
				continue
			"no budget":
				reader.time_budget_usec = 0
				check_error(reader.next(), OK, passing)
				check_same([reader.key, reader.data.size()], ["a", COUNT], passing)
			"none":
				_read_on(reader)
				check_same([reader.key, reader.data.size()], ["a", COUNT], passing)
		_read_on(reader)
		check_same([reader.key, reader.data.size()], [2, COUNT], passing)
		_read_on(reader)
		check_same([reader.key, reader.data], ["c", []], passing)
		while reader.leave() == ERR_BUSY:
			pass
		check_same(reader.get_depth(), 0, passing)


func test_poll_goes_on() -> void:
	var reader := _reader(VariantSchema.array(_entry()), VariantReader.FRAMING_U32)
	var got := []
	reader.value_received.connect(func(value: Variant) -> void: got.append(value.size()))
	var polls := 0
	while got.size() < 2 and polls < 100000:
		reader.poll()
		polls += 1
	check(polls > 5, "%d polls" % polls)
	check_same(got, [COUNT, 0], "both values")


## Makes a reader that has read all bytes of the value, and not built it yet.
func _begun(schema: VariantSchema, stream: PackedByteArray, end: int) -> VariantReader:
	var reader := _reader(schema, VariantReader.FRAMING_NONE)
	reader.clear()
	reader.feed(stream.slice(0, end - 1))
	if stream != _bytes + var_to_bytes([]):
		check_error(reader.enter(), OK, "enter")
	_read_on(reader)
	check_same(reader.get_status(), VariantReader.NEED_MORE, "all but a byte is there")
	reader.feed(stream.slice(end - 1))
	check_error(reader.next(), ERR_BUSY, "it is begun")
	return reader


## Reads on and returns how often it stopped.
func _read_on(reader: VariantReader) -> int:
	var pauses := 0
	while reader.next() == ERR_BUSY:
		pauses += 1
	return pauses


func _reader(schema: VariantSchema, framing: int, strictness := VariantCodec.SAFE) -> VariantReader:
	var reader := VariantReader.new()
	reader.codec.limits = VariantLimits.engine()
	reader.codec.strictness = strictness
	reader.framing = framing
	reader.codec.schema = schema
	reader.time_budget_usec = 20
	reader.feed(_stream(framing))
	return reader


## Makes a stream of the value and an empty array.
func _stream(framing: int) -> PackedByteArray:
	var empty := var_to_bytes([])
	if framing == VariantReader.FRAMING_NONE:
		return _bytes + empty
	return _length(_bytes) + _bytes + _length(empty) + empty


static func _length(bytes: PackedByteArray) -> PackedByteArray:
	var length := PackedByteArray([0, 0, 0, 0])
	length.encode_u32(0, bytes.size())
	return length


static func _codec(schema: VariantSchema, strictness: int) -> VariantCodec:
	var codec := VariantCodec.new()
	codec.limits = VariantLimits.engine()
	codec.strictness = strictness
	codec.schema = schema
	return codec


static func _entry() -> VariantSchema:
	return VariantSchema.dict({"id": VariantSchema.int(), "name": VariantSchema.string(), "hp": VariantSchema.int().optional(100)})


static func _value() -> Array:
	var value := []
	for i in COUNT:
		value.append({"id": i, "name": "n%d" % i})
	return value
