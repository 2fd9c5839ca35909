extends SceneTree
## Runs every test_* method of the *_test.gd files beside it, each on a fresh suite object.
##   godot --headless --path godot_project -s res://tests/run.gd -- [--filter TEXT] [--shard 1/2] [--junit FILE] [--long]
## The exit code is 0 if all passed, 1 for failures, 2 if the library did not load or no test ran, 3 if the
## run was cut off. A test fails that asserts nothing, waits (await), or lets anything be logged that it did
## not announce. A packed game, which runs without editor and checkout, skips the suites with a constant
## EDITOR_ONLY; under AddressSanitizer (`cargo xtask asan`) those with a constant UNSANITIZED are skipped,
## without --long those with a constant LONG_ONLY, with --again those with a constant ONCE: what they test
## cannot depend on the engine's build or on how its memory is read. --shard takes a share of the suites, see
## shares.gd. A constant NEEDS of a suite lists what tests need that an
## engine may lack, threads or sockets, by the test's name, or by "*" for all of them. This script names no
## class of the library, so that it still parses, and says so, where the library is missing.

const ADDON := "res://addons/variant_stream/ci/"
const Shares := preload("shares.gd")
const DEFAULTS := {"filter": "", "shard": "1/1", "junit": "", "again": false, "long": false}
const LOGGER := 0x040500

var _options: Dictionary
var _tap: RefCounted
var _total := 0
var _failed := 0
## Counts suites and tests that need what this engine has not.
var _skipped := 0


func _initialize() -> void:
	quit(3)  # stays 3 when anything below aborts
	await process_frame  # the first frame: from then on nodes can be in the tree
	var trouble := _prepare()
	if not trouble.is_empty():
		printerr(trouble)
		print("== 0 tests, 0 failed")
		quit(2)
		return
	var suites: Array[Dictionary] = []
	var folder: String = get_script().resource_path.get_base_dir()
	var names := Array(DirAccess.get_files_at(folder)).filter(
			func(name: String) -> bool: return name.ends_with("_test.gd"))
	names.sort()
	for name: String in Shares.of(names, _options.shard):
		suites.append({"name": name.get_basename(), "cases": _run_file(folder.path_join(name))})
	if _tap != null:
		OS.call(&"remove_logger", _tap)
	_conclude(suites)


## Prepares options, library and logger, and returns the fault, or an empty text.
func _prepare() -> String:
	# It is load() and not preload(): without the addon's folder this file has to parse all the same.
	if not ResourceLoader.exists(ADDON + "library_gate.gd"):
		return "there is no %s (is godot_project/addons linked?)" % ADDON
	var options: RefCounted = load(ADDON + "options.gd").new(OS.get_cmdline_user_args(), DEFAULTS)
	if not options.error.is_empty():
		return options.error
	_options = options.values
	if not Shares.is_share(_options.shard):
		return "--shard wants a share such as 1/2, got " + _options.shard
	var gate: GDScript = load(ADDON + "library_gate.gd")
	var missing: String = gate.open_library()
	if not missing.is_empty():
		return "VariantStream did not load: " + missing
	if gate.came_late:
		return "the engine found the library only when asked: the project's .godot/extension_list.cfg is missing"
	print(gate.banner())
	if Engine.get_version_info().hex >= LOGGER:
		_tap = load(ADDON + "log_tap.gd").new()
		OS.call(&"add_logger", _tap)  # by name: older engines have no such method and would not parse it
	else:
		print("note: this engine has no Logger (4.5): script and engine errors are not caught")
	return ""


func _run_file(path: String) -> Array[Dictionary]:
	var cases: Array[Dictionary] = []
	if not _has_wanted(path):
		return cases
	var needed: String = _needs(path).get("*", "")
	if _is_lacking(needed):
		_skip(path.get_file(), "needs " + needed)
		return cases
	var script: GDScript = load(path)
	if script == null or not script.can_instantiate():
		cases.append(_closed(path.get_file(), "(load)", 0.0, _logged() + ["the script does not load"]))
		return cases
	for skipped: Array in [
		["EDITOR_ONLY", OS.has_feature("template")],
		["UNSANITIZED", OS.has_environment("ASAN_OPTIONS")],
		["LONG_ONLY", not _options.long],
		["ONCE", _options.again],
	]:
		var why: String = script.get_script_constant_map().get(skipped[0], "")
		if not why.is_empty() and skipped[1]:
			print("skip %s: %s%s" % [path.get_file(), "once: " if skipped[0] == "ONCE" else "", why])
			return cases
	var needs: Dictionary = script.get_script_constant_map().get("NEEDS", {})
	for method in script.get_script_method_list():
		var name: String = method.name
		if not name.begins_with("test_") or not _wanted(path.get_file() + "/" + name):
			continue
		if _is_lacking(needs.get(name, "")):
			_skip(path.get_file() + "/" + name, "needs " + needs[name])
		else:
			var case := _run_test(script, path.get_file(), name)
			if not case.is_empty():
				cases.append(case)
	return cases


## Returns what a suite needs, out of its text: of a script that this engine does not parse nothing else can be had.
func _needs(path: String) -> Dictionary:
	const LINE := "const NEEDS := "
	for line in FileAccess.get_file_as_string(path).split("\n"):
		if line.begins_with(LINE) and line.ends_with("}"):
			return str_to_var(line.trim_prefix(LINE))
	return {}


func _skip(what: String, why: String) -> void:
	_skipped += 1
	print("skip %s: %s" % [what, why])


## Tells whether the engine lacks one of several things, which stand between commas. Engines for browsers have no sockets, and
## most have no threads; a library can be built without them for any engine.
func _is_lacking(needs: String) -> bool:
	for need in needs.split(", ", false):
		if need == "threads":
			if not load(ADDON + "library_gate.gd").has_threads():
				return true
		elif need == "sockets":
			if OS.has_feature("web"):
				return true
		elif need.begins_with("Godot 4."):
			var version := need.trim_prefix("Godot ").split(".") + PackedStringArray(["0"])
			if Engine.get_version_info().hex < 0x040000 | version[1].to_int() << 8 | version[2].to_int():
				return true
		else:
			printerr("nobody knows what it is to need " + need)
	return false


## Tells whether a suite has a test that --filter wants, by its text: what is not wanted is not loaded.
func _has_wanted(path: String) -> bool:
	if _options.filter.is_empty() or path.get_extension() != "gd":
		return true
	var names := FileAccess.get_file_as_string(path).split("\nfunc test_").slice(1)
	# A packed game has no text of its scripts.
	return names.is_empty() or Array(names).any(func(rest: String) -> bool:
			return _wanted("%s/test_%s" % [path.get_file(), rest.get_slice("(", 0)]))


func _wanted(name: String) -> bool:
	return _options.filter.is_empty() or name.contains(_options.filter)


## Runs a test. Nothing is returned of one that found that it needs what is not here.
func _run_test(script: GDScript, file: String, name: String) -> Dictionary:
	_logged()
	var suite: RefCounted = script.new()
	suite.long = _options.long
	var started := Time.get_ticks_usec()
	var answer: Variant = suite.call(name)
	suite.clean_up()
	var seconds := (Time.get_ticks_usec() - started) / 1e6
	for why: String in suite.skipped:
		if suite.asserts == 0 and suite.failures.is_empty():
			_skip(file + "/" + name, why)
			return {}
		print("note %s/%s: not all of it: %s" % [file, name, why])
	var failures := Array(suite.failures)
	if answer is Object:
		failures.append("a test must not await: nobody waits for its end")
	if suite.asserts == 0:
		failures.append("no assertion ran")
	if _tap != null:
		failures += suite.unannounced(_logged())
	return _closed(file, name, seconds, failures)


func _closed(file: String, name: String, seconds: float, failures: Array) -> Dictionary:
	_total += 1
	_failed += int(not failures.is_empty())
	print("%s %s/%s (%.1f ms)" % ["ok  " if failures.is_empty() else "FAIL", file, name, seconds * 1e3])
	for failure: String in failures:
		print("       ", failure)
	return {"name": name, "seconds": seconds, "failures": PackedStringArray(failures)}


## Returns the errors, warnings and prints that were logged since the last call.
func _logged() -> Array:
	if _tap == null:
		return []
	var taken: Dictionary = _tap.take()
	return Array(taken.errors + taken.messages)


func _conclude(suites: Array[Dictionary]) -> void:
	var exit := 2 if _total == 0 else (1 if _failed > 0 else 0)
	if not _options.junit.is_empty():
		var error: Error = load(ADDON + "junit.gd").write(_options.junit, "gdscript", suites)
		if error != OK:
			printerr("cannot write %s: %s" % [_options.junit, error_string(error)])
			exit = 2
	if _skipped > 0:
		print("note: %d suites and tests need what this engine does not have" % _skipped)
	print("== %d tests, %d failed" % [_total, _failed])
	quit(exit)
