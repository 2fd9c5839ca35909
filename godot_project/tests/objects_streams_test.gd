extends "suite.gd"
## Tests objects of a game's own classes in streams, in files and in saves: every property `classes` does what that of a
## codec does.

const Cast := preload("objects/cast.gd")

const PATH := "user://objects_streams_test.bin"

var _classes := Cast.classes()


func clean_up() -> void:
	for path: String in [PATH, PATH + ".bak"]:
		if FileAccess.file_exists(path):
			DirAccess.remove_absolute(path)


func _written(values: Array, framing: int) -> PackedByteArray:
	var writer := VariantWriter.new()
	writer.codec.classes = _classes
	writer.open_buffer(framing)
	for value: Variant in values:
		check_error(writer.write(value), OK, writer.get_error_message())
	return writer.get_buffer()


func test_streams_of_documents() -> void:
	for framing: int in [VariantReader.FRAMING_U32, VariantReader.FRAMING_NONE]:
		var heroes := Cast.heroes()
		var bytes := _written([heroes, 7, {"item": Cast.Item.new()}], framing)
		_classes.release(heroes)
		# However the bytes come, the values are those.
		for size: int in [bytes.size(), 1000, 7]:
			var reader := VariantReader.new()
			reader.codec.classes = _classes
			reader.framing = framing
			var read := []
			for at in range(0, bytes.size(), size):
				reader.feed(bytes.slice(at, at + size))
				while reader.next() == OK:
					read.append(reader.data)
			if not check_same(read.size(), 3, "values, %d bytes at once: %s" % [size, reader.get_error_message()]):
				return
			check(read[0][0] is Cast.Hero and read[0][0].rival.rival == read[0][0], "the heroes")
			check_same(read[1], 7, "a plain value")
			check(read[2]["item"] is Cast.Item, "an item")
			_classes.release(read[0])


func test_a_time_budget_makes_no_half_objects() -> void:
	var items := []
	for i in 3000:
		items.append(Cast.Item.new())
	var bytes := _written([items], VariantReader.FRAMING_U32)
	var reader := VariantReader.new()
	reader.codec.classes = _classes
	reader.framing = VariantReader.FRAMING_U32
	reader.time_budget_usec = 1
	reader.feed(bytes)
	var before := Cast.Count.inits
	var code := reader.next()
	while code == ERR_BUSY:
		check_same(Cast.Count.inits, before, "nothing is made yet")
		code = reader.next()
	check_error(code, OK, reader.get_error_message())
	check_same(reader.data.size(), 3000, "items")


func test_streams_refuse_what_is_no_document() -> void:
	var reader := VariantReader.new()
	reader.codec.classes = _classes
	reader.framing = VariantReader.FRAMING_U32
	var plain := VariantWriter.new()
	plain.open_buffer(VariantReader.FRAMING_U32)
	plain.write({"a": 1})
	reader.feed(plain.get_buffer() + _written([Cast.Item.new()], VariantReader.FRAMING_U32))
	check_error(reader.next(), ERR_INVALID_DATA, "a plain value")
	check_same(reader.get_error().code, VariantCodec.NOT_A_DOCUMENT, "its kind")
	check_error(reader.next(), OK, "the next one: %s" % reader.get_error_message())
	check(reader.data is Cast.Item, "an item")
	reader.feed(_written([Cast.Item.new()], VariantReader.FRAMING_U32))
	check(reader.enter() != OK, "a document is not entered")
	check_error(reader.next(), OK, "but read: %s" % reader.get_error_message())
	var writer := VariantWriter.new()
	writer.codec.classes = _classes
	writer.open_buffer()
	check_error(writer.begin_array(), ERR_INVALID_PARAMETER, "nor is it written in parts")
	check_error(writer.write([RefCounted.new()]), ERR_INVALID_DATA, "another class")
	check_same(writer.get_error_message(), "[0]: the class \"RefCounted\" is not allowed", "its message")
	check_same(writer.get_buffer(), PackedByteArray(), "nothing was written")


func test_file_jobs() -> void:
	var heroes := Cast.heroes()
	var job: VariantJob = VariantStream.save_file_async(PATH, heroes, false, null, _classes)
	check_error(job.wait(), OK, job.get_error_message())
	_classes.release(heroes)
	job = VariantStream.load_file_async(PATH, null, VariantStream.GODOT_4, _classes)
	check_error(job.wait(), OK, job.get_error_message())
	check(job.data[0] is Cast.Hero and job.data[0] == job.data[1], "the heroes")
	_classes.release(job.data)
	job = VariantStream.load_file_async(PATH)
	check_error(job.wait(), ERR_INVALID_DATA, "without the classes")
	var count := 0
	for value: Variant in VariantStream.read_file(PATH, null, VariantStream.GODOT_4, _classes):
		check(value[2] is Cast.Dog, "the dog")
		_classes.release(value)
		count += 1
	check_same(count, 1, "values in the file")
	job = VariantStream.save_file_async(PATH, [Node], false, null, _classes)
	check(job.wait() != OK, "a class of the engine is not saved")


func test_saves() -> void:
	var save := VariantSave.new()
	save.classes = _classes
	var heroes := Cast.heroes()
	check_error(save.save(PATH, {"heroes": heroes, "gold": 5}, {"level": 3}), OK, save.get_error_message())
	_classes.release(heroes)
	check_error(save.load(PATH), OK, save.get_error_message())
	check(save.data["heroes"][0] is Cast.Hero and save.data["gold"] == 5, "what was saved")
	check_same(save.metadata, {"level": 3}, "its metadata")
	_classes.release(save.data["heroes"])
	# A newer version of the file goes its steps with references in the places of objects.
	var next := VariantSave.new()
	next.classes = _classes
	next.schema = VariantSchema.dict({"party": VariantSchema.array(VariantSchema.union([
		VariantClassSet.object("hero"), VariantClassSet.object("dog")])), "gold": VariantSchema.int(0, 99)})
	next.version = 2
	next.rename(1, {"heroes": "party"})
	check_error(next.load(PATH), OK, next.get_error_message())
	check(next.data["party"][2] is Cast.Dog, "the dog")
	_classes.release(next.data["party"])
	var plain := VariantSave.new()
	check(plain.load(PATH) != OK, "without the classes")
	check_error(save.save(PATH, [RefCounted.new()]), ERR_INVALID_DATA, "another class is not saved")
	check_error(save.load(PATH), OK, "and the save is as it was")
	_classes.release(save.data["heroes"])
	var job := save.load_async(PATH)
	check_error(job.wait(), OK, job.get_error_message())
	check(save.data["heroes"][0] is Cast.Hero, "loaded on a thread")
	_classes.release(save.data["heroes"])
	save.remove(PATH)
