@tool
extends ConfirmationDialog
## Takes bytes as text, and says while they are typed how they are understood.

signal bytes_pasted(bytes: PackedByteArray)

const Looks := preload("looks.gd")
const Pasted := preload("pasted.gd")

var _text := TextEdit.new()
var _verdict := Label.new()


func _init() -> void:
	title = "Paste bytes"
	ok_button_text = "Show"
	min_size = Vector2i(Vector2(560, 320) * Looks.scale())
	var box := VBoxContainer.new()
	_text.placeholder_text = "1b000000 01000000 …   or Base64   or [27, 0, 0, 0, …]"
	_text.size_flags_vertical = Control.SIZE_EXPAND_FILL
	_text.wrap_mode = TextEdit.LINE_WRAPPING_BOUNDARY
	_text.text_changed.connect(_judge)
	Looks.call_it(_text, "Bytes as text")
	Looks.read_out(_verdict)
	box.add_child(_text)
	box.add_child(_verdict)
	add_child(box)
	confirmed.connect(func() -> void: bytes_pasted.emit(Pasted.read(_text.text).bytes))
	about_to_popup.connect(_begin)


## Sets the text as if it was typed.
func type_text(text: String) -> void:
	_text.text = text
	_judge()


func _begin() -> void:
	_text.add_theme_font_override(&"font", Looks.mono(_text))
	_text.grab_focus.call_deferred()
	_judge()


func _judge() -> void:
	var read: Dictionary = Pasted.read(_text.text)
	get_ok_button().disabled = read.bytes.is_empty()
	if read.bytes.is_empty():
		_verdict.text = read.error if not read.error.is_empty() else "Hexadecimal digits, Base64 or numbers."
	else:
		_verdict.text = "%s, %s" % [Looks.size_of(read.bytes.size()), read.form]
	var color := Looks.error(_verdict) if not read.error.is_empty() else Looks.text(_verdict)
	_verdict.add_theme_color_override(&"font_color", color)
