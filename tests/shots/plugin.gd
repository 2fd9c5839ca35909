@tool
extends EditorPlugin
## Brings the editor into one state after another and takes a picture of each.
##   godot --editor --path PROJECT ++ --shots FOLDER THEME
## It shows nothing of its own; scenes.gd defines the states.

const Scenes := preload("scenes.gd")


func _enter_tree() -> void:
	var words := OS.get_cmdline_user_args()
	if words.size() == 3 and words[0] == "--shots":
		_shoot.call_deferred(words[1], words[2])


func _shoot(folder: String, theme: String) -> void:
	var scenes := Scenes.new(self)
	await scenes.begin()
	for name: String in scenes.NAMES:
		await scenes.call(name)
		await scenes.rest()
		RenderingServer.force_draw()
		var image := scenes.picture()
		var path := folder.path_join("%s_%s.png" % [name, theme])
		print("picture %s %dx%d: %s" % [path.get_file(), image.get_width(), image.get_height(), error_string(image.save_png(path))])
	get_tree().quit(0)
