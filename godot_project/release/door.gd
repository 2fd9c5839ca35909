extends Node
## The main scene of the packed project: becomes the script that the environment names, as `-s` would start it.
## A release template takes no `-s`. Used by `cargo xtask release-run`; judges nothing.

const VARIABLE := "VARIANT_STREAM_SCRIPT"


func _ready() -> void:
	var path := OS.get_environment(VARIABLE)
	var script: GDScript = null
	if ResourceLoader.exists(path, "Script"):
		script = load(path)
	if script == null or script.get_instance_base_type() != &"SceneTree":
		printerr("%s has to name a script that extends SceneTree, not \"%s\"" % [VARIABLE, path])
		get_tree().quit(2)
		return
	var tree := get_tree()
	tree.set_script(script)
	tree.call(&"_initialize")
