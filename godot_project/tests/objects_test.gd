extends "suite.gd"
## Tests VariantClassSet: objects of a game's own classes come back as they were, and nothing else is ever made. Its
## promises O1 to O16 are those of docs/OBJECTS.md.

const Cast := preload("objects/cast.gd")
const Reader := preload("objects/reader.gd")

var _classes := Cast.classes()
var _codec := VariantCodec.new()


func _init() -> void:
	_codec.classes = _classes


func clean_up() -> void:
	_classes.release(_codec.data)
	_codec = VariantCodec.new()
	_codec.classes = _classes


func test_the_set_is_well_formed() -> void:
	check_same(str(_classes.get_build_errors()), "[]", "the set")
	check(_classes.is_well_formed(), "it is well-formed")
	check(_classes.to_markdown().contains("## hero (version 1)"), _classes.to_markdown())
	check_same(_classes.get_hash(), Cast.classes().get_hash(), "one hash for one set")
	check_same(_classes.loaded_method, &"_variant_loaded", "the loaded method")


func test_objects_come_back_as_they_were() -> void:
	var heroes := Cast.heroes()
	var bytes := _codec.encode(heroes)
	check_same(_codec.get_error_message(), "", "encode")
	if not check_error(_codec.decode(bytes), OK, _codec.get_error_message()):
		return
	var back: Array = _codec.data
	check(back[0] is Cast.Hero and back[0] == back[1] and back[2] is Cast.Dog, "the classes")
	var hero: Cast.Hero = back[0]
	check(hero != heroes[0], "another object")
	check(hero.rival.rival == hero and hero.pet == hero.rival.pet and hero.pet == back[2], "sharing and cycles")
	check(hero.items.size() == 2 and hero.items[0] == hero.items[1] and hero.items[0].count == 3, "items")
	check(hero.items.is_typed() and hero.items.get_typed_script() == Cast.Item, "the array is typed")
	check_same(hero.tags, Array([&"brave"], TYPE_STRING_NAME, &"", null), "a typed array of names")
	check(hero.notes["best"] == hero.items[0] and hero.notes["list"][0] == hero.rival, "objects in a dictionary")
	check_same(hero.notes["list"].slice(1), [null, 7], "the rest of a list")
	check((hero.pet as Cast.Dog).tricks == PackedStringArray(["sit"]) and hero.pet.name == "Rex", "the pet")
	check(hero.pet.owner is WeakRef and hero.pet.owner.get_ref() == hero, "the owner is held weakly")
	check(hero.rival.kind == Cast.Hero.Kind.KNIGHT and hero.rival.at == Vector2(3, 4), "plain values")
	_classes.release(heroes)


func test_a_codec_without_classes_does_as_before() -> void:
	var plain := VariantCodec.new()
	check_same(plain.classes, null, "no classes")
	var value := {"a": [1, 2.5, "x"]}
	check_bytes(plain.encode(value), var_to_bytes(value), "a plain value")
	check_error(plain.decode(_codec.encode(value)), OK, "a document without objects is a plain value")
	# A document with objects hands nobody its tables.
	check_error(plain.decode(_codec.encode(Cast.Item.new())), ERR_INVALID_DATA, "a reference is an RID")
	check_error(_codec.decode(var_to_bytes(value)), ERR_INVALID_DATA, "a plain value is no document")
	check_same(_codec.get_error().code, VariantCodec.NOT_A_DOCUMENT, "its kind")
	check_error(_codec.decode_into({}, _codec.encode({})), ERR_INVALID_PARAMETER, "decode_into")


func test_errors_say_where() -> void:
	var document: Array = bytes_to_var(_codec.encode([Cast.Item.new()]))
	document[1][0][0] = "shop"
	check_error(_codec.decode(var_to_bytes(document)), ERR_INVALID_DATA, "another tag")
	check_same(_codec.get_error_message(), "classes[0]: the class \"shop\" is not allowed (byte 52)", "its message")
	document = bytes_to_var(_codec.encode([Cast.Hero.new()]))
	document[1][0][3][0][0] = 9999
	check_error(_codec.decode(var_to_bytes(document)), ERR_INVALID_DATA, "another number")
	check(_codec.get_error_message().begins_with("hero[0].hp: expected int 0..100, got int 9999 (byte "), "%s" %
			_codec.get_error_message())
	var heroes := Cast.heroes()
	document = bytes_to_var(_codec.encode(heroes))
	_classes.release(heroes)
	document[1][0][3][0][3] = [document[2][2]]
	check_error(_codec.decode(var_to_bytes(document)), ERR_INVALID_DATA, "a pet among items")
	check(_codec.get_error_message().begins_with("[0].items[0]: expected an object \"item\", got \"dog\" (byte "),
			_codec.get_error_message())
	var hero := Cast.Hero.new()
	hero.hp = -1
	check_same(_codec.encode([hero]), PackedByteArray(), "what a reader refuses is not written")
	check_same(_codec.get_error_message(), "hero[0].hp: expected int 0..100, got int -1", "its message")
	hero.hp = 1
	hero.notes = {"node": [RefCounted.new()]}
	check_same(_codec.encode({"a": hero}), PackedByteArray(), "another class is not written")
	check_same(_codec.get_error_message(), "a.notes.node[0]: the class \"RefCounted\" is not allowed", "its message")


func test_o1_no_text_of_the_bytes_is_looked_up() -> void:
	for tag: String in ["GDScript", "Node", "res://tests/objects/cast.gd", "Item", "..", "uid://b"]:
		var document: Array = bytes_to_var(_codec.encode([Cast.Item.new()]))
		document[1][0][0] = tag
		var before := Cast.count()
		check_error(_codec.decode(var_to_bytes(document)), ERR_INVALID_DATA, tag)
		check_same(Cast.count(), before, "%s: nothing ran" % tag)


func test_o2_nothing_runs_before_the_whole_value_passed() -> void:
	var heroes := Cast.heroes()
	var bytes := _codec.encode(heroes)
	_classes.release(heroes)
	var before := Cast.count()
	check_error(_codec.validate(bytes), OK, "the document is good")
	for at in bytes.size():
		var spoiled := bytes.duplicate()
		spoiled[at] ^= 0x55
		_codec.validate(spoiled)
		_codec.validate(bytes.slice(0, at))
		check_error(_codec.decode(bytes.slice(0, at)), _codec.validate(bytes.slice(0, at)), "cut at %d" % at)
	check_same(Cast.count(), before, "nothing ran")
	for at in bytes.size():
		var spoiled := bytes.duplicate()
		spoiled[at] ^= 0x55
		before = Cast.count()
		if _codec.decode(spoiled) == OK:
			_classes.release(_codec.data)
		else:
			check_same(Cast.count(), before, "nothing ran when byte %d was refused" % at)


func test_o3_init_runs_once_an_object() -> void:
	var bytes := _codec.encode([Cast.Item.new(), Cast.Item.new()])
	Cast.Count.inits = 0
	check_error(_codec.decode(bytes), OK, "two items")
	check_same(Cast.Count.inits, 2, "calls of _init")


func test_o4_no_property_of_the_engine_can_be_set() -> void:
	for name: String in ["script", "resource_path", "resource_name", "metadata/evil", "resource_local_to_scene", "_init"]:
		var document: Array = bytes_to_var(_codec.encode([Cast.Item.new()]))
		document[1][0][2] = PackedStringArray(["name", name])
		check_error(_codec.decode(var_to_bytes(document)), ERR_INVALID_DATA, name)
		check_same(_codec.get_error().code, VariantCodec.UNKNOWN_PROPERTY, name)


func test_o5_objects_are_counted_and_charged_first() -> void:
	var items: Array[Cast.Item] = []
	for i in 100:
		items.append(Cast.Item.new())
	var bytes := _codec.encode(items)
	_codec.limits = VariantLimits.network()
	_codec.limits.max_objects = 100
	check_error(_codec.decode(bytes), OK, "as many as the limit")
	_codec.limits.max_objects = 99
	Cast.Count.inits = 0
	check_error(_codec.decode(bytes), ERR_OUT_OF_MEMORY, "one more")
	check_same(_codec.get_error().code, VariantCodec.TOO_MANY_OBJECTS, "its kind")
	check_same(_codec.encode(items), PackedByteArray(), "they are not written either")
	check_same(_codec.get_error().code, VariantCodec.TOO_MANY_OBJECTS, "its kind")
	_codec.limits.max_objects = 100
	# Less than any build of the engine needs for them.
	_codec.limits.max_heap_bytes = 40000
	check_error(_codec.decode(bytes), ERR_OUT_OF_MEMORY, "their memory")
	check_same(_codec.get_error().code, VariantCodec.TOO_MUCH_MEMORY, "its kind")
	check_same(Cast.Count.inits, 0, "no object was made")


func test_o6_every_property_gets_its_declared_type() -> void:
	var values := [null, true, 7, 2.5, "text", &"name", Vector2(), [], [1], {}, PackedByteArray([1]), NodePath("a"),
			Vector2i(), Color(), Array([1], TYPE_INT, &"", null)]
	var document: Array = bytes_to_var(_codec.encode([Cast.Hero.new()]))
	var names: PackedStringArray = document[1][0][2]
	for column in names.size():
		for value: Variant in values:
			var changed: Array = document.duplicate(true)
			changed[1][0][3][0][column] = value
			var hero := Cast.Hero.new()
			var declared := typeof(hero.get(names[column]))
			var may_be := typeof(value) == declared or (value == null and names[column] in ["pet", "rival"])
			var error := _codec.decode(var_to_bytes(changed))
			if error == OK:
				check(may_be, "%s took %s" % [names[column], type_string(typeof(value))])
				check_same(typeof(_codec.data[0].get(names[column])), typeof(value), names[column])
			else:
				check_same(_codec.data, null, "nothing is there")


func test_o7_a_refusal_leaves_no_object() -> void:
	var heroes := Cast.heroes()
	var document: Array = bytes_to_var(_codec.encode(heroes))
	_classes.release(heroes)
	heroes.clear()
	# The last row to be judged is wrong.
	document[1].back()[3].back()[0] = 7.5
	var bytes := var_to_bytes(document)
	_codec.decode(bytes)
	var before := Performance.get_monitor(Performance.OBJECT_COUNT)
	for i in 1000:
		_codec.decode(bytes)
	check_same(Performance.get_monitor(Performance.OBJECT_COUNT), before, "the number of objects")


func test_o8_broken_references_are_refused() -> void:
	var good: Array = bytes_to_var(_codec.encode([Cast.Item.new(), Cast.Pet.new()]))
	var item: RID = good[2][0]
	check_same(item.get_id(), 1 << 32, "the first object of the first class")
	for id: int in [0, 1, (1 << 32) | 1, 3 << 32, -1, 1 << 62]:
		var document: Array = good.duplicate(true)
		document[2].append(rid_from_int64(id))
		check_error(_codec.decode(var_to_bytes(document)), ERR_INVALID_DATA, "RID %d" % id)
		check_same(_codec.get_error().code, VariantCodec.BAD_REFERENCE, "RID %d" % id)
	var cases := {
		VariantCodec.UNUSED_OBJECT: func(document: Array) -> void: document[2].pop_back(),
		VariantCodec.DUPLICATE_KEY: func(document: Array) -> void: document[1][1][0] = "item",
		VariantCodec.NOT_A_DOCUMENT: func(document: Array) -> void: document[1][0][3][0] = [],
		VariantCodec.CLASS_NEWER: func(document: Array) -> void: document[1][0][1] = 2,
	}
	for kind: int in cases:
		var document: Array = good.duplicate(true)
		(cases[kind] as Callable).call(document)
		check(_codec.decode(var_to_bytes(document)) != OK, "kind %d is refused" % kind)
		check_same(_codec.get_error().code, kind, _codec.get_error_message())


func test_o9_depth_of_a_graph_costs_no_depth() -> void:
	var links := 100000 if long else 20000
	var first := Cast.Link.new()
	var last := first
	for i in links:
		last.next = Cast.Link.new()
		last.next.number = i
		last = last.next
	_codec.limits = VariantLimits.save_file()
	_codec.limits.max_object_depth = links + 1
	var bytes := _codec.encode(first)
	check_same(_codec.get_error_message(), "", "a long list")
	check_error(_codec.decode(bytes), OK, _codec.get_error_message())
	var count := 0
	var link: Cast.Link = _codec.data
	while link.next:
		link = link.next
		count += 1
	check_same(count, links, "links")
	_classes.release(first)
	_classes.release(_codec.data)


func test_o11_one_graph_one_encoding() -> void:
	var heroes := Cast.heroes()
	var bytes := _codec.encode(heroes)
	_classes.release(heroes)
	_codec.strictness = VariantCodec.CANONICAL
	check_error(_codec.decode(bytes), OK, _codec.get_error_message())
	check_bytes(_codec.encode(_codec.data), bytes, "written again")
	_classes.release(_codec.data)
	# The same graph with its classes in another order.
	var document: Array = bytes_to_var(_codec.encode([Cast.Item.new(), Cast.Pet.new()]))
	document[1].reverse()
	document[2].reverse()
	document[2] = [document[2][1], document[2][0]]
	var swapped := {1 << 32: rid_from_int64(2 << 32), 2 << 32: rid_from_int64(1 << 32)}
	document[2] = document[2].map(func(rid: RID) -> RID: return swapped[rid.get_id()])
	check_error(_codec.decode(var_to_bytes(document)), ERR_INVALID_DATA, "another order")
	check_same(_codec.get_error().code, VariantCodec.NOT_CANONICAL, _codec.get_error_message())
	_codec.strictness = VariantCodec.SAFE
	check_error(_codec.decode(var_to_bytes(document)), OK, "but SAFE reads it")


func test_o12_the_engine_alone_reads_it() -> void:
	var heroes := Cast.heroes()
	var read: Array = Reader.read(_codec.encode(heroes))
	_classes.release(heroes)
	check(read[0]["tag"] == "hero" and read[0]["items"][0]["count"] == 3, "%s" % read[0]["tag"])
	check_same(read[0]["kind"], 3, "plain values")
	check(read[2]["tag"] == "dog" and read[2]["tricks"] == PackedStringArray(["sit"]), "the dog")


func test_o16_no_payload_in_messages() -> void:
	var document: Array = bytes_to_var(_codec.encode([Cast.Item.new()]))
	document[1][0][3][0][1] = "hunter2"
	check(_codec.decode(var_to_bytes(document)) != OK, "it is refused")
	check(not _codec.get_error_message().contains("hunter2"), _codec.get_error_message())
