extends HBoxContainer
## Shows the slots with their pictures, as buttons to choose one. It reads no save.

signal chosen(slot: int)

var _group := ButtonGroup.new()


## Shows what VariantSave.peek() says of each slot.
func show_slots(slots: Array[Dictionary], current: int) -> void:
	while get_child_count() < slots.size():
		add_child(_new_button(get_child_count() + 1))
	for i in slots.size():
		var button: Button = get_child(i)
		button.set_pressed_no_signal(i + 1 == current)
		button.icon = _picture(slots[i].get("thumbnail", PackedByteArray()))
		button.text = "Slot %d\n%s" % [i + 1, _told(slots[i])]


static func _told(slot: Dictionary) -> String:
	if slot.get("bytes", 0) == 0:
		return "empty"
	if not slot.is_readable or not slot.metadata is Dictionary:
		return "damaged"
	var shown: Dictionary = slot.metadata
	return "%s, %d hp" % [shown.get("name", "?"), shown.get("hp", 0)]


static func _picture(bytes: PackedByteArray) -> Texture2D:
	var image := Image.new()
	# Another picture than the game's own would be refused with a line in the log.
	if bytes.is_empty() or bytes.slice(1, 4).get_string_from_ascii() != "PNG" or image.load_png_from_buffer(bytes) != OK:
		return null
	return ImageTexture.create_from_image(image)


func _new_button(slot: int) -> Button:
	var button := Button.new()
	button.toggle_mode = true
	button.button_group = _group
	button.alignment = HORIZONTAL_ALIGNMENT_LEFT
	button.size_flags_horizontal = Control.SIZE_EXPAND_FILL
	button.clip_text = true
	button.pressed.connect(func() -> void: chosen.emit(slot))
	return button
