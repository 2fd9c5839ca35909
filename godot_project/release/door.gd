extends Node
## Serves as the main scene of the packed project: it becomes the script that the environment names, as `-s`
## would start it. A release template takes no `-s`. `cargo xtask release-run` uses it; it judges nothing.

const VARIABLE := "VARIANT_STREAM_SCRIPT"


func _ready() -> void:
	var path := _named()
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


## Returns the named script. A browser has no environment: there the page has a variable of this name.
func _named() -> String:
	if OS.has_feature("web"):
		return str(JavaScriptBridge.eval("globalThis.%s" % VARIABLE))
	return OS.get_environment(VARIABLE)
