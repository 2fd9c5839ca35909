extends SceneTree
## The door of the conformance run: proves, in any project, that the addon reads and writes what this
## engine does.
##   godot --headless --path . -s res://addons/variant_stream/ci/conformance.gd --
##       [--seed N] [--cases N] [--golden FOLDER] [--junit FILE]
## Exit code: 0 all equal, 1 differences, 2 the library did not load or nothing ran, 3 the run was cut off.
## It names no class of the library, so that it still parses, and says so, where the library is missing.

const LibraryGate := preload("library_gate.gd")


func _initialize() -> void:
	quit(3)  # stays 3 when anything below aborts
	var missing: String = LibraryGate.open_library()
	if not missing.is_empty():
		printerr("VariantStream did not load: ", missing)
		quit(2)
		return
	# Loaded only now: what it loads names the library's classes.
	var conformance_run: GDScript = load("res://addons/variant_stream/ci/conformance_run.gd")
	quit(conformance_run.new().run(OS.get_cmdline_user_args()))
