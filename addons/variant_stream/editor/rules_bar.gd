@tool
extends HFlowContainer
## Lets the user choose the rules by which bytes are read and checked: dialect, framing, strictness, limits
## and schema. They are folded behind a button that says which hold. It reads no bytes.

## Reports that dialect or framing changed: the bytes have to be read anew.
signal reading_changed
## Reports that strictness, limits or schema changed: the bytes have to be checked anew.
signal rules_changed

const Looks := preload("looks.gd")

const AUTO := -1
const DIALECTS := {-1: "Auto", 0: "Godot 4", 1: "Godot 3", 2: "Documented"}
const FRAMINGS := {-1: "Auto", 0: "None", 1: "u32", 2: "u32 big endian"}
const STRICTNESS: PackedStringArray = ["ENGINE", "SAFE", "CANONICAL"]
const LIMITS: PackedStringArray = ["save_file()", "network()", "engine()"]
const NO_SCHEMA := 0
const LOAD_SCHEMA := 1
const GUESS_SCHEMA := 2

## Shows and hides the settings. The panel's upper line has it.
var button := Button.new()
var schema: VariantSchema
## The reason why there is no schema although one was chosen.
var schema_error := ""
## Returns a schema of the shown value.
var example := Callable()

var _dialect := OptionButton.new()
var _framing := OptionButton.new()
var _strictness := OptionButton.new()
var _limits := OptionButton.new()
var _schema := MenuButton.new()
var _files := FileDialog.new()


func _init() -> void:
	add_theme_constant_override(&"h_separation", int(10 * Looks.scale()))
	_fill(_dialect, DIALECTS)
	_fill(_framing, FRAMINGS)
	for word in STRICTNESS:
		_strictness.add_item(word)
	_strictness.select(VariantCodec.SAFE)
	for word in LIMITS:
		_limits.add_item(word)
	_add("Dialect", _dialect, "Which Godot wrote the bytes. Auto: what they fit.")
	_add("Framing", _framing, "How values stand one after another: with a length before each, or without.")
	_add("Strictness", _strictness, "What VariantCodec.strictness says of the bytes.")
	_add("Limits", _limits, "Which preset of VariantLimits they are held to.")
	_add("Schema", _schema, "What the value has to look like.")
	for choice: OptionButton in [_dialect, _framing]:
		choice.item_selected.connect(func(_index: int) -> void: reading_changed.emit())
	for choice: OptionButton in [_strictness, _limits]:
		choice.item_selected.connect(func(_index: int) -> void: rules_changed.emit())
	_make_schema_menu()
	button.toggle_mode = true
	button.tooltip_text = "Show or hide the rules by which bytes are read and checked."
	button.toggled.connect(func(is_on: bool) -> void: visible = is_on)
	reading_changed.connect(_name_button)
	rules_changed.connect(_name_button)
	hide()
	_name_button()


## Says which rules hold: of dialect and framing what is not the usual, since those of a game's own bytes are guessed.
func _name_button() -> void:
	var words := PackedStringArray()
	for choice: OptionButton in [_dialect, _framing]:
		var word := choice.get_item_text(choice.selected)
		if not word in ["Auto", "Auto (Godot 4)", "Auto (None)"]:
			words.append(word)
	words.append(STRICTNESS[_strictness.selected])
	words.append(LIMITS[_limits.selected])
	if schema != null or not schema_error.is_empty():
		words.append(_schema.text)
	button.text = "Rules: " + ", ".join(words)
	button.icon = _schema.icon


func dialect() -> int:
	return _dialect.get_selected_id() - 1


func framing() -> int:
	return _framing.get_selected_id() - 1


## Returns the rules by which a document is checked.
func rules() -> Dictionary:
	var presets: Array[Callable] = [VariantLimits.save_file, VariantLimits.network, VariantLimits.engine]
	# It is a copy, because a schema that has checked a value cannot be edited any more, and this one may be
	# open in a form.
	var held := VariantSchema.from_json(schema.to_json()) if schema != null else null
	return {"strictness": _strictness.selected, "limits": presets[_limits.selected].call(), "schema": held,
			"schema_error": _what_is_wrong()}


## Returns why the chosen schema cannot be used. It is said here, because a codec would log it for each value.
func _what_is_wrong() -> String:
	if schema == null or schema.is_well_formed():
		return schema_error
	var wrong := schema.get_build_errors()
	var more := "" if wrong.size() == 1 else " (and %d more)" % (wrong.size() - 1)
	return "the schema contradicts itself: %s: %s%s" % [wrong[0].path, wrong[0].message, more]


## Shows the guessed dialect and framing behind the word Auto.
func show_guess(dialect_number: int, framing_number: int) -> void:
	_dialect.set_item_text(0, _auto(DIALECTS, dialect_number))
	_framing.set_item_text(0, _auto(FRAMINGS, framing_number))
	_name_button()


func choose_reading(dialect_number: int, framing_number: int) -> void:
	_dialect.select(dialect_number + 1)
	_framing.select(framing_number + 1)
	_name_button()


func choose_rules(strictness: int, limits: int) -> void:
	_strictness.select(strictness)
	_limits.select(limits)
	_name_button()


## Sets the schema, or none. With an `error` nothing is accepted, because a schema was wanted.
func set_schema(chosen: VariantSchema, title: String, error := "") -> void:
	if schema != null:
		schema.changed.disconnect(_tell)
	schema = chosen
	if schema != null:
		# When it is edited in the inspector, the bytes are checked against it at once.
		schema.changed.connect(_tell)
	schema_error = error
	_schema.text = "None" if chosen == null and error.is_empty() else Looks.short(title)
	_schema.icon = _schema_icon()
	rules_changed.emit()


func _schema_icon() -> Texture2D:
	if not _what_is_wrong().is_empty():
		return Looks.icon(self, &"StatusError")
	return Looks.icon(self, &"StatusSuccess") if schema != null else null


func _tell() -> void:
	_schema.icon = _schema_icon()
	rules_changed.emit()


## Loads a schema from a `.vschema.json` or a resource.
func load_schema(path: String) -> void:
	var title := path.get_file()
	# In the editor a `.vschema.json` is a resource, the one that is open in the inspector.
	if path.get_extension() == "json" and not ResourceLoader.exists(path, "VariantSchema"):
		var text := FileAccess.get_file_as_string(path)
		if FileAccess.get_open_error() != OK:
			set_schema(null, title, "%s cannot be opened (%s)" % [title, error_string(FileAccess.get_open_error())])
		else:
			set_schema(VariantSchema.from_json(text), title)
		return
	var loaded := ResourceLoader.load(path)
	var error := ""
	if loaded == null:
		error = "%s cannot be loaded" % title
	elif not loaded is VariantSchema:
		error = "%s is no VariantSchema but a %s" % [title, loaded.get_class()]
	set_schema(loaded as VariantSchema, title, error)


func _auto(words: Dictionary, number: int) -> String:
	return "Auto" if number == AUTO else "Auto (%s)" % words.get(number, "?")


func _fill(choice: OptionButton, words: Dictionary) -> void:
	for number: int in words:
		choice.add_item(words[number], number + 1)


func _add(title: String, control: Control, tip: String) -> void:
	var pair := HBoxContainer.new()
	var label := Label.new()
	label.text = title
	label.modulate.a = 0.7
	control.tooltip_text = tip
	Looks.call_it(control, title)
	if control is OptionButton:
		(control as OptionButton).fit_to_longest_item = false
	pair.add_child(label)
	pair.add_child(control)
	add_child(pair)


func _make_schema_menu() -> void:
	_schema.text = "None"
	_schema.focus_mode = Control.FOCUS_ALL
	_schema.flat = false
	var menu := _schema.get_popup()
	menu.add_item("None", NO_SCHEMA)
	menu.add_item("Load…", LOAD_SCHEMA)
	menu.add_item("Made of this value", GUESS_SCHEMA)
	menu.id_pressed.connect(_choose_schema)
	_files.file_mode = FileDialog.FILE_MODE_OPEN_FILE
	_files.access = FileDialog.ACCESS_RESOURCES
	_files.auto_translate_mode = AUTO_TRANSLATE_MODE_ALWAYS
	_files.filters = PackedStringArray(["*.json;Schema as JSON", "*.tres,*.res;VariantSchema"])
	_files.file_selected.connect(load_schema)
	add_child(_files)


func _choose_schema(id: int) -> void:
	match id:
		NO_SCHEMA:
			set_schema(null, "")
		LOAD_SCHEMA:
			Looks.pop_up(_files)
		GUESS_SCHEMA:
			if example.is_valid():
				_hold_to_example(example.call())


func _hold_to_example(made: VariantSchema) -> void:
	set_schema(made, "Of this value", "" if made != null else "There is no value that a schema could be made of")
