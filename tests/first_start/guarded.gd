extends SceneTree
## What a project does that has to run without the library as well: asks first, and keeps the scripts that name the
## classes apart. Exit code: 0 in both cases.


func _initialize() -> void:
	if ClassDB.class_exists(&"VariantStream"):
		var user: GDScript = load("res://user.gd")
		print("with the library: ", user.new().encode({"hp": 80}).size(), " bytes")
	else:
		print("without the library: the game goes on")
	quit(0)
