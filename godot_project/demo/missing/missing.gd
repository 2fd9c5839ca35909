extends CenterContainer
## Takes the place of all other pages where the library is missing: it says what is missing, and the two ways
## to get it. It names no class of the library.

const EXTENSION := "res://addons/variant_stream/variant_stream.gdextension"


func _ready() -> void:
	%Wanted.text = _library_for_this_machine()
	%Copy.pressed.connect(func() -> void: DisplayServer.clipboard_set(%Command.text))
	%Again.pressed.connect(_on_again_pressed)


## Returns the file that the addon would load here, according to its .gdextension.
func _library_for_this_machine() -> String:
	var description := ConfigFile.new()
	if description.load(EXTENSION) != OK:
		return "the folder addons/variant_stream"
	for key in description.get_section_keys("libraries"):
		var features := Array(key.split("."))
		if features.all(func(feature: String) -> bool: return OS.has_feature(feature)):
			return EXTENSION.get_base_dir().path_join(str(description.get_value("libraries", key)))
	return "a library for %s, which there is none of yet" % OS.get_name()


## Restarts the demo if the library is there now: it is loaded as the engine starts, and so is everything that
## names its classes.
func _on_again_pressed() -> void:
	if FileAccess.file_exists(%Wanted.text):
		OS.set_restart_on_exit(true, OS.get_cmdline_args())
		get_tree().quit()
	else:
		%Again.text = "Not there yet. Look again"
