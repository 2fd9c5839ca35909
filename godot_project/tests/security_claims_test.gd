extends "suite.gd"
## Checks docs/SECURITY.md, "Promises" and "Point by point": each names something that exists. That is a file,
## test, property, fuzz target or command. People judge whether it shows what is promised.

## The reason why run.gd skips this suite in a packed game.
const EDITOR_ONLY := "reads the documents of the checkout"
const ONCE := "is about documents"

## The least rows of a section's table, and the title of its first column, by heading.
const SECTIONS := {"\n## Promises\n": [25, "promise"], "\n## Point by point\n": [6, "point"]}
## The folders of tests and properties.
const FOLDERS: Array[String] = [
	"godot_project/tests", "tests/tests", "tests/attacks", "rust/core/src", "rust/testkit/src", "rust/fuzz/fuzz_targets",
	"rust/godot/src/raw",
]

var _root := ProjectSettings.globalize_path("res://").path_join("..").simplify_path()
## The text of all files of a name, by the name.
var _sources := {}


func test_every_promise_is_shown_by_what_exists() -> void:
	for folder in FOLDERS:
		_collect(_root.path_join(folder))
	for section: String in SECTIONS:
		_check_table(_read("docs/SECURITY.md").get_slice(section, 1).get_slice("\n## ", 0), SECTIONS[section])


## Tests the check itself, because a check that finds everything would show nothing.
func test_what_does_not_exist_is_not_found() -> void:
	for folder in FOLDERS:
		_collect(_root.path_join(folder))
	for name: String in ["tests/tests/nothing.rs", "nothing_test.gd", "test_nothing_at_all", "cargo xtask nothing", "nothing"]:
		check(not _exists(name), name)
	for name: String in ["tests/tests/attacks.rs", "load_test.gd", "test_eight_threads", "cargo xtask fuzz", "chunks"]:
		check(_exists(name), name)


func _check_table(text: String, least_and_title: Array) -> void:
	var promises := 0
	for line in text.split("\n"):
		var columns := line.trim_prefix("| ").trim_suffix(" |").split(" | ")
		if not line.begins_with("| ") or columns[0] == least_and_title[1]:
			continue
		promises += 1
		check_same(columns.size(), 2, "columns of " + line.left(60))
		var names := RegEx.create_from_string("`([^`]+)`").search_all(columns[-1])
		check(not names.is_empty(), "nothing is named for: " + columns[0])
		for name in names:
			check(_exists(name.get_string(1)), "`%s` is not there, for: %s" % [name.get_string(1), columns[0]])
	check(promises > least_and_title[0], "%d rows under %s" % [promises, least_and_title[1]])


func _exists(name: String) -> bool:
	var options := _read("rust/xtask/src/arguments.rs")
	if name.begins_with("cargo xtask "):
		return RegEx.create_from_string("\\n    %s\\b[ ,({]" % name.get_slice(" ", 2).to_pascal_case()).search(options) != null
	if name.begins_with("--"):
		return options.contains("\n        %s: " % name.trim_prefix("--")) or options.contains("\n    %s: " % name.trim_prefix("--"))
	if name.contains("/"):
		var path := _root.path_join(name)
		return FileAccess.file_exists(path) or DirAccess.dir_exists_absolute(path)
	if _sources.has(name) or _sources.has(name + ".rs"):
		return true
	var definition := RegEx.create_from_string("(fn|func) %s\\b" % name)
	return _sources.values().any(func(text: String) -> bool: return definition.search(text) != null)


func _collect(folder: String) -> void:
	for name in DirAccess.get_files_at(folder):
		if name.get_extension() in ["rs", "gd", "txt"]:
			var text := FileAccess.get_file_as_string(folder.path_join(name))
			_sources[name] = _sources.get(name, "") + "\n" + text
	for name in DirAccess.get_directories_at(folder):
		_collect(folder.path_join(name))


func _read(path: String) -> String:
	return FileAccess.get_file_as_string(_root.path_join(path)).replace("\r\n", "\n")
