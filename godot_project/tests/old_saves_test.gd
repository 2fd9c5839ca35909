extends "suite.gd"
## Tests the gate for old saves that ships in the addon: what it records, and that it is red when a save does not load, gives
## something else, or when nothing ran.

const EngineProcess := preload("load/engine_process.gd")
const SavesRun := preload("res://addons/variant_stream/ci/saves_run.gd")

const GATE := "res://addons/variant_stream/ci/saves.gd"
const GAME := "res://tests/old_saves/game.gd"
const FORGETFUL := "res://tests/old_saves/forgetful_game.gd"
const FOLDER := "user://old_saves"


var _printed := ""


func clean_up() -> void:
	if not DirAccess.dir_exists_absolute(FOLDER):
		return
	for name in DirAccess.get_files_at(FOLDER):
		DirAccess.remove_absolute(FOLDER.path_join(name))
	DirAccess.remove_absolute(FOLDER)


func _run(game: String, more: PackedStringArray = []) -> int:
	return _run_words(PackedStringArray(["--with", game, "--folder", FOLDER]) + more)


func _run_words(words: PackedStringArray) -> int:
	var run := SavesRun.new()
	run.keeps_lines = true
	var code := run.run(words)
	_printed = "\n".join(run.lines)
	return code


func _record(name: String) -> String:
	return FileAccess.get_file_as_string(FOLDER.path_join(name + ".loaded"))


func test_nothing_ran_is_red() -> void:
	check_same(_run_words([]), 2, "no script")
	check(_printed.contains("wants the game's script"), _printed)
	check_same(_run("res://nowhere.gd"), 2, "a script that is not there")
	check(_printed.contains("is no script that loads"), _printed)
	check_same(_run("res://tests/suite.gd"), 2, "another script")
	check(_printed.contains("has no `static func saves()"), _printed)
	check_same(_run(GAME), 2, "no folder")
	check(_printed.contains("there is no folder"), _printed)
	DirAccess.make_dir_recursive_absolute(FOLDER)
	check_same(_run(GAME), 2, "no save")
	check(_printed.contains("there is no save in"), _printed)
	check_same(_run(GAME, ["--recrod"]), 2, "a mistyped option")
	check_same(_run(FORGETFUL, ["--record"]), 2, "no sample")
	check(_printed.contains("wants `static func sample()"), _printed)


func test_what_was_recorded_is_what_is_loaded() -> void:
	check_same(_run(GAME, ["--record"]), 0, "record")
	check_same(_record("v2.save").split("\n").slice(0, 3),
			PackedStringArray(["Dictionary of 3", "\t\"hp\": 80", "\t\"name\": \"Ada\""]), _record("v2.save"))
	check(_record("v2.save").contains("object 1 again"), "sharing is told")
	var before := FileAccess.get_file_as_bytes(FOLDER + "/v2.save")
	check_same(_run(GAME), 0, "as recorded")
	check_same(FileAccess.get_file_as_bytes(FOLDER + "/v2.save"), before, "the save stays")
	var first := VariantSave.new()
	check_error(first.save(FOLDER + "/of_a_player.save", {"health": 7}), OK, "a save of version 1")
	check_same(_run(GAME), 1, "without a record")
	check_same(_run(GAME, ["--record"]), 0, "with one")
	check(_record("of_a_player.save").contains("\"hp\": 7"), "what it became")
	check_same(_run(FORGETFUL), 1, "without its step")
	check(_printed.contains("add rename(1, ...), forget(1, ...) or migrate(1, ...)"), _printed)
	check(not _printed.contains("note:"), "today's save is there, whether it loads or not: " + _printed)
	var file := FileAccess.open(FOLDER + "/of_a_player.save.loaded", FileAccess.WRITE)
	file.store_string("Dictionary of 1\n\t\"hp\": 8\n")
	file.close()
	check_same(_run(GAME, ["--junit", FOLDER + "/report.xml"]), 1, "another outcome")
	check(_printed.contains("recorded \"hp\": 8, now \"hp\": 7; if that is meant, delete of_a_player.save.loaded and record again"), _printed)
	var report := FileAccess.get_file_as_string(FOLDER + "/report.xml")
	check(report.contains("recorded &quot;hp&quot;: 8, now &quot;hp&quot;: 7"), report)
	DirAccess.remove_absolute(FOLDER + "/report.xml")


## Tests what a game says that was changed without a step: which one to write.
func test_the_step_to_write_is_named() -> void:
	DirAccess.make_dir_recursive_absolute(FOLDER)
	var game := GDScript.new()
	var path := FOLDER + "/game.gd"
	for row: Array in [["{}", "no such key any more: raise `version`, and add rename() or forget()"],
			["{\"health\": VariantSchema.int(), \"mana\": VariantSchema.int()}", "give it a default, optional(value)"]]:
		check_error(VariantSave.new().save(FOLDER + "/v1.save", {"health": 7}), OK, "a save")
		game.source_code = "static func saves() -> VariantSave:\n\tvar saves := VariantSave.new()\n\tsaves.schema = VariantSchema.dict(%s)\n\treturn saves\n" % row[0]
		check_error(ResourceSaver.save(game, path), OK, "a script")
		check_same(_run(path, []), 1, row[0])
		check(_printed.contains(row[1]), _printed)
		check(not _printed.contains("note:"), _printed)
		DirAccess.remove_absolute(path)
		path = FOLDER + "/game2.gd"


func test_a_script_that_does_not_compile_is_named() -> void:
	if OS.has_feature("template"):
		skip("is about what the editor's build logs of a script")
		return
	DirAccess.make_dir_recursive_absolute(FOLDER)
	var file := FileAccess.open(FOLDER + "/broken.gd", FileAccess.WRITE)
	file.store_string("static func saves() -> VariantSave:\n\treturn NoSuchHero.new()\n")
	file.close()
	expect_script_error("Parse Error: Identifier \"NoSuchHero\"")
	expect_error("Failed to load script")
	check_same(_run(FOLDER + "/broken.gd"), 2, "exit code")
	check(_printed.contains("does not compile. A project that was never imported"), _printed)


func test_saves_of_players_are_told_without_their_texts() -> void:
	check_same(_run(GAME, ["--record", "--redact"]), 0, "record")
	check(not _record("v2.save").contains("Ada"), _record("v2.save"))
	check_same(_run(GAME), 0, "as recorded")


func test_the_missing_step_is_named() -> void:
	# Templates of later engines take no path of a project, and a packed game has none.
	if OS.has_feature("template") and Engine.get_version_info().hex >= 0x040400:
		skip("a packed game starts no scripts")
		return
	DirAccess.make_dir_recursive_absolute(FOLDER)
	check_error(VariantSave.new().save(FOLDER + "/v1.save", {"health": 7}), OK, "a save of version 1")
	var output := []
	var words := EngineProcess.command(GATE, ["--with", FORGETFUL, "--folder", FOLDER])
	check_same(OS.execute(words[0], words.slice(1), output, true), 1, "exit code")
	check(output[0].contains("add rename(1, ...), forget(1, ...) or migrate(1, ...)"), output[0])
	check(output[0].contains("== 1 saves, 1 different"), output[0])
