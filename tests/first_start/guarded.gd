extends SceneTree
## Runs with and without the library, as a project does that has to start in both cases. It asks for the class
## first, and names the classes only in a script of its own. The exit code is 0 in both cases.


func _initialize() -> void:
	if ClassDB.class_exists(&"VariantStream"):
		var user: GDScript = load("res://user.gd")
		print("with the library: ", user.new().encode({"hp": 80}).size(), " bytes")
	else:
		print("without the library: the game goes on")
	quit(0)
