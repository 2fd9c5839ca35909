extends "suite.gd"
## The wrapper for C# calls what is there: every name in it is one of the class that it is called on, with as many arguments
## as that takes. Nothing compiles it here: the engine of these suites is built without .NET.

## See run.gd.
const EDITOR_ONLY := "reads a file of the addon that exports leave out"
const ONCE := "is about a file of the addon"

const WRAPPER := "res://addons/variant_stream/csharp/VariantStream.cs"
## A call by name: its kind, the name, and the arguments after it up to the bracket that ends them.
const CALL := "\\b(ClassCallStatic\\(Name, |_codec\\.Call\\(|_codec\\.Get\\(|_codec\\.Set\\()\"(\\w+)\"([^()]*)\\)"


func test_every_name_of_the_wrapper_is_there() -> void:
	var calls := 0
	for part in FileAccess.get_file_as_string(WRAPPER).split("StringName Name = \"").slice(1):
		var type := part.get_slice("\"", 0)
		check(ClassDB.class_exists(type), "there is no class " + type)
		for found in RegEx.create_from_string(CALL).search_all(part):
			calls += 1
			var wrong := _wrong(type, found.get_string(1), found.get_string(2), found.get_string(3).count(","))
			check(wrong.is_empty(), "%s.%s: %s" % [type, found.get_string(2), wrong])
	check(calls > 20, "only %d calls are found" % calls)


func test_what_is_not_there_is_found() -> void:
	check(_wrong("VariantCodec", "_codec.Call(", "decode", 1).is_empty(), "a right call is refused")
	check(not _wrong("VariantCodec", "_codec.Call(", "decode_all", 1).is_empty(), "a method that is not there")
	check(not _wrong("VariantCodec", "_codec.Call(", "decode", 3).is_empty(), "a wrong number of arguments")
	check(not _wrong("VariantCodec", "_codec.Get(", "datum", 0).is_empty(), "a property that is not there")
	check(not _wrong("VariantCodec", "ClassCallStatic(Name, ", "decode", 1).is_empty(), "a method that is not static")


## Brackets and quotes are closed, which is as much of the language as can be told here.
func test_the_wrapper_is_balanced() -> void:
	var text := RegEx.create_from_string("(?m)//.*$").sub(FileAccess.get_file_as_string(WRAPPER), "", true)
	for pair: String in ["{}", "()", "[]"]:
		check_same(text.count(pair[0]), text.count(pair[1]), pair)
	check(text.count("\"") % 2 == 0, "a quote is open")


static func _wrong(type: StringName, kind: String, name: String, given: int) -> String:
	if kind.contains("Get(") or kind.contains("Set("):
		var names := ClassDB.class_get_property_list(type, true).map(func(it: Dictionary) -> String: return it.name)
		return "" if name in names else "no such property"
	for method in ClassDB.class_get_method_list(type, true):
		if method.name == name:
			var is_static: bool = method.flags & METHOD_FLAG_STATIC != 0
			if is_static != kind.contains("Static"):
				return "is static, or is not"
			var most: int = method.args.size()
			return "" if given <= most and given >= most - method.default_args.size() else "%d arguments" % given
	return "no such method"
