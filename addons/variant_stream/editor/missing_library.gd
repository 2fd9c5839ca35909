@tool
extends CenterContainer
## Takes the panel's place when the library of this platform is missing. It names no class of it.


func _init() -> void:
	name = "VariantInspector"
	custom_minimum_size.y = 160
	var label := Label.new()
	label.text = ("The VariantStream library for %s (%s) is not there or did not load.\n"
			+ "Put it into addons/variant_stream/bin and start the editor again; the log says what was wrong with it.") % [
			OS.get_name(), Engine.get_architecture_name()]
	label.horizontal_alignment = HORIZONTAL_ALIGNMENT_CENTER
	add_child(label)
