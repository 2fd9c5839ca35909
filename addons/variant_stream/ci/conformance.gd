extends SceneTree
## Starts the conformance run, which proves, in any project, that the addon reads and writes what this engine
## does.
##   godot --headless --path . -s res://addons/variant_stream/ci/conformance.gd --
##       [--seed N] [--cases N] [--golden FOLDER] [--junit FILE] [--help]
## The exit code is 0 if all is equal, 1 for differences, 2 if the library did not load or nothing ran, 3 if
## the run was cut off. This script names no class of the library, so that it still parses, and says so, where
## the library is missing.

const LibraryGate := preload("library_gate.gd")

const HELP := """Compares VariantStream with the engine it runs in. Options, behind --:
  --cases N         so many values and so many spoiled buffers (20000)
  --seed N          the same seed makes the same values on every machine (20240)
  --golden FOLDER   recorded values (those of the addon)
  --junit FILE      write the result as JUnit XML as well
  --help            print this and compare nothing
Exit codes: 0 all equal, 1 differences, 2 nothing can be said, 3 the run was cut off."""


func _initialize() -> void:
	quit(3)  # stays 3 when anything below aborts
	var words := OS.get_cmdline_user_args()
	if words.has("--help") or words.has("-h"):
		print(HELP)
		quit(0)
		return
	var missing: String = LibraryGate.open_library()
	if not missing.is_empty():
		printerr("VariantStream did not load: ", missing)
		quit(2)
		return
	# It is loaded only now, because it names the library's classes.
	var conformance_run: GDScript = load("res://addons/variant_stream/ci/conformance_run.gd")
	quit(conformance_run.new().run(words))
