@tool
extends ConfirmationDialog
## Asks for another value in place of a node's, as GDScript writes it. It accepts data only, no objects.

## Reports the new value.
signal value_given(value: Variant)

const Looks := preload("looks.gd")
const ValueText := preload("schema/value_text.gd")

var _text := TextEdit.new()
var _trouble := Label.new()


func _init() -> void:
	title = "Edit value"
	ok_button_text = "Replace"
	var box := VBoxContainer.new()
	_text.custom_minimum_size = Vector2(480, 160) * Looks.scale()
	_text.size_flags_vertical = Control.SIZE_EXPAND_FILL
	_text.text_changed.connect(_look)
	_trouble.autowrap_mode = TextServer.AUTOWRAP_WORD_SMART
	_trouble.custom_minimum_size.x = 480 * Looks.scale()
	Looks.call_it(_text, "Value as GDScript")
	Looks.read_out(_trouble)
	box.add_child(_text)
	box.add_child(_trouble)
	add_child(box)
	confirmed.connect(func() -> void: value_given.emit(ValueText.read(_text.text)[0]))


func ask(path: String, text: String) -> void:
	title = "Edit %s" % Looks.short(path)
	type_text(text)
	if is_inside_tree():
		popup_centered()


func type_text(text: String) -> void:
	_text.text = text
	_look()


func _look() -> void:
	var is_value := not ValueText.read(_text.text).is_empty()
	get_ok_button().disabled = not is_value
	_trouble.text = "" if is_value else "This is no value as GDScript writes it, or one with an object."
