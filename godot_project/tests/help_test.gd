extends "suite.gd"
## Compares the class pages of the editor's help with what the library registered, in both directions.
## Methods, arguments, types, defaults, properties and constants must match, with a description for each.
## People judge the descriptions; docs_test.gd runs their examples.

## The reason why run.gd skips this suite in a packed game.
const EDITOR_ONLY := "reads the class pages of the checkout"
const ONCE := "is about documents"

## Getters and setters of properties can be asked for since then.
const NEEDS := {"*": "Godot 4.4"}
const ClassPage := preload("class_page.gd")
const CLASSES: Array[StringName] = [&"VariantClassSet", &"VariantCodec", &"VariantJob", &"VariantLimits", &"VariantOutline",
	&"VariantProtocol",
	&"VariantReader", &"VariantSave", &"VariantSchema", &"VariantStream", &"VariantWriter"]

## The length below which a text only repeats a name.
const SHORTEST := 20


func test_one_page_a_class() -> void:
	var pages := Array(DirAccess.get_files_at(ClassPage.folder()))
	pages.sort()
	var wanted := CLASSES.map(func(type: StringName) -> String: return type + ".xml")
	check(pages == wanted, "%s holds %s, not %s" % [ClassPage.folder(), pages, wanted])
	for type in CLASSES:
		check(ClassDB.class_exists(type), "the library has no class %s" % type)


func test_pages_say_what_is_registered() -> void:
	for type in CLASSES:
		var page := _read(type)
		_same("%s inherits" % type, page.base, ClassDB.get_parent_class(type))
		_compare(type, "method", _by_name(page.methods, _method_line), _methods(type))
		_compare(type, "property", _by_name(page.members, _member_line), _members(type))
		_compare(type, "signal", _by_name(page.signals, _method_line), _signals(type))
		_compare(type, "constant", _by_name(page.constants, _constant_line), _constants(type))


func test_everything_is_described() -> void:
	for type in CLASSES:
		var texts := _read(type).texts()
		check(texts.size() > 4, "%s: the page describes %d things" % [type, texts.size()])
		for what: String in texts:
			check(texts[what].length() >= SHORTEST, "%s has no description" % what)


## Tests the articles before names, as in `a [RID]`, `an [String]`: names are read aloud, letter by letter
## where they have no vowel.
func test_articles_fit_their_names() -> void:
	var wrong := RegEx.create_from_string("\\b[Aa] \\[(RID|[AEIOaeio]\\w*\\])|\\b[Aa]n \\[(?!RID)[^AEIOaeio\\]]\\w*\\]")
	for said: String in ["accepts a [AABB] and", "a [RID]", "an [String]", "A [int]"]:
		check(wrong.search(said) != null, said)
	for type in CLASSES:
		var texts := _read(type).texts()
		for what: String in texts:
			var found := wrong.search(texts[what])
			check(found == null, "%s: %s" % [what, found.get_string() if found != null else ""])


func _read(type: StringName) -> ClassPage:
	var page := ClassPage.new(type)
	check(page.error.is_empty() and page.name == type, "%s: %s" % [type, page.error])
	return page


static func _by_name(entries: Array[Dictionary], line: Callable) -> Dictionary:
	var lines := {}
	for entry in entries:
		lines[entry.name] = line.call(entry)
	return lines


static func _method_line(entry: Dictionary) -> String:
	var arguments := PackedStringArray()
	for argument: Dictionary in entry.arguments:
		arguments.append("%s: %s%s" % [argument.name, argument.type, _default(argument.default)])
	return "%s(%s) -> %s" % [entry.kind, ", ".join(arguments), entry.returns]


static func _member_line(entry: Dictionary) -> String:
	return "%s %s/%s%s" % [entry.type, entry.setter, entry.getter, _default(entry.default)]


static func _constant_line(entry: Dictionary) -> String:
	return "%s %s" % [entry.of, entry.value]


static func _default(text: String) -> String:
	return "" if text.is_empty() else " = " + text


static func _methods(type: StringName) -> Dictionary:
	var accessors := {}
	for property in ClassDB.class_get_property_list(type, true):
		accessors[ClassDB.class_get_property_getter(type, property.name)] = true
		accessors[ClassDB.class_get_property_setter(type, property.name)] = true
	var lines := {}
	for method in ClassDB.class_get_method_list(type, true):
		if StringName(method.name) in accessors:
			continue
		var arguments := []
		for i: int in method.args.size():
			var at: int = i - method.args.size() + method.default_args.size()
			arguments.append({"name": method.args[i].name, "type": _type(method.args[i]),
				"default": var_to_str(method.default_args[at]) if at >= 0 else ""})
		var kind := "const" if method.flags & METHOD_FLAG_CONST else ""
		lines[method.name] = _method_line({"kind": "static" if method.flags & METHOD_FLAG_STATIC else kind,
			"arguments": arguments, "returns": _type(method.return)})
	return lines


static func _signals(type: StringName) -> Dictionary:
	var lines := {}
	for entry in ClassDB.class_get_signal_list(type, true):
		var arguments := []
		for argument: Dictionary in entry.args:
			arguments.append({"name": argument.name, "type": _type(argument), "default": ""})
		lines[entry.name] = _method_line({"kind": "", "arguments": arguments, "returns": "void"})
	return lines


static func _members(type: StringName) -> Dictionary:
	var lines := {}
	for property in ClassDB.class_get_property_list(type, true):
		var default: Variant = ClassDB.class_get_property_default_value(type, property.name)
		lines[property.name] = _member_line({"type": _type(property),
			"setter": ClassDB.class_get_property_setter(type, property.name),
			"getter": ClassDB.class_get_property_getter(type, property.name),
			"default": "" if default == null else var_to_str(default).replace("\n", " ")})
	return lines


static func _constants(type: StringName) -> Dictionary:
	var lines := {}
	for constant in ClassDB.class_get_integer_constant_list(type, true):
		lines[constant] = _constant_line({
			"of": ClassDB.class_get_integer_constant_enum(type, constant, true),
			"value": ClassDB.class_get_integer_constant(type, constant)})
	return lines


static func _type(info: Dictionary) -> String:
	if info.class_name:
		return info.class_name
	if info.type == TYPE_NIL:
		return "Variant" if info.usage & PROPERTY_USAGE_NIL_IS_VARIANT else "void"
	if info.hint == PROPERTY_HINT_ARRAY_TYPE:
		return info.hint_string + "[]"
	return type_string(info.type)


func _compare(type: StringName, what: String, page: Dictionary, engine: Dictionary) -> void:
	for name: String in page:
		check(name in engine, "%s.%s: this %s is on the page only" % [type, name, what])
	for name: String in engine:
		if check(name in page, "%s.%s: this %s has no entry on the page" % [type, name, what]):
			_same("%s.%s" % [type, name], page[name], engine[name])


func _same(what: String, page: String, engine: String) -> void:
	check(page == engine, "%s: the page says %s, the engine %s" % [what, page, engine])
