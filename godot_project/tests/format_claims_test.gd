extends "suite.gd"
## Checks docs/FORMAT_EVIDENCE.md: every section and rule of docs/FORMAT.md and docs/FORMAT_READING.md has a line there. The recorded cases, malformed
## rows and tests that it names must exist. People judge whether they show what is claimed.

## The reason why run.gd skips this suite in a packed game.
const EDITOR_ONLY := "reads the documents of the checkout"
const ONCE := "is about documents"

const COLUMNS := 4
const LAST := "\n## 9. "
## Folders of tests; a file name stands for every file of that name.
const FOLDERS: Array[String] = ["godot_project/tests", "tests/tests", "rust/core/src", "rust/testkit/src"]

var _root := ProjectSettings.globalize_path("res://").path_join("..").simplify_path()
var _page := _read("docs/FORMAT.md") + _read("docs/FORMAT_READING.md") + _read("docs/FORMAT_EVIDENCE.md")
## The text of all files of a name, by the name.
var _sources := {}


func test_every_section_and_rule_has_a_line() -> void:
	var due := PackedStringArray()
	var parts := _page.split(LAST)
	check_same(parts.size(), 2, "parts of the page")
	for heading in RegEx.create_from_string("(?m)^##+ (\\d+(?:\\.\\d+)?)").search_all(parts[0]):
		due.append(heading.get_string(1))
		if heading.get_string(1) == "5.1":
			var rules := parts[0].substr(heading.get_start()).get_slice("\n### ", 0)
			for rule in RegEx.create_from_string("(?m)^(\\d+)\\. ").search_all(rules):
				due.append("5.1 (%s)" % rule.get_string(1))
	check(due.size() > 35, "%d sections and rules" % due.size())
	check_same(Array(_lines().keys()), Array(due), "lines of the table")


func test_what_the_lines_name_exists() -> void:
	var golden := _names_in("godot4_6") + _names_in("godot3_6")
	var malformed := Array(_read("tests/golden/malformed.txt").split("\n")).map(
			func(line: String) -> String: return line.get_slice(" | ", 0).strip_edges())
	var lines := _lines()
	for section: String in lines:
		var columns: Array = lines[section]
		check(columns.any(func(names: Array) -> bool: return not names.is_empty()), section + " names nothing")
		for name: String in columns[0]:
			check(golden.any(func(case: String) -> bool: return case.match(name)), "%s: no case %s" % [section, name])
		for name: String in columns[1]:
			check(malformed.has(name), "%s: no malformed row `%s`" % [section, name])
		for name: String in columns[2]:
			check(_is_test(name), "%s: no test %s" % [section, name])


## Returns the names in backticks of the three columns, by section.
func _lines() -> Dictionary:
	var lines := {}
	for line in _page.get_slice(LAST, 1).split("\n"):
		var columns := line.trim_prefix("|").trim_suffix("|").split("|")
		if line.begins_with("| ") and columns.size() == COLUMNS and columns[0].strip_edges().to_int() > 0:
			lines[columns[0].strip_edges()] = [_quoted(columns[1]), _quoted(columns[2]), _quoted(columns[3])]
	return lines


static func _quoted(column: String) -> Array:
	var found := RegEx.create_from_string("`([^`]+)`").search_all(column)
	return found.map(func(name: RegExMatch) -> String: return name.get_string(1))


func _names_in(file: String) -> Array:
	var golden: Variant = JSON.parse_string(_read("tests/golden/%s.json" % file))
	return golden.cases.map(func(case: Dictionary) -> String: return case.name) if golden is Dictionary else []


## Tells whether `file.rs::function` is a test: marked so in Rust, named so in GDScript.
func _is_test(name: String) -> bool:
	if _sources.is_empty():
		for folder in FOLDERS:
			_collect(_root.path_join(folder))
	var source: String = _sources.get(name.get_slice("::", 0), "")
	var function := name.get_slice("::", 1)
	if name.contains(".gd::"):
		return function.begins_with("test_") and source.contains("\nfunc %s(" % function)
	return RegEx.create_from_string("#\\[test\\]\\s+(///.*\\s+)*fn %s\\(" % function).search(source) != null


func _collect(folder: String) -> void:
	for name in DirAccess.get_files_at(folder):
		if name.get_extension() in ["rs", "gd"]:
			var text := FileAccess.get_file_as_string(folder.path_join(name))
			_sources[name] = _sources.get(name, "") + "\n" + text
	for name in DirAccess.get_directories_at(folder):
		_collect(folder.path_join(name))


func _read(path: String) -> String:
	return FileAccess.get_file_as_string(_root.path_join(path)).replace("\r\n", "\n")
