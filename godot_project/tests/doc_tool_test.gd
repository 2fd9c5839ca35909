extends "suite.gd"
## Compares the class pages with the output of the engine's doc tool: it must not change them. It reads them,
## merges them with what the library registers and writes them anew. docs_test.gd makes docs/reference from
## these pages. People judge the descriptions.

## The reason why run.gd skips this suite in a packed game.
const EDITOR_ONLY := "runs the editor's doc tool on the class pages of the checkout"
const ONCE := "is about documents"

const ClassPage := preload("class_page.gd")
const EngineProcess := preload("load/engine_process.gd")

## The folder of this process, because checkouts share their user folder.
var _folder := "user://doc_tool_%d" % OS.get_process_id()
## The folder in which the tool looks for pages inside the given one.
var _pages := _folder.path_join("doc_classes")


func clean_up() -> void:
	for name in DirAccess.get_files_at(_pages):
		DirAccess.remove_absolute(_pages.path_join(name))
	DirAccess.remove_absolute(_pages)
	DirAccess.remove_absolute(_folder)


func test_the_doc_tool_changes_nothing() -> void:
	var ours := {}
	check(DirAccess.make_dir_recursive_absolute(_pages) == OK, "cannot make " + _pages)
	for name in DirAccess.get_files_at(ClassPage.folder()):
		ours[name] = FileAccess.get_file_as_string(ClassPage.folder().path_join(name)).replace("\r\n", "\n")
		_write(name, ours[name])
	check(ours.size() > 5, "%d pages" % ours.size())
	if not _run_tool():
		return
	for name in DirAccess.get_files_at(_pages):
		check(name in ours, "%s: the tool knows a class that has no page" % name)
	for name: String in ours:
		_compare(name, _public(ours[name]), FileAccess.get_file_as_string(_pages.path_join(name)))


## Tests the tool without the pages: it writes empty descriptions, so the descriptions above come from the
## pages.
func test_the_doc_tool_invents_nothing() -> void:
	check(DirAccess.make_dir_recursive_absolute(_pages) == OK, "cannot make " + _pages)
	if not _run_tool():
		return
	var page := FileAccess.get_file_as_string(_pages.path_join("VariantStream.xml"))
	check(page.contains("<method name=\"encode\""), "no method encode in:\n" + page.left(400))
	check(not page.contains("var_to_bytes"), "the tool has the descriptions from elsewhere")


func _run_tool() -> bool:
	var words := EngineProcess.doc_tool_command(ProjectSettings.globalize_path(_folder))
	var told: Array[String] = []
	var code := OS.execute(words[0], words.slice(1), told, true)
	return check(code == 0, "the doc tool ended with %d: %s" % [code, told])


func _write(name: String, page: String) -> void:
	var file := FileAccess.open(_pages.path_join(name), FileAccess.WRITE)
	if check(file != null, "cannot write " + name):
		file.store_string(page)
		file.close()


## Removes from the page the methods that the tool takes for private: those that a `for` loop calls.
static func _public(page: String) -> String:
	var private := RegEx.create_from_string("(?s)\t\t<method name=\"_[^\"]*\".*?</method>\n")
	return private.sub(page, "", true)


func _compare(name: String, page: String, made: String) -> void:
	var lines := page.split("\n")
	# Whether a property that holds an object has the default null depends on whether the tool could make one.
	var wanted := made.replace("\" default=\"null\">", "\">").split("\n")
	for i in maxi(lines.size(), wanted.size()):
		var line := lines[i] if i < lines.size() else "(nothing)"
		var want := wanted[i] if i < wanted.size() else "(nothing)"
		if not check(line == want, "%s has\n    %s\nand the doc tool\n    %s" % [name, line, want]):
			return
