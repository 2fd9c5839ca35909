extends "engine_suite.gd"
## The codec of readers and writers: made with them, given to several, and replaced in the middle of a stream.


func test_each_stream_has_a_codec_of_its_own() -> void:
	var reader := VariantReader.new()
	var writer := VariantWriter.new()
	check(reader.codec != null and reader.codec == reader.codec, "one, and the same at each look")
	check(reader.codec != VariantReader.new().codec, "of one reader")
	check(writer.codec != null and writer.codec != VariantWriter.new().codec, "of one writer")
	var kept := reader.codec
	reader = null
	kept.limits = VariantLimits.network()
	check_error(kept.decode(var_to_bytes(7)), OK, "it outlives its reader")
	check_same(kept.data, 7, "and decodes")


func test_one_codec_goes_to_several() -> void:
	var codec := VariantCodec.new()
	var readers: Array[VariantReader] = []
	for i in 2:
		var reader := VariantReader.new()
		reader.framing = VariantReader.FRAMING_U32
		reader.codec = codec
		reader.feed(hex("08000000") + var_to_bytes(7) + hex("08000000") + var_to_bytes(8))
		readers.append(reader)
		check_error(reader.next(), OK, "no schema yet")
	codec.schema = VariantSchema.string()
	for reader in readers:
		check(reader.codec == codec, "the one that was given")
		check_error(reader.next(), ERR_INVALID_DATA, "what is set on it holds for all, from the next value on")
		check_same(reader.get_status(), VariantReader.REJECTED, "the stream goes on")


func test_another_codec_in_the_middle_of_a_stream() -> void:
	var reader := VariantReader.new()
	reader.framing = VariantReader.FRAMING_U32
	for i in 4:
		reader.feed(hex("08000000") + var_to_bytes(i))
	check_error(reader.next(), OK, "by its own")
	var strict := VariantCodec.new()
	strict.schema = VariantSchema.int(0, 0)
	reader.codec = strict
	strict = null
	check_error(reader.next(), ERR_INVALID_DATA, "by another, which it keeps")
	reader.codec = null
	check_same(reader.codec.schema, null, "null is a new one")
	check_error(reader.next(), OK, "by that")
	check_same(reader.data, 2, "the value after the refused one")


func test_what_a_writer_writes_a_reader_of_its_codec_reads() -> void:
	var value := {"b": [1, {"deep": true}], "a": Vector2(1, 2), "c": PackedByteArray([1, 2])}
	for dialect: VariantStream.Dialect in [VariantStream.GODOT_4, VariantStream.GODOT_3, VariantStream.DOCUMENTED]:
		for schema: VariantSchema in [null, VariantSchema.any(), VariantSchema.dict({"a": VariantSchema.vector2()}).open()]:
			var codec := VariantCodec.new()
			codec.dialect = dialect
			codec.schema = schema
			codec.sort_keys = true
			var writer := VariantWriter.new()
			writer.codec = codec
			writer.open_buffer(VariantReader.FRAMING_U32)
			check_error(writer.write(value), OK, "whole: " + writer.get_error_message())
			check_error(writer.begin_dictionary(), OK, "entry by entry")
			for key: String in value:
				check_error(writer.write_entry(key, value[key]), OK, key)
			check_error(writer.end(), OK, "ended: " + writer.get_error_message())
			var bytes := writer.get_buffer()
			check_same(bytes.slice(4, 4 + bytes.decode_u32(0)), codec.encode(value), "the codec's own bytes, in one order")
			var reader := VariantReader.new()
			reader.codec = codec
			reader.framing = VariantReader.FRAMING_U32
			reader.feed(bytes)
			for i in 2:
				check_error(reader.next(), OK, "dialect %d: %s" % [dialect, reader.get_error_message()])
				check(reader.data == value, "dialect %d: %s" % [dialect, reader.data])
