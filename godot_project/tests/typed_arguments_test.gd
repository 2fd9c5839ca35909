extends "engine_suite.gd"
## Arguments that are declared with a type: the editor refuses a wrong one, an untyped script gets an error value, and the
## calls of typed and of untyped scripts have one answer.

const HEAD := "extends RefCounted\nfunc run() -> void:\n\t"
## Wrong calls, by the right ones that they are made of.
const WRONG := {
	"VariantStream.decode(PackedByteArray(), {})": ["VariantStream.decode(\"text\", {})"],
	"VariantStream.decode_as(VariantStream.GODOT_3, PackedByteArray())": [
			"VariantStream.decode_as(\"three\", PackedByteArray())", "VariantStream.decode_as(VariantStream.GODOT_3, \"text\")"],
	"VariantStream.transcode(PackedByteArray(), 0, 1)": ["VariantStream.transcode([], {}, 1)"],
	"VariantStream.dump(PackedByteArray())": ["VariantStream.dump(7)", "VariantStream.to_json(\"{}\")",
			"VariantStream.size_report(7)", "VariantStream.guess_dialect(\"text\")"],
	"VariantStream.from_json(\"{}\")": ["VariantStream.from_json({})"],
	"VariantStream.save_file_async(\"user://a\", 1, true, VariantSchema.int())": [
			"VariantStream.save_file_async(\"user://a\", 1, \"yes\")", "VariantStream.save_file_async(\"user://a\", 1, true, \"x\")"],
	"VariantCodec.new().decode(PackedByteArray(), 4)": ["VariantCodec.new().decode(\"text\")", "VariantCodec.new().decode(null, 4)",
			"VariantCodec.new().decode_into({}, \"text\")", "VariantCodec.new().validate(7)", "VariantCodec.new().apply_delta(\"text\")",
			"VariantCodec.new().get_errors(\"all\")"],
	"VariantReader.new().feed_peer(StreamPeerTCP.new())": ["VariantReader.new().feed_peer(7)",
			"VariantReader.new().feed_packet_peer(StreamPeerTCP.new())"],
	"VariantWriter.new().open_peer(StreamPeerTCP.new(), VariantReader.FRAMING_U32)": [
			"VariantWriter.new().open_peer(PacketPeerUDP.new())", "VariantWriter.new().open_buffer(\"u32\")",
			"VariantWriter.new().open_packet_peer(StreamPeerTCP.new())", "VariantWriter.new().begin_array([])"],
	"VariantSchema.int().unpack(PackedByteArray())": ["VariantSchema.int().unpack(\"text\")"],
	"VariantSchema.dict({\"a\": VariantSchema.array(null)})": ["VariantSchema.dict([])", "VariantSchema.array({})", "VariantSchema.tuple(null)",
			"VariantSchema.union(1)", "VariantSchema.map(VariantSchema.int(), 7)", "VariantSchema.ref(3)", "VariantSchema.from_json(null)",
			"VariantSchema.discriminated(\"kind\", null)", "VariantSchema.from_script(Node)"],
	"VariantSchema.string().pattern(\"a\").max_chars(3).describe(&\"text\")": ["VariantSchema.string().pattern(null)",
			"VariantSchema.array().max_size(\"5\")", "VariantSchema.int().check_with(\"is_good\")", "VariantSchema.int().describe(null)",
			"VariantSchema.float().quantized(\"0.1\")", "VariantSchema.any().define(\"a\", {})"],
	"VariantClassSet.new().version(\"a\", 2)": ["VariantClassSet.new().version(\"a\", \"2\")", "VariantClassSet.new().alias(\"a\", \"b\")",
			"VariantClassSet.new().rename(\"a\", [])", "VariantClassSet.new().forget(\"a\", \"b\")",
			"VariantClassSet.new().migrate(\"a\", 1, \"step\")", "VariantClassSet.new().property(7, \"b\", VariantSchema.int())"],
	"VariantSave.new().rename(1, {\"a\": \"b\"}, \"Item\")": ["VariantSave.new().rename(1, [\"a\", \"b\"])",
			"VariantSave.new().forget(1, \"a\")", "VariantSave.new().migrate(1, func(_d: Variant) -> Variant: return 1, VariantSchema.int())"],
	"VariantProtocol.new().add(&\"a\", VariantSchema.int(), {\"rate\": 1})": ["VariantProtocol.new().add(&\"a\", VariantSchema.int(), 5)",
			"VariantProtocol.new().attach(null, [])"],
}


## Tests by the editor's own parser, which also marks a line while it is typed.
func test_the_editor_refuses_a_wrong_type() -> void:
	for right: String in WRONG:
		check_error(_compiled(right), OK, right)
		for wrong: String in WRONG[right]:
			check_error(_compiled(wrong), ERR_PARSE_ERROR, wrong)


## Tests what no parser sees: the engine says which argument is wrong, the call does nothing, and the game goes on.
func test_a_wrong_type_at_run_time_is_an_error_of_the_engine() -> void:
	expect_error("cannot convert")
	expect_script_error("Invalid call error code")
	var gone := Object.new()
	gone.free()
	var schema := VariantSchema.string()
	var classes := VariantClassSet.new()
	var save := VariantSave.new()
	for wrong: Variant in [null, 7, {}, RefCounted.new(), gone, PackedByteArray()]:
		for call: Callable in [schema.pattern.bind(wrong), schema.describe.bind(wrong), classes.forget_class.bind(wrong),
				classes.rename.bind(&"a", wrong) if typeof(wrong) != TYPE_DICTIONARY else classes.alias.bind(&"a", wrong),
				save.forget.bind(1, wrong) if typeof(wrong) != TYPE_PACKED_BYTE_ARRAY else save.rename.bind(1, wrong)]:
			check_same(_answer(call), null, "%s" % call)
	check(classes.is_well_formed() and schema.is_valid("text"), "nothing was done")


## Returns null where the engine breaks the call off, and this function with it.
static func _answer(call: Callable) -> Variant:
	return call.call()


## Tests null where a script says the right type: it is a mistake that says so, or the engine's error.
func test_null_for_an_object_is_a_mistake_in_words() -> void:
	var none: VariantSchema = null
	for schema: VariantSchema in [VariantSchema.map(none, none), VariantSchema.any().define("a", none), VariantSchema.packed_byte_array().elements(none)]:
		check(str(schema.get_build_errors()[0].message).ends_with("expected a VariantSchema, got null"), str(schema.get_build_errors()))
	var writer := VariantWriter.new()
	var peer: StreamPeer = null
	check_error(writer.open_peer(peer), ERR_INVALID_PARAMETER, "no peer")
	check_same(writer.get_error_message(), "peer: expected StreamPeer, got null", "the words")
	# All arguments have just the types that are declared: the engine then hands over plain pointers.
	var packets: PacketPeer = PacketPeerUDP.new()
	check_error(writer.open_packet_peer(packets), OK, "a peer: " + writer.get_error_message())
	packets = null
	check_error(writer.open_packet_peer(packets), ERR_INVALID_PARAMETER, "no peer any more")
	check_error(VariantReader.new().feed_packet_peer(packets), ERR_INVALID_PARAMETER, "no peer to read")
	var tcp := StreamPeerTCP.new()
	check_error(writer.open_peer(tcp, VariantReader.FRAMING_U32), OK, "a peer: " + writer.get_error_message())
	check_error(writer.call("open_peer", RefCounted.new()), ERR_INVALID_PARAMETER, "another object, untyped")
	check_error(writer.call("open_buffer", 9), ERR_INVALID_PARAMETER, "no framing, untyped")


func test_an_untyped_script_gets_an_error_value() -> void:
	for wrong: Variant in ["text", 7, null, [1], {}]:
		check_same(VariantStream.decode(wrong, &"fallback"), &"fallback", "decode(%s)" % wrong)
		check_same(VariantStream.get_last_error().get("code"), VariantCodec.INVALID_ARGUMENT, "decode(%s)" % wrong)
		check_same(VariantStream.dump(wrong), "", "dump(%s)" % wrong)
		check_same(VariantStream.get_last_error().get("code"), VariantCodec.INVALID_ARGUMENT, "dump(%s)" % wrong)
		check_error(VariantCodec.new().decode_into({}, wrong), ERR_INVALID_PARAMETER, "decode_into(%s)" % wrong)
		check_error(VariantCodec.new().decode(wrong), ERR_INVALID_PARAMETER, "decode(%s) of a codec" % wrong)
		check_error(VariantCodec.new().validate(wrong, 0), ERR_INVALID_PARAMETER, "validate(%s)" % wrong)
		check_same(VariantSchema.int(0, 9).unpack(wrong, &"fallback"), &"fallback", "unpack(%s)" % wrong)
		check_same(VariantCodec.new().apply_delta(wrong), PackedByteArray(), "apply_delta(%s)" % wrong)
	for wrong: Variant in ["text", null, PackedByteArray()]:
		check_same(VariantStream.transcode(var_to_bytes(1), wrong, 0), PackedByteArray(), "transcode from %s" % wrong)
		check_same(VariantStream.get_last_error().get("code"), VariantCodec.INVALID_ARGUMENT, "transcode from %s" % wrong)


## All arguments have a type here, so that the engine hands over plain values and no Variants.
func test_typed_calls_are_answered_as_untyped_ones() -> void:
	var bytes: PackedByteArray = var_to_bytes({"hp": 80, "list": [1, 2.5, "text"]})
	var json: String = VariantStream.to_json(bytes)
	var from: int = VariantStream.GODOT_4
	var to: int = VariantStream.GODOT_3
	var untyped: Array = [bytes, json, from, to]
	check_same(VariantStream.dump(bytes), VariantStream.dump(untyped[0]), "dump")
	check_same(json, VariantStream.to_json(untyped[0]), "to_json")
	check_bytes(VariantStream.from_json(json), bytes, "from_json")
	check_bytes(VariantStream.from_json(untyped[1]), bytes, "from_json, untyped")
	check_same(VariantStream.size_report(bytes), VariantStream.size_report(untyped[0]), "size_report")
	var old: PackedByteArray = VariantStream.transcode(bytes, from, to)
	check_bytes(old, VariantStream.transcode(untyped[0], untyped[2], untyped[3]), "transcode")
	check_same(VariantStream.decode_as(to, old, null), bytes_to_var(bytes), "decode_as")
	for turn in 1000:
		VariantStream.dump(bytes)
	check_bytes(bytes, var_to_bytes({"hp": 80, "list": [1, 2.5, "text"]}), "the bytes after a thousand calls")


## The compiler's messages are kept out of the log: the test command takes a script error there for a broken suite.
func _compiled(line: String) -> Error:
	var script := GDScript.new()
	script.source_code = HEAD + line + "\n"
	Engine.print_error_messages = false
	var answer := script.reload()
	Engine.print_error_messages = true
	return answer
