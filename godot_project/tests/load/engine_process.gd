extends RefCounted
## Makes command lines that start another process of the running engine, which may itself have been started
## through a loader.

## The options that come first when the tests or `cargo xtask screenshots` start the engine.
const FIRST_OPTIONS: PackedStringArray = ["--headless", "--rendering-driver"]
const CMDLINE := "/proc/self/cmdline"
## The variable that names the program that started this engine, where its own command line does not: under an
## emulator of another processor, as `cargo xtask foreign` starts it.
const LAUNCHER := "VARIANT_STREAM_LAUNCHER"


## Returns the words of a command line that runs a script of this project, the program first.
static func command(script: String, options: PackedStringArray) -> PackedStringArray:
	return _running(["-s", script], options)


## Returns the words of a command line that runs a scene.
static func scene_command(scene: String, options: PackedStringArray) -> PackedStringArray:
	return _running([scene], options)


## Returns the command line of the editor's doc tool: it writes the classes of the library into
## `folder`/doc_classes, with the descriptions that it finds there.
static func doc_tool_command(folder: String) -> PackedStringArray:
	var project := ProjectSettings.globalize_path("res://")
	return _engine() + PackedStringArray(["--headless", "--no-header", "--path", project,
		"--doctool", folder, "--gdextension-docs"])


## Tells whether an emulator runs the engine, so that times are not the library's own.
static func is_emulated() -> bool:
	return OS.has_environment(LAUNCHER)


static func _running(what: PackedStringArray, options: PackedStringArray) -> PackedStringArray:
	var project := ProjectSettings.globalize_path("res://")
	return _engine() + PackedStringArray(["--headless", "--no-header", "--path", project]) + what + (
			PackedStringArray(["--"])) + options


## Returns everything before the engine's own arguments: a loader, its options, the engine.
static func _engine() -> PackedStringArray:
	var named := OS.get_environment(LAUNCHER)
	if not named.is_empty():
		return PackedStringArray([named])
	var words := PackedStringArray()
	var file := FileAccess.open(CMDLINE, FileAccess.READ) if OS.get_name() == "Linux" else null
	while file != null:
		var word := _word(file)
		if word.is_empty() or word in FIRST_OPTIONS:
			break
		words.append(word)
	return words if words.size() > 1 else PackedStringArray([OS.get_executable_path()])


static func _word(file: FileAccess) -> String:
	var letters := PackedByteArray()
	while not file.eof_reached():
		var letter := file.get_8()
		if letter == 0:
			break
		letters.append(letter)
	return letters.get_string_from_utf8()
