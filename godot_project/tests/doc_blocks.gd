extends RefCounted
## Finds the GDScript examples of a document and runs them. An example is either statements or the inside of a
## class; it may use the names of GIVEN as if its reader's game had them. It decides nothing about documents.
##
## In an example, `assert(...)` has to hold, and `print(...)  # prints TEXT` has to print exactly that.

## The declarations that examples take from the reader's game, by name.
const GIVEN := {
	"codec": "var codec := VariantCodec.new()",
	"limits": "var limits := VariantLimits.new()",
	"bytes": "var bytes := var_to_bytes({\"hp\": 80})",
	"packet": "var packet := var_to_bytes([1, 2])",
	"state": "var state := {\"hp\": 80}",
	"reader": "var reader := VariantReader.new()",
	"tcp": "var tcp := Tcp.new()",
	"peer": "var peer := OfflineMultiplayerPeer.new()",
	"peer_id": "var peer_id := 1",
	"use": "func use(_value: Variant) -> void: pass",
	"show": "func show(_value: Variant) -> void: pass",
	"kick": "func kick(_peer_id: int) -> void: pass",
}

## The script around every example. It does not print, because that would be taken for a message of the
## library.
const STAGE := """
class Tcp:
	extends StreamPeerBuffer
	func poll() -> Error: return OK
	func disconnect_from_host() -> void: pass
var said: PackedStringArray = []
var broken: PackedStringArray = []
func say(text: String, wanted := "") -> void:
	said.append(text)
	if not wanted.is_empty() and text != wanted:
		broken.append("prints %s, the comment says %s" % [text, wanted])
func hold(ok: Array, line: String) -> void:
	said.append("")
	if not ok[0]:
		broken.append("does not hold: " + line)
"""
const CLASS_LINE := "(?m)^(static |@\\w+ )*(func|extends|signal|enum|class) "

## The arguments with which a function of an example is called, by type.
const ARGUMENTS := {
	TYPE_NIL: null, TYPE_INT: 1, TYPE_FLOAT: 0.5, TYPE_STRING: "text", TYPE_DICTIONARY: {}, TYPE_ARRAY: [],
	TYPE_PACKED_BYTE_ARRAY: [0, 0, 0, 0], TYPE_OBJECT: null,
}


## Returns the examples of a Markdown text as {line, text}.
static func in_markdown(text: String) -> Array[Dictionary]:
	return between(text, "```gdscript\n", "```")


## Returns the examples of a page of the editor's help.
static func in_help(text: String) -> Array[Dictionary]:
	var blocks := between(text, "[codeblock]", "[/codeblock]")
	for block in blocks:
		block.text = block.text.xml_unescape()
	return blocks


## Returns the texts between two marks, as {line, text}.
static func between(text: String, open: String, close: String) -> Array[Dictionary]:
	var blocks: Array[Dictionary] = []
	var at := text.find(open)
	while at >= 0:
		var end := text.find(close, at + open.length())
		var inside := text.substr(at + open.length(), end - at - open.length()).dedent().strip_edges()
		blocks.append({"line": text.left(at).count("\n") + 1, "text": inside})
		at = text.find(open, end + close.length())
	return blocks


## Compiles and runs an example, and returns its fault, or an empty text.
static func run(example: String) -> String:
	var script := GDScript.new()
	script.source_code = source(example)
	if script.reload() != OK:
		return "does not compile"
	var object: Object = script.new()
	var place := stage(object as Node) if object is Node else null
	var through: Variant = object.call(&"run_example")
	for method in script.get_script_method_list():
		if example.contains("func %s(" % method.name) and not (place != null and method.name == "_ready"):
			object.callv(method.name, method.args.map(func(argument: Dictionary) -> Variant: return (
					type_convert(ARGUMENTS[argument.type], argument.type))))
	var broken: PackedStringArray = object.broken
	var checked: int = object.said.size()
	if place != null:
		strike(place)
	if through != true:
		return "was cut off by a script error"
	if checked < example.count("# prints ") + example.count("assert("):
		return "not every line of it that checks something ran"
	return "\n".join(broken)


## Puts an example's object into the tree, below a multiplayer of its own, so that it may change that;
## `_ready()` runs here.
static func stage(object: Node) -> Node:
	var tree: SceneTree = Engine.get_main_loop()
	var place := Node.new()
	tree.root.add_child(place)
	tree.set_multiplayer(SceneMultiplayer.new(), place.get_path())
	place.add_child(object)
	return place


## Removes what stage() made.
static func strike(place: Node) -> void:
	var tree := place.get_tree()
	place.get_child(0).free()
	tree.set_multiplayer(null, place.get_path())
	tree.multiplayer_poll = true
	place.free()


## Makes a whole script of the example.
static func source(example: String) -> String:
	var members := PackedStringArray()
	var statements := PackedStringArray()
	var has_members := RegEx.create_from_string(CLASS_LINE).search(example) != null
	var is_member := false
	for line in _checked(example).split("\n"):
		if not line.is_empty() and not line[0] in "\t )]}":
			is_member = has_members and RegEx.create_from_string(
				"^(@rpc\\(|(static |@\\w+ )*(func|extends|signal|enum|class|var|const) )").search(line) != null
		if is_member:
			members.append(line)
		else:
			statements.append("\t" + line)
	var head := ""
	if not members.is_empty() and members[0].begins_with("extends "):
		head = members[0] + "\n"
		members.remove_at(0)
	return "%s%s%s\n%s\nfunc run_example() -> bool:\n%s\n\treturn true\n" % [
		head, STAGE, _given(example), "\n".join(members), "\n".join(statements)]


## Replaces spaces of indentation by tabs, and prints and assertions by calls that are checked.
static func _checked(example: String) -> String:
	var lines := PackedStringArray()
	var told := RegEx.create_from_string("^(?:print|push_warning)\\((.*?)\\)\\s*(?:# prints (.*)|#.*)?$")
	var held := RegEx.create_from_string("^assert\\((.*?)\\)\\s*(?:#.*)?$")
	for line in example.split("\n"):
		var text := line.lstrip(" \t")
		var indent := line.left(line.length() - text.length()).replace("    ", "\t")
		var found := told.search(text)
		if found:
			text = "say(str(%s), \"%s\")" % [found.get_string(1), found.get_string(2).c_escape()]
		found = held.search(text)
		if found:
			text = "hold([%s], \"%s\")" % [found.get_string(1), found.get_string(1).c_escape()]
		lines.append(indent + text)
	return "\n".join(lines)


## Returns the declarations of GIVEN that an example uses and does not declare.
static func _given(example: String) -> String:
	var lines := PackedStringArray()
	for name: String in GIVEN:
		var used := RegEx.create_from_string("\\b%s\\b" % name).search(example) != null
		var declared := RegEx.create_from_string("(?m)^\\s*(var|func|const) %s\\b" % name).search(example) != null
		if used and not declared:
			lines.append(GIVEN[name])
	return "\n".join(lines)
