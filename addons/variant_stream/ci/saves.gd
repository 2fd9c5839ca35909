extends SceneTree
## Starts the gate for old saves: every save that was kept of an older version of the game still loads, and gives what it gave.
##   godot --headless --path . -s res://addons/variant_stream/ci/saves.gd --
##       --with res://game/saves.gd [--folder tests/saves] [--record] [--redact] [--junit FILE] [--help]
## The exit code is 0 if all load as recorded, 1 for differences, 2 if the library did not load or nothing ran, 3 if the run
## was cut off.

const LibraryGate := preload("library_gate.gd")

const HELP := """Loads the old saves of a game and compares them with what was recorded of them. Options, behind --:
  --with SCRIPT     the game's script with `static func saves() -> VariantSave`; for --record also
                    `static func sample() -> Variant`, a state of today's version
  --folder FOLDER   the saves (res://tests/saves)
  --record          make the save of today's version, and record what saves without a record give
  --redact          record texts by their length and hash, for saves of players
  --junit FILE      write the result as JUnit XML as well
  --help            print this and load nothing
Exit codes: 0 all as recorded, 1 differences, 2 nothing can be said, 3 the run was cut off."""


func _initialize() -> void:
	quit(3)  # stays 3 when anything below aborts
	var words := OS.get_cmdline_user_args()
	if words.has("--help") or words.has("-h"):
		print(HELP)
		quit(0)
		return
	var missing: String = LibraryGate.open_library()
	if missing.is_empty() and LibraryGate.came_late:
		missing = ("write res://addons/variant_stream/variant_stream.gdextension into .godot/extension_list.cfg and import the project "
				+ "(godot --headless --import), so that the game's script can name its classes")
	if not missing.is_empty():
		printerr("VariantStream did not load: ", missing)
		quit(2)
		return
	# It is loaded only now, because it names the library's classes.
	var saves_run: GDScript = load("res://addons/variant_stream/ci/saves_run.gd")
	quit(saves_run.new().run(words))
