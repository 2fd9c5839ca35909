@tool
extends CenterContainer
## Shows the possible actions as buttons, and the last error, while nothing is open.

signal action(name: StringName)

const Looks := preload("looks.gd")

var _head := Label.new()
var _hint := Label.new()
var _trouble := Label.new()


func _init() -> void:
	size_flags_vertical = SIZE_EXPAND_FILL
	var box := VBoxContainer.new()
	box.add_theme_constant_override(&"separation", int(10 * Looks.scale()))
	_head.text = "See what is in encoded Variants"
	_head.theme_type_variation = &"HeaderMedium"
	_hint.text = ("Open what var_to_bytes(), store_var() or put_var() wrote,\n"
			+ "drop a file here, or paste bytes. Live shows the packets of a\n"
			+ "running game, Saves the saves of VariantSave in a folder.")
	_hint.modulate.a = 0.7
	var buttons := HBoxContainer.new()
	buttons.alignment = BoxContainer.ALIGNMENT_CENTER
	for row: Array in [["Open a file…", &"open"], ["Paste bytes…", &"paste"]]:
		var button := Button.new()
		button.text = row[0]
		button.pressed.connect(func() -> void: action.emit(row[1]))
		buttons.add_child(button)
	# It is as wide as the hint, because the panel would push the editor's docks aside for a long path.
	_trouble.autowrap_mode = TextServer.AUTOWRAP_WORD_SMART
	Looks.read_out(_trouble)
	for label: Label in [_head, _hint, _trouble]:
		label.horizontal_alignment = HORIZONTAL_ALIGNMENT_CENTER
	for control: Control in [_head, _hint, buttons, _trouble]:
		box.add_child(control)
	add_child(box)


## Shows why nothing is open; empty when nothing went wrong.
func tell(trouble: String) -> void:
	_trouble.text = "" if trouble == "cancelled" else trouble
	_trouble.add_theme_color_override(&"font_color", Looks.error(self))
