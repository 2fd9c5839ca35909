@tool
extends VBoxContainer
## Shows a VariantSchema as a form in the inspector: its parts, whether it contradicts itself, and a place to
## try a value. All of it follows the edits. A schema that contradicts itself is not taken over.

## Reports that the form has become another well-formed schema; `json` is that schema.
signal schema_edited(json: String)
## Reports that the bytes in the panel are to be checked against this schema.
signal use_wanted

const Looks := preload("../looks.gd")
const PartForm := preload("part_form.gd")
const SchemaText := preload("schema_text.gd")
const ValueText := preload("value_text.gd")

const HINT := "Type a value as GDScript writes it: {\"hp\": 80}"
const MOST_SHOWN := 8

var schema: VariantSchema
var tree := {}

## Whether the parts are to be made anew.
var _is_reshaped := false
var _verdict := Label.new()
var _parts := VBoxContainer.new()
var _sample := TextEdit.new()
var _answer := Label.new()


func _init(edited_schema: VariantSchema) -> void:
	schema = edited_schema
	Looks.keep_words(self)
	tree = SchemaText.read(schema)
	_verdict.autowrap_mode = TextServer.AUTOWRAP_WORD_SMART
	_answer.autowrap_mode = TextServer.AUTOWRAP_WORD_SMART
	_sample.placeholder_text = HINT
	_sample.custom_minimum_size.y = 76 * Looks.scale()
	_sample.wrap_mode = TextEdit.LINE_WRAPPING_BOUNDARY
	_sample.text_changed.connect(_try)
	Looks.call_it(_sample, "A value to try")
	Looks.read_out(_verdict)
	Looks.read_out(_answer)
	var use := Button.new()
	use.text = "Check the Variant Inspector's bytes by it"
	use.clip_text = true
	use.tooltip_text = use.text
	use.pressed.connect(func() -> void: use_wanted.emit())
	for control: Control in [_verdict, use, _title("Try a value"), _sample, _answer, HSeparator.new(), _parts]:
		add_child(control)
	_make_parts()


func _ready() -> void:
	_judge()
	_sample.add_theme_font_override(&"font", Looks.mono(self))


func set_sample(text: String) -> void:
	_sample.text = text
	_try()


## Returns what the form says of the schema and of the tried value, for tests.
func said() -> PackedStringArray:
	return [_verdict.text, _answer.text]


func parts() -> Control:
	return _parts


func _make_parts() -> void:
	_is_reshaped = false
	for child in _parts.get_children():
		_parts.remove_child(child)
		child.queue_free()
	var form := PartForm.new(tree)
	form.edited.connect(_edit)
	form.reshaped.connect(_reshape)
	_parts.add_child(form)


## Makes the parts anew later: a field with the keyboard focus finishes its edit when it goes, and that may
## change the parts once more.
func _reshape() -> void:
	_edit()
	if not _is_reshaped:
		_is_reshaped = true
		_make_parts.call_deferred()


func _edit() -> void:
	var json := SchemaText.write(tree)
	var tried := _judge()
	if tried.is_well_formed() and tried.to_json() != schema.to_json():
		schema_edited.emit(json)
	_try()


## Shows whether the form contradicts itself, and returns the schema that it makes.
func _judge() -> VariantSchema:
	var tried := VariantSchema.from_json(SchemaText.write(tree))
	var wrong := tried.get_build_errors()
	var is_fine := wrong.is_empty()
	var lines := wrong.map(func(mistake: Dictionary) -> String: return "%s: %s" % [mistake.path, mistake.message])
	_verdict.text = "This schema is well formed." if is_fine else "\n".join(lines)
	_verdict.add_theme_color_override(&"font_color", Looks.success(self) if is_fine else Looks.error(self))
	return tried


func _try() -> void:
	var text := _sample.text.strip_edges()
	_answer.text = ""
	if text.is_empty():
		return
	var typed := ValueText.read(text)
	if typed.is_empty():
		_tell("This is no value.", false)
		return
	var tried := VariantSchema.from_json(SchemaText.write(tree))
	if not tried.is_well_formed():
		return
	if tried.is_valid(typed[0]):
		_tell("Accepted.", true)
		return
	var lines := tried.get_errors(MOST_SHOWN).map(func(error: Dictionary) -> String: return error.message)
	_tell("\n".join(lines), false)


func _tell(text: String, is_fine: bool) -> void:
	_answer.text = text
	_answer.add_theme_color_override(&"font_color", Looks.success(self) if is_fine else Looks.error(self))


static func _title(text: String) -> Label:
	var label := Label.new()
	label.text = text
	label.theme_type_variation = &"HeaderSmall"
	return label
