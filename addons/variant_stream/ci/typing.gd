extends RefCounted
## Compares, names and makes the types of arrays and dictionaries. Typed dictionaries came with 4.4; all code
## for them is in typed_dictionary.gd, which older engines never load.

const TYPED_DICTIONARIES := 0x040400

## The script typed_dictionary.gd, or null where the engine has no typed dictionaries.
static var dictionaries: GDScript = (
	load("res://addons/variant_stream/ci/typed_dictionary.gd")
	if Engine.get_version_info().hex >= TYPED_DICTIONARIES else null)


static func same_array(a: Array, b: Array) -> bool:
	if not a.is_typed():
		return not b.is_typed()
	return (a.get_typed_builtin() == b.get_typed_builtin()
			and a.get_typed_class_name() == b.get_typed_class_name()
			and is_same(a.get_typed_script(), b.get_typed_script()))


static func same_dictionary(a: Dictionary, b: Dictionary) -> bool:
	return dictionaries == null or dictionaries.same(a, b)


## Returns `[int] ` for an Array[int], and an empty text for an untyped value.
static func text(value: Variant) -> String:
	if value is Array and value.is_typed():
		return "[%s] " % element(value.get_typed_builtin(), value.get_typed_class_name(), value.get_typed_script())
	if value is Dictionary and dictionaries != null:
		return dictionaries.text(value)
	return ""


static func element(type: int, of_class: StringName, script: Variant) -> String:
	if script != null:
		return script.resource_path
	return str(of_class) if type == TYPE_OBJECT else type_string(type)


## Makes an array typed to `type`, which is {type, class, script}. The engine leaves out elements that do not
## fit.
static func array(type: Dictionary, elements: Array) -> Array:
	return Array(elements, type.type, type.class, type.script)


static func builtin(type: int) -> Dictionary:
	return {"type": type, "class": &"RefCounted" if type == TYPE_OBJECT else &"", "script": null}


static func of_class(name: StringName, script: Variant = null) -> Dictionary:
	return {"type": TYPE_OBJECT, "class": name, "script": script}
