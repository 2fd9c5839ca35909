extends RefCounted
## Runs the gate for old saves: loads each save of a folder by the game's own VariantSave, and compares what it gives with what
## was recorded. It writes records and the save of today's version, and never changes a save that is there.

const Junit := preload("junit.gd")
const LibraryGate := preload("library_gate.gd")
const Options := preload("options.gd")
const Told := preload("saves_told.gd")

const DEFAULTS := {"with": "", "folder": "res://tests/saves", "record": false, "redact": false, "junit": ""}
## The name of the record of a save, behind the save's own.
const RECORD := ".loaded"
## The first line of a record in which texts are told by length and hash.
const REDACTED := "# redacted"
## Files beside saves that are none.
const OTHERS: Array[String] = ["loaded", "md", "txt", "uid", "import", "damaged", "tmp"]
const TRIED := "user://variant_stream_ci.save"

const NOT_IMPORTED := ("A project that was never imported does not know its own class_names: godot --headless --import, with "
		+ "res://addons/variant_stream/variant_stream.gdextension in .godot/extension_list.cfg")
## Advice for an error of a load, by its kind.
const ADVICE := {
	VariantCodec.UNKNOWN_PROPERTY: "the class has no such variable any more: raise `version`, and add rename() or forget() with its tag",
	VariantCodec.UNKNOWN_KEY: "the schema has no such key any more: raise `version`, and add rename() or forget()",
	VariantCodec.MISSING_KEY: "older saves lack this key: give it a default, optional(value), or raise `version` and add migrate()",
}

enum Exit { AS_RECORDED, DIFFERENT, NOTHING_RAN }

## Takes the lines that are printed, in the place of the console: for tests.
var lines: Array[String]
var keeps_lines := false

var _folder: String
var _script: GDScript
var _redacts := false
var _versions: Array[int] = []


func run(words: PackedStringArray) -> int:
	var options := Options.new(words, DEFAULTS)
	var fault := options.error if not options.error.is_empty() else _open(options.values)
	if fault.is_empty() and options.values.record:
		fault = _make_todays()
	if not fault.is_empty():
		_complain(fault)
		return Exit.NOTHING_RAN
	_say(LibraryGate.banner())
	var cases: Array[Dictionary] = []
	for name in _saves():
		var started := Time.get_ticks_usec()
		var failures := _check(name, options.values.record)
		cases.append({"name": name, "seconds": (Time.get_ticks_usec() - started) / 1e6, "failures": failures})
		_say("%-32s %s" % [name, "as recorded" if failures.is_empty() else "DIFFERENT"])
		for failure in failures:
			_say("  " + failure)
	return _conclude(cases, options.values.junit)


func _say(line: String) -> void:
	if keeps_lines:
		lines.append(line)
	else:
		print(line)


func _complain(line: String) -> void:
	if keeps_lines:
		lines.append(line)
	else:
		printerr(line)


## Finds the game's script and the folder. Returns the fault, or an empty text.
func _open(values: Dictionary) -> String:
	if values.with.is_empty():
		return "--with wants the game's script: a file with `static func saves() -> VariantSave`"
	_script = load(values.with) as GDScript if ResourceLoader.exists(values.with) else null
	if _script == null:
		return "%s is no script that loads" % values.with
	if not _script.can_instantiate():
		return "%s does not compile. %s" % [values.with, NOT_IMPORTED]
	if not _has("saves") or not _new_saves() is VariantSave:
		return "%s has no `static func saves() -> VariantSave`" % values.with
	_folder = values.folder if values.folder.contains("://") else "res://" + values.folder
	_redacts = values.redact
	if values.record:
		DirAccess.make_dir_recursive_absolute(_folder)
	return "" if DirAccess.dir_exists_absolute(_folder) else "there is no folder %s; --record makes it" % _folder


func _has(method: String) -> bool:
	return _script.get_script_method_list().any(func(it: Dictionary) -> bool: return it.name == method)


## A new one for each save: nothing of one load is left for the next.
func _new_saves() -> VariantSave:
	var saves: VariantSave = _script.call(&"saves")
	if saves != null:
		# A backup that loads is no old save that does.
		saves.fallback = VariantSave.FALLBACK_NEVER
	return saves


## Makes the save of today's version, if there is none. Returns the fault, or an empty text.
func _make_todays() -> String:
	var saves := _new_saves()
	var path := _folder.path_join("v%d.save" % saves.version)
	if FileAccess.file_exists(path):
		return ""
	if not _has("sample"):
		return "--record wants `static func sample() -> Variant`, a state of today's version, in %s" % _script.resource_path
	if saves.save(path, _script.call(&"sample")) != OK:
		return "the sample of today's version cannot be saved: " + saves.get_error_message()
	_say("made " + path)
	return ""


func _saves() -> PackedStringArray:
	var names := PackedStringArray()
	for name in DirAccess.get_files_at(_folder):
		var is_other := name.begins_with(".") or name.get_extension() in OTHERS or name.get_extension().begins_with("bak")
		if not is_other:
			names.append(name)
	names.sort()
	return names


func _check(name: String, records: bool) -> PackedStringArray:
	var path := _folder.path_join(name)
	var saves := _new_saves()
	var peeked := VariantSave.peek(path)
	if peeked.is_readable:
		_versions.append(peeked.version)
	if saves.load(path) != OK:
		var advice: String = ADVICE.get(saves.get_error().code, "")
		return ["does not load: " + saves.get_error_message() + ("; " + advice if not advice.is_empty() else "")]
	var failures := PackedStringArray()
	var loaded: Variant = saves.data
	var failure := _compare(path + RECORD, loaded, records)
	if not failure.is_empty():
		failures.append(failure)
	# A state that the game could not save again would be lost at the next save.
	if saves.save(TRIED, loaded) != OK:
		failures.append("loads, and cannot be saved again: " + saves.get_error_message())
	saves.discard_damaged = true
	saves.remove(TRIED)
	return failures


## Compares a state with its record, and makes one where there is none and `records`. Returns the difference.
func _compare(path: String, loaded: Variant, records: bool) -> String:
	if not FileAccess.file_exists(path):
		if not records:
			return "there is no %s; --record makes it" % path.get_file()
		var made := FileAccess.open(path, FileAccess.WRITE)
		if made == null:
			return "%s cannot be written: %s" % [path, error_string(FileAccess.get_open_error())]
		made.store_string((REDACTED + "\n" if _redacts else "") + Told.tell(loaded, _redacts) + "\n")
		_say("recorded " + path)
		return ""
	var recorded := FileAccess.get_file_as_string(path).replace("\r\n", "\n")
	var is_redacted := recorded.begins_with(REDACTED)
	var told := (REDACTED + "\n" if is_redacted else "") + Told.tell(loaded, is_redacted) + "\n"
	if told == recorded:
		return ""
	return _difference(recorded.split("\n"), told.split("\n")) + "; if that is meant, delete %s and record again" % path.get_file()


## The first line that differs.
static func _difference(recorded: PackedStringArray, told: PackedStringArray) -> String:
	for at in maxi(recorded.size(), told.size()):
		var was := recorded[at] if at < recorded.size() else "nothing more"
		var is_now := told[at] if at < told.size() else "nothing more"
		if was != is_now:
			return "line %d of what it gives: recorded %s, now %s" % [at + 1, was.strip_edges(), is_now.strip_edges()]
	return "it differs"


func _conclude(cases: Array[Dictionary], junit: String) -> int:
	var failed := cases.filter(func(it: Dictionary) -> bool: return not it.failures.is_empty()).size()
	var exit := Exit.AS_RECORDED if failed == 0 else Exit.DIFFERENT
	if cases.is_empty():
		_complain("there is no save in %s; --record makes that of today's version" % _folder)
		exit = Exit.NOTHING_RAN
	if not junit.is_empty():
		var error := Junit.write(junit, "VariantStream", [{"name": "saves", "cases": cases}])
		if error != OK:
			_complain("cannot write %s: %s" % [junit, error_string(error)])
			exit = Exit.NOTHING_RAN
	var todays := _new_saves().version
	if not cases.is_empty() and not _versions.has(todays):
		_say("note: no save of today's version, %d; --record makes it, and the next version needs it" % todays)
	_say("== %d saves, %d different" % [cases.size(), failed])
	return exit
