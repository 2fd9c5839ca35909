extends "suite.gd"
## Tests Godot 3, the published pages and older versions of Godot 4 from a script. Recordings of 3.2.3 and 3.6
## decode to values of this engine and encode to the same bytes. The Rust tests check the meaning of the bytes
## one by one (tests/tests/dialects.rs).

## The reason why run.gd skips this suite in a packed game.
const EDITOR_ONLY := "reads recordings of the checkout"

const Oracle := preload("res://addons/variant_stream/ci/oracle.gd")

const RECORDINGS: Array[String] = ["godot3_2", "godot3_6"]

## Godot 3's names of types that have other names in this engine.
const NEW_NAMES := {
	"Quat": "Quaternion", "Transform": "Transform3D", "PoolByteArray": "PackedByteArray",
	"PoolIntArray": "PackedInt32Array", "PoolRealArray": "PackedFloat32Array",
	"PoolStringArray": "PackedStringArray", "PoolVector2Array": "PackedVector2Array",
	"PoolVector3Array": "PackedVector3Array", "PoolColorArray": "PackedColorArray",
}

## Cases that are written again as other bytes: a mark that is dropped when it is read, a path that Godot 3
## does not keep absolute, text that no String can hold here.
const CHANGED: Array[String] = ["string_24", "node_path_02", "string_17", "string_18", "string_21", "string_22",
	"string_23"]

## Cases beyond save_file(): a hundred levels, and an array that holds an RID.
const REFUSED_BY_LIMITS: Array[String] = ["array_14", "array_16"]


func test_recordings_come_out_as_values_of_this_engine() -> void:
	for file in RECORDINGS:
		var cases := _cases(file)
		check(cases.size() == 239, "%s holds %d cases" % [file, cases.size()])
		for case: Dictionary in cases:
			var codec := _godot_3()
			var what := "%s %s" % [file, case.name]
			var returned := codec.decode(_bytes(case.hex))
			if case.hex != "00000000" and case.get("with_objects", false):
				# One of these cases is an Array that holds the object.
				check_error(returned, ERR_INVALID_DATA, what)
				continue
			check_error(returned, OK, what)
			var wanted: String = NEW_NAMES.get(case.type, case.type)
			var is_null: bool = case.hex == "00000000"
			check(type_string(typeof(codec.data)) == ("Nil" if is_null else wanted), "%s is a %s" % [what, wanted])


## Tests a save of an exported game of Godot 3, which writes `null` as an object that is not there, with full objects too.
func test_nulls_of_exported_games() -> void:
	var nulls: Array[String] = ["11000100 00000000 00000000", "11000000 00000000"]
	var dict := VariantSchema.dict
	var accepts: VariantSchema = dict.call({"target": VariantSchema.object_id().nullable(), "hp": VariantSchema.int(0, 100)})
	var refuses: VariantSchema = dict.call({"target": VariantSchema.object_id(), "hp": VariantSchema.int(0, 100)})
	for null_hex in nulls:
		var bytes := _bytes("12000000 02000000 04000000 06000000 74617267 65740000 %s 04000000 02000000 68700000 02000000 09000000"
			% null_hex)
		for limits: VariantLimits in [null, VariantLimits.network(), VariantLimits.save_file(), VariantLimits.engine()]:
			for strictness: int in [VariantCodec.SAFE, VariantCodec.ENGINE]:
				var codec := _godot_3()
				codec.strictness = strictness
				codec.limits = limits
				_check_null(codec, bytes, "%s, strictness %d" % [null_hex, strictness])
				codec.schema = accepts
				_check_null(codec, bytes, "%s, nullable" % null_hex)
				codec.schema = refuses
				check_error(codec.decode(bytes), ERR_INVALID_DATA, "%s, object_id()" % null_hex)
				check_same(codec.get_error().path, "target", "where")
		check_bytes(VariantStream.transcode(bytes, VariantStream.GODOT_3, VariantStream.GODOT_4),
			var_to_bytes({"target": null, "hp": 9}), "transcode() of %s" % null_hex)
		check_same(VariantStream.decode_as(VariantStream.GODOT_3, bytes), {"target": null, "hp": 9}, "decode_as()")
		_check_streamed_null(bytes)
		# As the root, and as a key: a null as any other.
		var codec := _godot_3()
		check_error(codec.decode(_bytes(null_hex)), OK, "alone")
		check(typeof(codec.data) == TYPE_NIL, "it is no Object")
		codec.limits = VariantLimits.engine()
		check_error(codec.decode(_bytes("12000000 01000000 %s 00000000" % null_hex)), OK, "as a key")
		check_same(codec.data, {null: null}, "the key")


func _check_null(codec: VariantCodec, bytes: PackedByteArray, what: String) -> void:
	check_error(codec.decode(bytes), OK, what + ": " + codec.get_error_message())
	check_same(codec.data, {"target": null, "hp": 9}, what)
	if codec.data is Dictionary:
		check(typeof(codec.data.get("target", 0)) == TYPE_NIL, what + ": its type")
	check_error(codec.validate(bytes), OK, what + ": validate")
	var into := {"target": 7}
	check_error(codec.decode_into(into, bytes), OK, what + ": decode_into")
	check_same(into, {"target": null, "hp": 9}, what + ": decode_into")


func _check_streamed_null(bytes: PackedByteArray) -> void:
	var reader := VariantReader.new()
	reader.codec.dialect = VariantStream.GODOT_3
	for at in bytes.size():
		reader.feed(bytes.slice(at, at + 1))
		check_error(reader.next(), OK if at == bytes.size() - 1 else ERR_UNAVAILABLE, "byte %d" % at)
	check_same(reader.data, {"target": null, "hp": 9}, "of a stream")
	reader.clear()
	reader.feed(bytes)
	check_error(reader.enter(), OK, "enter()")
	check_error(reader.next(), OK, "the entry")
	check_same([reader.key, reader.data], ["target", null], "the entry")


func test_recordings_go_back_as_the_same_bytes() -> void:
	for file in RECORDINGS:
		for case: Dictionary in _cases(file):
			if case.type == "Object" or case.get("with_objects", false):
				continue
			var codec := _godot_3()
			codec.decode(_bytes(case.hex))
			var again := codec.encode(codec.data)
			var wanted := _bytes(case.get("hex_zero_padded", case.hex))
			if case.has("reencoded_hex"):
				check_bytes(again, _bytes(case.reencoded_hex), "%s %s" % [file, case.name])
			elif again != wanted:
				var is_quieted := Oracle.quiets() and Oracle.differ_in_quiet_bits_only(wanted, again)
				check(case.name in CHANGED or is_quieted, "%s %s comes back as %s" % [file, case.name, again.hex_encode()])


## Tests that the engine itself reads what we make of Godot 3's bytes.
func test_transcoded_recordings_are_read_by_the_engine() -> void:
	for case: Dictionary in _cases("godot3_6"):
		if case.type in ["Object", "RID"] or case.get("with_objects", false) or case.name in CHANGED:
			continue
		var bytes := VariantStream.transcode(_bytes(case.hex), VariantStream.GODOT_3, VariantStream.GODOT_4)
		var refused := VariantStream.get_last_error()
		var value: Variant = VariantStream.decode_as(VariantStream.GODOT_3, _bytes(case.hex))
		check_same(VariantStream.get_last_error(), refused, "%s: transcode() as decode_as()" % case.name)
		check(refused.is_empty() != (case.name in REFUSED_BY_LIMITS), "%s: %s" % [case.name, refused])
		if not refused.is_empty():
			continue
		check_same(bytes_to_var(bytes), value, case.name)
		# Godot 3 has no vectors of doubles, and values that are passed on are not made wider.
		if not is_double:
			var engine := var_to_bytes(value)
			check_bytes(engine if Oracle.same_bytes(bytes, engine) else bytes, engine, case.name)


func test_decode_as_falls_back() -> void:
	var bytes := _bytes("13000000 01000000 0200000007000000")
	check_same(VariantStream.decode_as(VariantStream.GODOT_3, bytes, []), [7], "an array")
	check_same(VariantStream.decode_as(VariantStream.DOCUMENTED, bytes, []), [7], "an array of the pages")
	check_same(VariantStream.decode_as(VariantStream.GODOT_3, bytes, {}), {}, "another type")
	check_same(VariantStream.decode_as(VariantStream.GODOT_4, bytes, "no"), "no", "another dialect")
	for wrong: Variant in [3, -1, null, "GODOT_3", 1.0]:
		check_same(VariantStream.decode_as(wrong, bytes, "no"), "no", "dialect %s" % str(wrong))
		var error := VariantStream.get_last_error()
		check(error.get("code") == VariantCodec.INVALID_ARGUMENT, "dialect %s: %s" % [wrong, error])
		check(VariantStream.transcode(bytes, wrong, VariantStream.GODOT_4).is_empty(), "from %s" % str(wrong))
		check(VariantStream.transcode(bytes, VariantStream.GODOT_3, wrong).is_empty(), "to %s" % str(wrong))


func test_what_a_dialect_cannot_say_is_refused_by_path() -> void:
	for value: Variant in [&"name", Vector2i.ONE, Vector4.ONE, PackedInt64Array([1]), Callable(), Signal()]:
		for dialect: int in [VariantStream.GODOT_3, VariantStream.DOCUMENTED]:
			if dialect == VariantStream.DOCUMENTED and value is PackedInt64Array:
				continue
			var codec := VariantCodec.new()
			codec.dialect = dialect
			check(codec.encode({"a": [value]}).is_empty(), "%s in dialect %d" % [value, dialect])
			var error := codec.get_error()
			check(error.get("code") == VariantCodec.NOT_IN_DIALECT and error.path == "a[0]", str(error))
			var bytes := VariantStream.transcode(var_to_bytes([0, value]), VariantStream.GODOT_4, dialect)
			check(bytes.is_empty() and VariantStream.get_last_error().path == "[1]", "transcode %s" % str(value))


func test_guesses() -> void:
	var all := PackedInt32Array([VariantStream.GODOT_4, VariantStream.GODOT_3, VariantStream.DOCUMENTED])
	check_same(VariantStream.guess_dialect(var_to_bytes("text")), all, "a text")
	check_same(VariantStream.guess_dialect(var_to_bytes({1: Vector3i.ONE})), PackedInt32Array([0]), "a Vector3i")
	check_same(VariantStream.guess_dialect(PackedByteArray([7])), PackedInt32Array(), "no value")


func test_targets() -> void:
	var typed: Array[int] = [1, 2]
	var codec := VariantCodec.new()
	check_same(codec.target, "", "the default target")
	check_bytes(codec.encode(typed), var_to_bytes(typed), "no target")
	codec.target = "4.3"
	check_bytes(codec.encode([typed]), var_to_bytes([typed]), "4.3")
	codec.target = "4.2"
	check_bytes(codec.encode([typed]), var_to_bytes([[1, 2]]), "4.2")
	check(codec.encode([PackedVector4Array()]).is_empty(), "4.2 has a PackedVector4Array")
	check(codec.get_error().code == VariantCodec.NOT_IN_DIALECT, str(codec.get_error()))
	check(not codec.encode([rid_from_int64(7)]).is_empty(), "4.2 has no RID")
	codec.target = "4.1"
	check(codec.encode([rid_from_int64(7)]).is_empty(), "4.1 has an RID")
	check_error(codec.decode(var_to_bytes(typed)), OK, "reading goes by no target")
	for text in ["3.6", "4.8", "4", "latest"]:
		codec.target = text
		check_same(codec.target, text, "kept as it was set")
		check(codec.encode(1).is_empty(), "target %s encodes" % text)
		check(codec.get_error().code == VariantCodec.INVALID_ARGUMENT, str(codec.get_error()))


func test_the_dialect_is_godot_4_and_stays_what_it_was_set_to() -> void:
	var codec := VariantCodec.new()
	check_same(codec.dialect, VariantStream.GODOT_4, "by default")
	codec.dialect = VariantStream.GODOT_3
	check_same(codec.dialect, VariantStream.GODOT_3, "as it was set")
	expect_error("VariantCodec.dialect: 9 is none of GODOT_4 (0), GODOT_3 (1), DOCUMENTED (2)")
	codec.set(&"dialect", 9)
	check_same(codec.dialect, VariantStream.GODOT_3, "9")


func _godot_3() -> VariantCodec:
	var codec := VariantCodec.new()
	codec.limits = VariantLimits.engine()
	codec.strictness = VariantCodec.ENGINE
	codec.dialect = VariantStream.GODOT_3
	return codec


func _cases(file: String) -> Array:
	var path := ProjectSettings.globalize_path("res://").path_join("../tests/golden/%s.json" % file)
	var recording: Variant = JSON.parse_string(FileAccess.get_file_as_string(path))
	return recording.cases if recording is Dictionary else []


static func _bytes(hex: String) -> PackedByteArray:
	return hex.replace(" ", "").hex_decode()
