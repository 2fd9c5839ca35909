extends "suite.gd"
## Puts tests/attacks/objects to the library: documents of objects, and what the engine writes with objects. Each line gets
## its answers under every preset, in every way to read it, and no code of a class runs where a line is refused.

## The reason why run.gd skips this suite in a packed game.
const EDITOR_ONLY := "reads the corpus of the checkout"

const AttackRows := preload("attack_rows.gd")
const CorpusHero := preload("objects/corpus_hero.gd")
const CorpusItem := preload("objects/corpus_item.gd")

const FOLDER := "res://../tests/attacks/objects"
const FILES := {"documents": 91, "engine": 54}

var _attacks := AttackRows.new()
var _classes := _game()


## Returns the classes of rust/testkit/src/objects.rs.
static func _game() -> VariantClassSet:
	var classes := VariantClassSet.new()
	classes.allow("hero", CorpusHero)
	classes.allow("item", CorpusItem)
	classes.allow_assets("def", {"sword": Resource.new(), "bow": Resource.new()})
	classes.property("hero", "rival", VariantClassSet.object("hero").nullable())
	classes.property("hero", "any", VariantSchema.map(VariantSchema.string(), VariantSchema.any()))
	classes.version("item", 3)
	classes.alias("item", ["weapon"])
	classes.rename("item", {"amount": "count"})
	classes.forget("item", ["weight"])
	# The first use makes an object of each class, to ask for what declarations do not tell.
	assert(classes.is_well_formed(), str(classes.get_build_errors()))
	return classes


func _rows(file: String) -> Array[Dictionary]:
	var found: Array[Dictionary] = []
	var text := FileAccess.get_file_as_string(ProjectSettings.globalize_path(FOLDER).path_join(file + ".txt"))
	for line in text.split("\n", false):
		if line.begins_with("#"):
			continue
		var columns := line.split("|")
		var answers := columns[2].split(" ", false)
		if answers.size() == 1:
			answers = [answers[0], answers[0], answers[0]]
		found.append({"name": columns[0].strip_edges(), "input": columns[1], "answers": answers})
	return found


func _limits(preset: int) -> VariantLimits:
	return [VariantLimits.network(), VariantLimits.save_file(), VariantLimits.engine()][preset]


func _answer(error: int, told: Dictionary, due: String) -> String:
	if error == OK:
		return "ok"
	var kind: String = ClassDB.class_get_enum_constants("VariantCodec", "ErrorKind")[told.code - 1]
	return "%s@%d" % [kind, told.byte_offset] if due.contains("@") else kind


func _check_line(name: String, bytes: PackedByteArray, preset: int, due: String, of_engine: bool) -> void:
	var codec := VariantCodec.new()
	codec.classes = _classes
	codec.read_engine_objects = of_engine
	codec.limits = _limits(preset)
	var before := CorpusHero.made + CorpusItem.made
	check_same(_answer(codec.validate(bytes), codec.get_error(), due), due, name + ": validate()")
	check_same(CorpusHero.made + CorpusItem.made, before, name + ": a check makes nothing")
	var told := _answer(codec.decode(bytes), codec.get_error(), due)
	check_same(told, due, "%s: decode(), %s" % [name, codec.get_error_message()])
	if told != "ok":
		check_same(CorpusHero.made + CorpusItem.made, before, name + ": a refusal makes nothing")
		check_same(codec.data, null, name + ": nothing is there")
	_classes.release(codec.data)
	var reader := VariantReader.new()
	reader.codec.classes = _classes
	reader.codec.read_engine_objects = of_engine
	reader.codec.limits = _limits(preset)
	reader.framing = VariantReader.FRAMING_U32
	var length := PackedByteArray([0, 0, 0, 0])
	length.encode_u32(0, bytes.size())
	reader.feed(length + bytes)
	check_same(reader.next() == OK, due == "ok", "%s: a reader, %s" % [name, reader.get_error_message()])
	_classes.release(reader.data)


func test_every_line_gives_its_answers() -> void:
	for file: String in FILES:
		var rows := _rows(file)
		check_same(rows.size(), FILES[file], "lines of %s" % file)
		for row in rows:
			var bytes := _attacks.bytes(row.input)
			for preset in 3:
				_check_line("%s: %s (%d)" % [file, row.name, preset], bytes, preset, row.answers[preset], file == "engine")


func test_bytes_of_the_engine_are_refused_where_nobody_asks_for_them() -> void:
	for row in _rows("engine"):
		var codec := VariantCodec.new()
		codec.classes = _classes
		var before := CorpusHero.made + CorpusItem.made
		check(codec.decode(_attacks.bytes(row.input)) != OK, row.name)
		check_same(CorpusHero.made + CorpusItem.made, before, row.name + ": nothing is made")
