extends RefCounted
## Reads a page of the editor's help, rust/godot/doc/*.xml, into lists. It compares and judges nothing.

const FOLDER := "res://../rust/godot/doc"
## The elements whose text is a description.
const TEXTS: PackedStringArray = ["brief_description", "description", "member", "constant"]

var name := ""
var base := ""
var brief := ""
var description := ""
## The methods as {name, kind ("static", "const" or empty), returns, arguments: [{name, type, default}],
## text}.
var methods: Array[Dictionary] = []
## The signals, in the form of the methods.
var signals: Array[Dictionary] = []
## The properties as {name, type, setter, getter, default, text}.
var members: Array[Dictionary] = []
## The constants as {name, of (its enum), value, text}.
var constants: Array[Dictionary] = []
## The fault of the page, or empty.
var error := ""

var _text := ""
var _method := {}


static func folder() -> String:
	return ProjectSettings.globalize_path(FOLDER).simplify_path()


func _init(class_title: String) -> void:
	var path := folder().path_join(class_title + ".xml")
	var xml := XMLParser.new()
	if xml.open(path) != OK:
		error = "cannot read " + path
		return
	while xml.read() == OK:
		match xml.get_node_type():
			XMLParser.NODE_ELEMENT:
				if xml.get_node_name() in TEXTS:
					_text = ""
				_open(xml)
			XMLParser.NODE_TEXT, XMLParser.NODE_CDATA:
				_text += xml.get_node_data()
			XMLParser.NODE_ELEMENT_END:
				_close(xml.get_node_name())


## Returns every description, by the name of the described thing.
func texts() -> Dictionary:
	var all := {name: description, name + " in brief": brief}
	for entry: Dictionary in methods + signals + members + constants:
		all["%s.%s" % [name, entry.name]] = entry.text
	return all


func _open(xml: XMLParser) -> void:
	var at := xml.get_named_attribute_value_safe
	match xml.get_node_name():
		"class":
			name = at.call("name")
			base = at.call("inherits")
		"method", "signal":
			_method = {"name": at.call("name"), "kind": at.call("qualifiers"), "returns": "void", "arguments": []}
		"return":
			_method.returns = _type(xml)
		"param":
			_method.arguments.append({
				"name": at.call("name"), "type": _type(xml), "default": at.call("default")})
		"member":
			members.append({"name": at.call("name"), "type": _type(xml), "setter": at.call("setter"),
				"getter": at.call("getter"), "default": at.call("default"), "text": ""})
		"constant":
			constants.append({"name": at.call("name"), "of": at.call("enum"), "value": at.call("value"), "text": ""})


func _close(element: String) -> void:
	match element:
		"brief_description":
			brief = _clean(_text)
		"description" when _method.is_empty():
			description = _clean(_text)
		"description":
			_method.text = _clean(_text)
		"method":
			methods.append({"text": ""}.merged(_method, true))
			_method = {}
		"signal":
			signals.append({"text": ""}.merged(_method, true))
			_method = {}
		"member":
			members.back().text = _clean(_text)
		"constant":
			constants.back().text = _clean(_text)


static func _type(xml: XMLParser) -> String:
	return xml.get_named_attribute_value_safe("enum" if xml.has_attribute("enum") else "type")


## Removes the tabs by which the page indents its text; the indentation of an example stays.
static func _clean(text: String) -> String:
	return text.dedent().strip_edges()
