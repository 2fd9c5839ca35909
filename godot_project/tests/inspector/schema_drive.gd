extends "drive.gd"
## Drives the form of a schema by its controls: ranges, types, keys, contradictions, a value that is tried,
## and files.

const SchemaFiles := preload("res://addons/variant_stream/editor/schema/schema_files.gd")
const SchemaForm := preload("res://addons/variant_stream/editor/schema/schema_form.gd")

const PATH := "user://drive.vschema.json"
## A text of which `str_to_var()` makes a script that runs at once.
const CODE := 'Object(GDScript,"resource_local_to_scene":false,"script/source":"extends RefCounted\nstatic func _static_init():\n\tEngine.set_meta(&\\"ran\\", true)\n")'

var schema: VariantSchema
var form: SchemaForm


func drive_ranges() -> void:
	_show(VariantSchema.dict({"hp": VariantSchema.int(0, 100), "x": VariantSchema.float(-1.0, 1.0)}))
	check_same(form.said()[0], "This schema is well formed.", "the verdict")
	_type("Rule_Max", "50", 0)
	check(_accepts({"hp": 50, "x": 0.5}) and not _accepts({"hp": 51, "x": 0.5}), "an int's range")
	_type("Rule_Max", "2", 1)
	check(_accepts({"hp": 1, "x": 1.5}), "a float's range")
	_type("Rule_Min", "", 0)
	check(_accepts({"hp": -9, "x": 0.0}), "no range")


func drive_boxes() -> void:
	_show(VariantSchema.dict({"at": VariantSchema.vector2().within(Rect2(0, 0, 8, 6)), "to": VariantSchema.vector3i()}))
	check_same(_line("Rule_Within", 0).text, "0.0, 0.0, 8.0, 6.0", "the box of a schema")
	check_same(_line("Rule_Within", 1).placeholder_text, "x, y, z, and three sizes", "the hint of an empty field")
	_type("Rule_Within", "Rect2(-1, 0, 3, 1.5)", 0)
	check(_accepts({"at": Vector2(-1, 1.5), "to": Vector3i.ONE}), "edges of a box that was typed as GDScript")
	check(not _accepts({"at": Vector2(2.5, 0), "to": Vector3i.ONE}), "a point outside")
	_type("Rule_Within", "0, 0, 0, 4, 4, 4", 1)
	check(_accepts({"at": Vector2.ZERO, "to": Vector3i(4, 0, 4)}), "a point on the edge of a box of numbers")
	check(not _accepts({"at": Vector2.ZERO, "to": Vector3i(5, 0, 4)}), "a point outside of a box of numbers")
	for wrong: Array in [["0, 0, 4, 4", "needs an AABB"], ["wide", "has to be a list of numbers"], ["0, 0, 0, 4, 4, -4", "a size of at least 0"]]:
		_type("Rule_Within", wrong[0], 1)
		check(form.said()[0].contains(wrong[1]), "the verdict on %s: %s" % [wrong[0], form.said()[0]])
	check(not _accepts({"at": Vector2.ZERO, "to": Vector3i(5, 0, 4)}), "a box that is none was taken over")
	_type("Rule_Within", "", 0)
	_type("Rule_Within", "", 1)
	check(_accepts({"at": Vector2(99, 0), "to": Vector3i(5, 0, 4)}), "no box")


func drive_contradictions_are_not_taken() -> void:
	_show(VariantSchema.dict({"hp": VariantSchema.int(0, 100)}))
	_type("Rule_Min", "200", 0)
	check_same(form.said()[0], "hp: range: the least, 200, is over 100", "the verdict")
	check(_accepts({"hp": 5}), "a contradiction was taken over")
	_type("Rule_Max", "300", 0)
	check(_accepts({"hp": 250}) and not _accepts({"hp": 5}), "what is right again")
	_type("Rule_Min", "many", 0)
	check(form.said()[0].contains("hp: min has to be a number"), "a word for a number: " + form.said()[0])


func drive_keys_and_types() -> void:
	_show(VariantSchema.dict({"hp": VariantSchema.int()}))
	_type("Rule_Default", "5", 0)
	check_same(form.said()[0], "This schema is well formed.", "the verdict on a default")
	_type("Rule_Default", "", 0)
	_press("Add key")
	await frames()
	check(_accepts({"hp": 1, "key": "x"}) and not _accepts({"hp": 1}), "a key more")
	var field: LineEdit = _find("Key_key")
	field.text = "name"
	field.text_submitted.emit("name")
	await frames()
	_choose("any", "string")
	await frames()
	check(_accepts({"hp": 1, "name": "x"}) and not _accepts({"hp": 1, "name": 2}), "its name and type")
	_flag("optional", 1)
	check(_accepts({"hp": 1}), "it is optional")
	_flag("open", 0)
	check(_accepts({"hp": 1, "other": 2}), "other keys are fine")
	_find_button("Remove hp").pressed.emit()
	await frames()
	check(_accepts({}), "a key less")
	_choose("string", "array")
	await frames()
	check(_accepts({"name": [1, "two"]}), "an array")


func drive_items_of_a_tuple() -> void:
	_show(VariantSchema.tuple([VariantSchema.int()]))
	_press("Add item")
	await frames()
	_choose("any", "float")
	await frames()
	check(_accepts([1, 0.5]) and not _accepts([1]), "an item more")
	_type("Rule_Default", "0.25", 1)
	_flag("optional", 1)
	check_same(form.said()[0], "This schema is well formed.", "the verdict")
	check(_accepts([1]), "the last item may be missing")
	var codec := VariantCodec.new()
	codec.schema = VariantSchema.from_json(schema.to_json())
	check_same(codec.decode(var_to_bytes([1])), OK, "decoding without the last item")
	check_same(codec.data, [1, 0.25], "the default of an item")
	_flag("optional", 0)
	_find_button("Remove Item 1").pressed.emit()
	await frames()
	check(_accepts([]) and not _accepts([1, 0.5]), "an item less")


func drive_cases_of_a_key() -> void:
	_show(VariantSchema.discriminated("kind", {"orc": VariantSchema.dict({})}))
	_press("Add case")
	await frames()
	check(_accepts({"kind": "orc"}) and _accepts({"kind": "case2"}), "a case more")
	var field: LineEdit = _find("Case_1")
	field.text = "\"elf\""
	field.text_submitted.emit(field.text)
	await frames()
	check(_accepts({"kind": "elf"}) and not _accepts({"kind": "case2"}), "another value")
	var number: LineEdit = _find("Case_0")
	number.text = "7"
	number.focus_exited.emit()
	await frames()
	check(_accepts({"kind": 7}) and not _accepts({"kind": "orc"}), "an int as a value")
	_find_button("Remove 7").pressed.emit()
	await frames()
	check(_accepts({"kind": "elf"}) and not _accepts({"kind": 7}), "a case less")
	# A field that is finished with Enter goes while it has the keyboard focus; the engine logs it where that
	# happens twice.
	var last: LineEdit = _find("Case_0")
	last.grab_focus()
	last.text = "dwarf"
	last.text_submitted.emit(last.text)
	await frames()
	check(_accepts({"kind": "dwarf"}) and not _accepts({"kind": "elf"}), "a word without quotes as a value")


func drive_definitions() -> void:
	_show(VariantSchema.array(VariantSchema.any()))
	_press("Define a part for ref")
	await frames()
	var field: LineEdit = _find("Define_part")
	field.text = "hp"
	field.text_submitted.emit("hp")
	await frames()
	_choose("any", "int")
	await frames()
	_choose("any", "ref")
	await frames()
	_type("Rule_Of", "hp", 0)
	check_same(form.said()[0], "This schema is well formed.", "the verdict")
	check(_accepts([1, 2]) and not _accepts([0.5]), "what is referred to")
	_type("Rule_Description", "Points of life.", 0)
	check(schema.to_markdown().contains("Points of life."), "the description")
	_find_button("Remove hp").pressed.emit()
	await frames()
	check(form.said()[0].contains("hp"), "the verdict on a ref to nothing: " + form.said()[0])


func drive_values_of_every_kind_come_back() -> void:
	for made: VariantSchema in [
			VariantSchema.enum([1, "one", &"two", Vector2(1, 2), 0.5]), VariantSchema.union([VariantSchema.int(), VariantSchema.string()]),
			VariantSchema.map(VariantSchema.string(), VariantSchema.float(0.0, 1.0)), VariantSchema.tuple([VariantSchema.bool()]),
			VariantSchema.dict({"a": VariantSchema.int(0, 0x7FFFFFFFFFFFFFFF).optional(9007199254740993), "v": VariantSchema.vector2().optional(Vector2.UP)}),
			VariantSchema.discriminated("k", {"a": VariantSchema.dict({}), "b": VariantSchema.dict({"n": VariantSchema.int()})}),
			VariantSchema.array(VariantSchema.ref("t")).define("t", VariantSchema.int(1, 2)).describe("text"),
			VariantSchema.vector3().within(AABB(Vector3.ZERO, Vector3(1, 2.5, 3))).max_length(2.0),
			VariantSchema.packed_float32_array().max_size(4), VariantSchema.any().nullable()]:
		_show(made)
		check_same(VariantSchema.from_json(form.SchemaText.write(form.tree)).to_json(), made.to_json(), "the form's schema")
		check_same(form.said()[0], "This schema is well formed.", "the verdict")


func drive_a_value_is_tried() -> void:
	_show(VariantSchema.dict({"hp": VariantSchema.int(0, 100)}))
	form.set_sample("{\"hp\": 250}")
	check_same(form.said()[1], "hp: expected int 0..100, got int 250", "what is said")
	_type("Rule_Max", "300", 0)
	check_same(form.said()[1], "Accepted.", "what is said after the range")
	for text: String in ["{hp", "{\"hp\": 80} garbage", CODE, "Object(Node,\"name\":\"x\")"]:
		form.set_sample(text)
		check_same(form.said()[1], "This is no value.", text)


## Tests that this text is only text in every field: nothing runs, and nothing is left over.
func drive_objects_are_not_made() -> void:
	var orphans := Performance.get_monitor(Performance.OBJECT_ORPHAN_NODE_COUNT)
	for text: String in [CODE, "Object(Node,\"name\":\"x\")"]:
		_show(VariantSchema.dict({"hp": VariantSchema.any()}))
		form.set_sample(text)
		_type("Rule_Default", text, 0)
		_show(VariantSchema.enum(["one"]))
		_type("Rule_Values", text, 0)
		_show(VariantSchema.discriminated("kind", {"orc": VariantSchema.dict({})}))
		var field: LineEdit = _find("Case_0")
		field.text = text
		field.text_submitted.emit(text)
		await frames()
		check(_accepts({"kind": text}), "a case that is named by the text")
	check(not Engine.has_meta(&"ran"), "a script ran")
	check_same(Performance.get_monitor(Performance.OBJECT_ORPHAN_NODE_COUNT), orphans, "nodes that nobody frees")


func drive_bytes_are_held_to_it() -> void:
	var panel: Control = load("res://addons/variant_stream/editor/inspector_panel.gd").new()
	root.add_child(panel)
	panel.open_bytes(var_to_bytes({"hp": 80}), "test")
	await until(func() -> bool: return not panel.document.is_busy(), "the end of the work")
	_show(VariantSchema.dict({"hp": VariantSchema.int(0, 100)}))
	form.use_wanted.connect(func() -> void: panel.hold_to(schema))
	_press("Check the Variant Inspector's bytes by it")
	await until(func() -> bool: return not panel.document.is_busy(), "the check")
	check_same(panel.document.problems.size(), 0, "problems")
	_type("Rule_Max", "70", 0)
	schema.emit_changed()
	await until(func() -> bool: return not panel.document.is_busy(), "the check after an edit")
	await frames()
	check_same(panel.document.problems.size(), 1, "problems after an edit")
	panel.free()


func drive_files() -> void:
	var files := SchemaFiles.new()
	files.add()
	files.add()
	var written := FileAccess.open(PATH, FileAccess.WRITE)
	written.store_string(VariantSchema.dict({"hp": VariantSchema.int(0, 100)}).to_json())
	written.close()
	var loaded: Resource = load(PATH)
	check(loaded is VariantSchema, "what is loaded")
	_show(loaded)
	check(_accepts({"hp": 5}) and not _accepts({"hp": 101}), "what is loaded")
	_type("Rule_Max", "7", 0)
	check_same(ResourceSaver.save(schema), OK, "the answer of saving")
	check_same(FileAccess.get_file_as_string(PATH), schema.to_json(), "what is saved")
	check(FileAccess.get_file_as_string(PATH).contains("\"max\": 7"), "the range in the file")
	check(not FileAccess.file_exists(PATH + ".part"), "what was written first is left")
	# The schema by which the panel checks bytes is the one that the inspector edits.
	var panel: Control = load("res://addons/variant_stream/editor/inspector_panel.gd").new()
	root.add_child(panel)
	panel.rules.load_schema(PATH)
	check(panel.rules.schema == loaded, "the panel has loaded another schema")
	panel.free()
	files.remove()
	files.remove()
	DirAccess.remove_absolute(PATH)
	check(not ResourceLoader.exists("res://probe.vschema.json"), "the loader is still there")


## Checks with a copy, because outside the editor a schema that has checked a value does not change any more.
func _accepts(value: Variant) -> bool:
	return VariantSchema.from_json(schema.to_json()).is_valid(value)


func _show(edited: VariantSchema) -> void:
	if form != null:
		form.free()
	schema = edited
	form = SchemaForm.new(schema)
	form.schema_edited.connect(func(json: String) -> void: schema.json = json)
	root.add_child(form)


func _all(pattern: String) -> Array:
	return form.find_children(pattern, "", true, false)


func _find(name_of: String, index := 0) -> Node:
	return _all(name_of)[index]


## Returns a line of this name by its index; names that are there more than once get a number behind.
func _line(name_of: String, index: int) -> LineEdit:
	return _all(name_of + "*")[index]


func _type(name_of: String, text: String, index: int) -> void:
	var field := _line(name_of, index)
	field.text = text
	field.text_changed.emit(text)


func _press(title: String) -> void:
	for button: Button in form.find_children("*", "Button", true, false):
		if button.text == title:
			button.pressed.emit()
			return
	check(false, "no button " + title)


func _find_button(tip: String) -> Button:
	return form.find_children("*", "Button", true, false).filter(
			func(button: Button) -> bool: return button.tooltip_text == tip)[0]


func _flag(rule: String, index: int) -> void:
	var boxes := _all("Flag_" + rule + "*")
	boxes[mini(index, boxes.size() - 1)].button_pressed = true


## Chooses another type for the last part that has this one.
func _choose(from: String, to: String) -> void:
	var types: PackedStringArray = preload("res://addons/variant_stream/editor/schema/schema_words.gd").TYPES
	var last: OptionButton
	for button: OptionButton in form.find_children("*", "OptionButton", true, false):
		if button.get_item_text(button.selected) == from:
			last = button
	last.select(types.find(to))
	last.item_selected.emit(types.find(to))
