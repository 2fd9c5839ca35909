extends RefCounted
## Makes sure that the native classes exist before any script that names one of them is parsed. In a project
## that was never imported the engine has not found the extension by itself. It knows nothing of what the
## classes do.

const EXTENSION := "res://addons/variant_stream/variant_stream.gdextension"
const CLASSES: Array[StringName] = [
	&"VariantStream", &"VariantCodec", &"VariantLimits", &"VariantSchema", &"VariantReader", &"VariantWriter",
	&"VariantJob", &"VariantOutline", &"VariantSave", &"VariantClassSet", &"VariantProtocol"]

## The first version with static calls by name, which are the only ones for a class that came late.
const CALLS_BY_NAME := 0x040400

## Whether the engine did not know the classes when it started, so that scripts cannot name them.
static var came_late := false


## Loads the library when the engine has not done so, and returns the fault, or an empty text.
static func open_library() -> String:
	if not ClassDB.class_exists(CLASSES[0]):
		came_late = true
		if Engine.get_version_info().hex < CALLS_BY_NAME:
			return "before Godot 4.4 the project has to be imported once (godot --headless --import)"
		if not FileAccess.file_exists(EXTENSION):
			return "there is no %s" % EXTENSION
		if not GDExtensionManager.is_extension_loaded(EXTENSION):
			var status := GDExtensionManager.load_extension(EXTENSION)
			if status != GDExtensionManager.LOAD_STATUS_OK:
				return "the engine answered load status %d for %s (is the library built?)" % [status, EXTENSION]
	for name in CLASSES:
		if not ClassDB.class_exists(name):
			return "the library has no class %s" % name
	return ""


## Returns `VariantStream 0.1.0 (api 4.3) on Godot 4.6.3.stable, single precision, 39 types, linux.x86_64`.
static func banner() -> String:
	var extension := ConfigFile.new()
	var version: String = _subject().version()
	var api := "?"
	if FileAccess.file_exists(EXTENSION) and extension.load(EXTENSION) == OK:
		api = str(extension.get_value("configuration", "compatibility_minimum", api))
	var engine := Engine.get_version_info()
	return "VariantStream %s (api %s) on Godot %d.%d.%d.%s, %s precision, %d types, %s.%s" % [
		version, api, engine.major, engine.minor, engine.patch, engine.status,
		"double" if OS.has_feature("double") else "single", TYPE_MAX,
		OS.get_name().to_lower(), Engine.get_architecture_name(),
	]


## Tells whether engine and library both have threads: whether jobs run beside the main thread.
static func has_threads() -> bool:
	return OS.has_feature("threads") and not Array(_subject().fallbacks()).any(
			func(told: String) -> bool: return told.begins_with("threads: "))


## Loaded only when it is asked for, since it names a class of the library.
static func _subject() -> RefCounted:
	return load("res://addons/variant_stream/ci/%s.gd" % ("late_subject" if came_late else "subject")).new()
