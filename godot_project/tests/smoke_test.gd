extends "suite.gd"
## Tests in a minute that the library works in an engine that nobody has tried: values of every type both ways, each class
## once, and the whole conformance run in a process of its own. It uses nothing that came after Godot 4.3, and sees that no other
## suite does without saying so.
##   godot --headless --path godot_project -s res://tests/run.gd -- --filter smoke_test

const EdgeValues := preload("res://addons/variant_stream/ci/edge_values.gd")
const EngineProcess := preload("load/engine_process.gd")

const PATH := "user://smoke_test.bin"
const CONFORMANCE := "res://addons/variant_stream/ci/conformance.gd"
const CASES := 500

## Words of engines after 4.3, before which a script with one of them does not load. Storing into a file answers nothing there.
const LATER: PackedStringArray = [
	"\\bDictionary\\(.*, *(TYPE_\\w+|type)\\b",
	"[:>] ?Dictionary\\[", "\\bas Dictionary\\[", "JSON\\.(from|to)_native\\(", "@abstract", "\\(.*\\.\\.\\.\\w+",
	"ClassDB\\.class_(call_static|get_property_[gs]etter)\\b", "\\.can_auto_translate\\(", "(=|\\(|\\b(if|return|and|or|not)) *\\w+\\.store_\\w+\\(",
]
## Scripts that have such words, and that older engines never load.
const LOADED_BY_VERSION: PackedStringArray = ["typed_dictionary.gd", "item_maps.gd", "native_json.gd", "lasting.gd", "typed_entries.gd"]


func clean_up() -> void:
	for path: String in [PATH, PATH + ".bak"]:
		if FileAccess.file_exists(path):
			DirAccess.remove_absolute(path)


func test_values_of_every_type_both_ways() -> void:
	var edges := EdgeValues.new()
	var codec := VariantCodec.new()
	codec.limits = VariantLimits.engine()
	codec.strictness = VariantCodec.ENGINE
	var count := 0
	for type in TYPE_MAX:
		for value: Variant in edges.of_type[type]:
			var bytes := var_to_bytes([value])
			check_bytes(codec.encode([value]), bytes, "encode %s" % type_string(type))
			if codec.decode(bytes) == OK:
				check_same(codec.data, bytes_to_var(bytes), "decode %s" % type_string(type))
				count += 1
	edges.free_live()
	check(count > 100, "only %d values" % count)


func test_each_class_once() -> void:
	var value := {"name": "Zoë", "hp": 80, "at": Vector2(1, 2), "list": [1, 2.5, null], "ids": PackedInt32Array([1, 2])}
	var bytes := VariantStream.encode(value)
	check_same(VariantStream.decode(bytes), value, "VariantStream")
	var codec := VariantCodec.new()
	for strictness: int in [VariantCodec.ENGINE, VariantCodec.SAFE, VariantCodec.CANONICAL]:
		codec.strictness = strictness
		check_error(codec.validate(bytes), OK, "validate: " + codec.get_error_message())
		check_error(codec.decode(bytes), OK, "decode: " + codec.get_error_message())
		check_same(codec.data, value, "VariantCodec")
	var target := {"hp": 1}
	check_error(codec.decode_into(target, bytes), OK, codec.get_error_message())
	check_same(target, value, "decode_into()")
	check(codec.decode(bytes.slice(0, -4)) != OK, "a cut end")
	codec.schema = VariantSchema.dict({"hp": VariantSchema.int(0, 99)}).open()
	check_error(codec.decode(bytes), OK, codec.get_error_message())
	check(codec.decode(VariantStream.encode({"hp": 100})) != OK, "VariantSchema")
	check_same(codec.get_error().path, "hp", "where")
	check_same(codec.schema.coerce({"hp": "7"}), {"hp": 7}, "coerce()")
	check_same(VariantStream.decode(VariantStream.from_json(VariantStream.to_json(bytes))), value, "JSON")
	var outline := VariantOutline.new()
	check_error(outline.open(bytes, VariantReader.FRAMING_NONE, VariantStream.GODOT_4), OK, "VariantOutline")


func test_streams_and_files() -> void:
	var writer := VariantWriter.new()
	check_error(writer.open_file(PATH, VariantReader.FRAMING_U32), OK, "open")
	for value: Variant in [1, "two", {"three": 3}]:
		check_error(writer.write(value), OK, writer.get_error_message())
	check_error(writer.close(), OK, "close")
	var read := []
	for value: Variant in VariantStream.read_file(PATH):
		read.append(value)
	check_same(read, [1, "two", {"three": 3}], "VariantReader")
	check_error(VariantStream.save_file_async(PATH, {"level": 7}).wait(), OK, "a job saves")
	var job: VariantJob = VariantStream.load_file_async(PATH)
	check_error(job.wait(), OK, "a job loads")
	check_same(job.data, {"level": 7}, "VariantJob")
	var file := FileAccess.open(PATH, FileAccess.READ)
	check_same(file.get_var(), {"level": 7}, "the engine reads it")
	file.close()


## Tests the run that a user is told to start.
func test_the_conformance_run_has_no_difference() -> void:
	# Templates of later engines take no path of a project, and a packed game has none.
	if OS.has_feature("template") and Engine.get_version_info().hex >= 0x040400:
		skip("a packed game starts no scripts")
		return
	var output := []
	var words := EngineProcess.command(CONFORMANCE, ["--cases", str(CASES)])
	var code := OS.execute(words[0], words.slice(1), output, true)
	check_same(code, 0, "exit code; the last lines: " + "\n".join(output[0].split("\n").slice(-8)))
	check(output[0].contains(" checks, 0 differences"), "no closing line")


## A test that cannot be made here says skip(), which is counted: it has not passed.
func test_no_suite_checks_what_is_always_true() -> void:
	var count := 0
	for file in DirAccess.get_files_at("res://tests"):
		if file.ends_with("_test.gd") and file != "smoke_test.gd":
			count += 1
			check(not FileAccess.get_file_as_string("res://tests/" + file).contains("check(true"), file)
	check(count > 80 or OS.has_feature("template"), "only %d suites" % count)


func test_suites_use_what_4_3_has() -> void:
	var later := RegEx.create_from_string("|".join(LATER))
	var texts := RegEx.create_from_string("\"\"\"[\\s\\S]*?\"\"\"|\"(\\\\.|[^\"\\\\\\n])*\"|(?m)#.*$")
	var folders: Array[String] = ["res://tests", "res://addons/variant_stream"]
	var count := 0
	while not folders.is_empty():
		var folder: String = folders.pop_back()
		for inner in DirAccess.get_directories_at(folder):
			folders.append(folder.path_join(inner))
		for file in DirAccess.get_files_at(folder):
			if not file.ends_with(".gd") or file in LOADED_BY_VERSION:
				continue
			var source := FileAccess.get_file_as_string(folder.path_join(file))
			if source.contains("const NEEDS := {\"*\": \"Godot 4."):
				continue
			count += 1
			var found := later.search(texts.sub(source, "", true))
			check(found == null, "%s: %s" % [folder.path_join(file), "" if found == null else found.get_string()])
	check(count > 150 or OS.has_feature("template"), "only %d scripts" % count)
