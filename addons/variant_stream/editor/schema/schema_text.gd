@tool
extends RefCounted
## Converts a schema's JSON to a tree of Dictionaries that a form can edit, and back. The library parses and
## writes the JSON, because it keeps ints and floats apart, which the engine's JSON does not.

const ValueText := preload("value_text.gd")

## JSON's own mark for values it cannot express, and its form in the tree, because the library gives `$` a
## meaning.
const MARK := '"$variant"'
const MARK_IN_TREE := '"@variant"'
const VALUE := "@variant"
const TAGGED_INT := "\\{\"\\$int\": \"(-?[0-9]+)\"\\}"


## Reads the tree of a schema; an empty schema is of type any.
static func read(schema: VariantSchema) -> Dictionary:
	var text := schema.to_json().replace(MARK, MARK_IN_TREE)
	return VariantStream.decode(VariantStream.from_json(text), {"type": "any"})


## Writes the JSON of a tree, as `VariantSchema.from_json()` takes it.
static func write(tree: Dictionary) -> String:
	var text := VariantStream.to_json(VariantStream.encode(tree)).replace(MARK_IN_TREE, MARK)
	# Ints that JSON readers elsewhere would round are tagged; a schema has them untagged.
	return RegEx.create_from_string(TAGGED_INT).sub(text, "$1", true)


## Writes a value of the tree (a default, one of an enum) as GDScript does.
static func literal(value: Variant) -> String:
	if value is Dictionary and value.size() == 1 and value.has(VALUE):
		return var_to_str(VariantStream.decode(str(value[VALUE]).hex_decode()))
	return var_to_str(value)


## Reads a value of the tree; a text that is no literal is taken for a String.
static func value_of(text: String) -> Variant:
	var typed := ValueText.read(text)
	return in_tree(typed[0] if not typed.is_empty() else text)


## Converts a value to its form in the tree.
static func in_tree(value: Variant) -> Variant:
	match typeof(value):
		TYPE_NIL, TYPE_BOOL, TYPE_INT, TYPE_STRING:
			return value
		TYPE_FLOAT when is_finite(value):
			return value
	return {VALUE: VariantStream.encode(value).hex_encode()}


## Reads the numbers of a box: position and size. They are typed as numbers, or as GDScript writes a Rect2 or
## an AABB; any other text stays as it is, and the library says what is wrong with it.
static func box_of(text: String) -> Variant:
	var numbers := text
	for type: String in ["Rect2", "Rect2i", "AABB"]:
		if text.begins_with(type + "(") and text.ends_with(")"):
			numbers = text.trim_prefix(type + "(").trim_suffix(")")
	var box: Array = []
	for number in numbers.split(","):
		if not number.strip_edges().is_valid_float():
			return text
		box.append(number.to_float())
	return box
