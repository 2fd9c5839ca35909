extends "engine_suite.gd"
## Arguments that are declared with a type: the editor refuses a wrong one, an untyped script gets an error value, and the
## calls of typed and of untyped scripts have one answer.

const HEAD := "extends RefCounted\nfunc run() -> void:\n\t"
const WRONG: PackedStringArray = [
	"VariantStream.decode(\"text\", {})", "VariantStream.decode_as(\"three\", PackedByteArray())",
	"VariantStream.decode_as(VariantStream.GODOT_3, \"text\")", "VariantStream.transcode([], {}, 1)",
	"VariantStream.dump(7)", "VariantStream.to_json(\"{}\")", "VariantStream.from_json({})", "VariantStream.size_report(7)",
	"VariantCodec.new().decode_into({}, \"text\")", "VariantCodec.new().decode(\"text\")", "VariantCodec.new().decode(null, 4)",
	"VariantCodec.new().validate(7)", "VariantSchema.int().unpack(\"text\")",
	"VariantCodec.new().apply_delta(\"text\")",
]


func test_the_editor_refuses_a_wrong_type() -> void:
	check_error(_compiled("VariantStream.decode(PackedByteArray(), {})"), OK, "a right type")
	for line in WRONG:
		check_error(_compiled(line), ERR_PARSE_ERROR, line)


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
