extends "suite.gd"
## Checks that the documents are true: examples run, and links lead somewhere. Tables and class pages must be
## what the library says, and named commands and options must exist. With BLESS=1 in the environment it first
## writes the files that are made from the library: docs/reference and the table of docs/ERRORS.md. People
## judge the prose.

## The reason why run.gd skips this suite in a packed game.
const EDITOR_ONLY := "reads the documents of the checkout"
## An error of the table is that of a job which is cancelled on its way.
const NEEDS := {"test_error_table_is_what_the_library_does": "threads"}

const ConformanceRun := preload("res://addons/variant_stream/ci/conformance_run.gd")
const ClassPage := preload("class_page.gd")
const DocBlocks := preload("doc_blocks.gd")
const EngineProcess := preload("load/engine_process.gd")
const ErrorExamples := preload("error_examples.gd")
const ReferencePage := preload("reference_page.gd")

const CLASSES: PackedStringArray = ["VariantClassSet", "VariantCodec", "VariantJob", "VariantLimits", "VariantOutline",
	"VariantProtocol", "VariantReader", "VariantSave", "VariantSchema", "VariantStream", "VariantWriter"]
const GUIDES: PackedStringArray = [
	"README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md", "addons/variant_stream/README.md",
	"example_game/README.md"]

var _root := ProjectSettings.globalize_path("res://..").simplify_path()
var _blesses := not OS.get_environment("BLESS").is_empty()


func test_examples_of_documents_run() -> void:
	for path in _documents():
		for block in DocBlocks.in_markdown(_read(path)):
			var wrong := DocBlocks.run(block.text)
			# Behind wider vectors everything stands at another byte.
			var is_elsewhere := is_double and wrong.contains("(byte ")
			check(wrong.is_empty() or is_elsewhere, "%s:%d: the example %s" % [path, block.line, wrong])
	check(not DocBlocks.in_markdown(_read("README.md")).is_empty(), "README.md has no example")


func test_examples_of_the_help_run() -> void:
	for type in CLASSES:
		var path := "rust/godot/doc/%s.xml" % type
		var blocks := DocBlocks.in_help(_read(path))
		check(not blocks.is_empty(), path + " has no example")
		for block in blocks:
			var wrong := DocBlocks.run(block.text)
			check(wrong.is_empty(), "%s:%d: the example %s" % [path, block.line, wrong])


## Tests that no assertion of an example writes: a game that is exported for release leaves assertions out
## with all that they call, so a copied line would save nothing.
func test_no_example_writes_in_an_assertion() -> void:
	var writes := RegEx.create_from_string(
			"assert\\([^\n]*(\\bwriter\\.(?!get_|is_)[a-z]|\\b(saves|VariantSave\\.new\\(\\))\\.(save|load|remove)|save_file|decode_into)[^\n]*")
	for writing: String in ["assert(writer.close() == OK)", "assert(saves.save(\"user://a\", 1) == OK)"]:
		check(writes.search(writing) != null, "the pattern does not find " + writing)
	for path in _documents():
		for found in writes.search_all(_read(path)):
			fail("%s: %s" % [path, found.get_string()])
	for type in CLASSES:
		for found in writes.search_all(_read("rust/godot/doc/%s.xml" % type)):
			fail("%s: %s" % [type, found.get_string()])


## Tests that every fenced block has a runner: GDScript here, Rust by cargo, transcripts and JavaScript by the tests of
## gdvar, commands of `sh` by `cargo xtask test` (rust/xtask/src/shown);
## `text` is no code.
func test_every_example_has_a_runner() -> void:
	var runners := {
		"gdscript": PackedStringArray(), "sh": PackedStringArray(), "text": PackedStringArray(),
		"rust": PackedStringArray(["docs/RUST.md", "docs/RUST_SERVER.md", "docs/OTHER_LANGUAGES.md"]), "console": PackedStringArray(["docs/CLI.md", "docs/CLI_JSON.md", "docs/CLI_PROTOCOLS.md", "README.md"]),
		"js": PackedStringArray(["docs/OTHER_LANGUAGES.md"]),
	}
	var fence := RegEx.create_from_string("(?m)^```([^\\n]*)\\n(?:[^`]|`[^`])*?^```$")
	var seen := 0
	for path in _documents():
		for found in fence.search_all(_read(path)):
			seen += 1
			var language := found.get_string(1)
			var places: PackedStringArray = runners.get(language, PackedStringArray(["(nowhere)"]))
			check(places.is_empty() or path in places, "%s: nobody runs an example in '%s'" % [path, language])
	check(seen > 40, "%d examples" % seen)


func test_a_false_example_is_found() -> void:
	check(DocBlocks.run("assert(1 == 1)\nprint(1 + 1)  # prints 2").is_empty(), "a true example is refused")
	for example: String in [
		"assert(1 == 2)", "print(1 + 1)  # prints 3", "if false:\n\tassert(true)",
		"func f(n: int) -> void:\n\tassert(n == 2)", "var n := 1\nn += 1\nfunc f() -> void:\n\tassert(n == 1)",
	]:
		check(not DocBlocks.run(example).is_empty(), "nothing is found wrong with: " + example)


func test_reference_is_made_from_the_help() -> void:
	for type in CLASSES:
		var made := ReferencePage.write(ClassPage.new(type))
		var markup := RegEx.create_from_string("\\[(method|member|constant|enum|param|signal|annotation|code|b) ?[^\\]]*\\]").search(made)
		check(markup == null, "%s: markup is left over: %s" % [type, markup.get_string() if markup != null else ""])
		_check_made("docs/reference/%s.md" % type.to_snake_case(), made)


func test_error_table_is_what_the_library_does() -> void:
	var rows := PackedStringArray([
		"| Constant of `VariantCodec` | Code | Returned | When | For example |", "|---|--:|---|---|---|"])
	var meanings := {}
	for constant in ClassPage.new("VariantCodec").constants:
		meanings[constant.name] = ReferencePage.inline(constant.text)
	for kind in ClassDB.class_get_enum_constants(&"VariantCodec", &"ErrorKind", true):
		var code := ClassDB.class_get_integer_constant(&"VariantCodec", kind)
		var told := ErrorExamples.provoke(kind)
		if kind in ErrorExamples.UNSHOWN:
			told = {"code": code, "returns": "", "message": "(none: %s)" % ErrorExamples.UNSHOWN[kind]}
		check(told.get("code", 0) == code, "%s: its example has the code %s" % [kind, told.get("code")])
		rows.append("| `%s` | %d | %s | %s | %s |" % [
			kind, code, told.get("returns"), meanings.get(kind, ""), told.get("message")])
	check(rows.size() > 30, "%d rows" % rows.size())
	if is_double:
		return  # A budget is used up at another byte.
	var page := _read("docs/ERRORS.md")
	var table := RegEx.create_from_string("(?m)(^\\|.*\n)+").search(page)
	if check(table != null, "docs/ERRORS.md has no table"):
		var made := "\n".join(rows) + "\n"
		_check_made("docs/ERRORS.md", page.replace(table.get_string(), made))


## Tests that every link leads to a file, and to a heading of it where it names one.
func test_links_lead_somewhere() -> void:
	var link := RegEx.create_from_string("\\]\\(([^)#:\\s]*)(?:#([^)]*))?\\)")
	for path in _documents():
		for found in link.search_all(_read(path)):
			var name := found.get_string(1) if not found.get_string(1).is_empty() else path.get_file()
			var target := _root.path_join(path.get_base_dir()).path_join(name).simplify_path()
			var there := FileAccess.file_exists(target) or DirAccess.dir_exists_absolute(target)
			check(there, "%s: there is no %s" % [path, name])
			if there and target.get_extension() == "md" and not found.get_string(2).is_empty():
				check(found.get_string(2) in _anchors(FileAccess.get_file_as_string(target)), "%s: %s has no heading #%s" % [
						path, name, found.get_string(2)])


## Returns the names by which the headings of a page are linked to.
static func _anchors(page: String) -> PackedStringArray:
	var text := RegEx.create_from_string("(?ms)^```.*?^```").sub(page, "", true)
	var anchors := PackedStringArray()
	for heading in RegEx.create_from_string("(?m)^#+ (.*)$").search_all(text):
		var words := RegEx.create_from_string("[^\\w\\- ]").sub(heading.get_string(1).to_lower(), "", true)
		anchors.append(words.replace(" ", "-"))
	return anchors


func test_options_of_the_conformance_run_are_listed() -> void:
	var page := _read("docs/CONFORMANCE.md")
	var defaults: Dictionary = ConformanceRun.DEFAULTS
	var row := RegEx.create_from_string("(?m)^\\| `--(\\w+) [A-Z]+` \\| `?([^|`]*?)`? \\|")
	var listed := {}
	for found in row.search_all(page):
		listed[found.get_string(1)] = found.get_string(2)
	for name: String in defaults:
		var default := "none" if str(defaults[name]).is_empty() else str(defaults[name])
		check(listed.get(name, "") == default, "--%s: the page says %s, the run %s" % [
				name, listed.get(name), default])
	check(listed.size() == defaults.size(), "the page lists %s" % [listed.keys()])


func test_the_conformance_run_tells_its_options() -> void:
	for word: String in ["--help", "-h"]:
		var output := []
		var words := EngineProcess.command("res://addons/variant_stream/ci/conformance.gd", [word])
		check_same(OS.execute(words[0], words.slice(1), output, true), 0, word)
		for name: String in ConformanceRun.DEFAULTS:
			check(str(output[0]).contains("\n  --%s " % name), "%s says nothing of --%s: %s" % [word, name, output[0]])
			var default := str(ConformanceRun.DEFAULTS[name])
			check(not default.is_valid_int() or str(output[0]).contains("(%s)" % default), "%s: the default of --%s" % [word, name])
		check(not str(output[0]).contains("\n== "), "%s compares: %s" % [word, output[0]])


## Checks that a file holds `made`, after writing it if that is asked for.
func _check_made(path: String, made: String) -> void:
	if _blesses and _read(path) != made:
		var file := FileAccess.open(_root.path_join(path), FileAccess.WRITE)
		if check(file != null, "cannot write " + path):
			file.store_string(made)
			file.close()
	var lines := _read(path).split("\n")
	var wanted := made.split("\n")
	for i in mini(lines.size(), wanted.size()):
		if not check(lines[i] == wanted[i], "%s:%d says\n    %s\nand the library\n    %s" % [
				path, i + 1, lines[i], wanted[i]]):
			return
	check(lines.size() == wanted.size(), "%s has %d lines, not %d" % [path, lines.size(), wanted.size()])


func _documents() -> PackedStringArray:
	var all := GUIDES.duplicate()
	for name: String in _files(_root.path_join("docs")):
		all.append("docs/" + name)
	check(all.size() > 8, "%d documents" % all.size())
	return all


func _read(path: String) -> String:
	var text := FileAccess.get_file_as_string(_root.path_join(path))
	check(not text.is_empty() or _blesses, "%s is missing or empty" % path)
	return text.replace("\r\n", "\n")


## Lists documents and sources below a folder, with their paths from there.
static func _files(folder: String) -> Array[String]:
	var found: Array[String] = []
	for name in DirAccess.get_files_at(folder):
		if name.get_extension() in ["md", "rs", "gd", "xml"]:
			found.append(name)
	for below in DirAccess.get_directories_at(folder):
		for name in _files(folder.path_join(below)):
			found.append(below.path_join(name))
	return found
