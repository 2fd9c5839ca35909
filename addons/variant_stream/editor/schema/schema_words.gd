@tool
extends RefCounted
## Lists what a form can say of each type of a schema: docs/SCHEMA.md as tables. It checks nothing; the
## library does.

enum Kind {COUNT, INT, REAL, TEXT, FLAG, BOX}

const TYPES: PackedStringArray = [
	"any", "nil", "bool", "int", "float", "string", "string_name", "node_path", "enum", "dict", "map", "array", "tuple",
	"union", "discriminated", "ref", "vector2", "vector2i", "rect2", "rect2i", "vector3", "vector3i", "transform2d",
	"vector4", "vector4i", "plane", "quaternion", "aabb", "basis", "transform3d", "projection", "color", "rid",
	"object_id", "callable", "signal", "any_dictionary", "any_array", "packed_byte_array", "packed_int32_array",
	"packed_int64_array", "packed_float32_array", "packed_float64_array", "packed_string_array",
	"packed_vector2_array", "packed_vector3_array", "packed_color_array", "packed_vector4_array"]

const SIZES := {"min_size": Kind.COUNT, "max_size": Kind.COUNT}
const CHARS := {"min_chars": Kind.COUNT, "max_chars": Kind.COUNT, "pattern": Kind.TEXT}
const FINITE := {"allow_non_finite": Kind.FLAG}
const LENGTHS := {"min_length": Kind.REAL, "max_length": Kind.REAL}
const POINTS := {"within": Kind.BOX}

## The names of rules in the form.
const TITLES := {
	"min": "Min", "max": "Max", "multiple_of": "Multiple of", "min_size": "Min size", "max_size": "Max size",
	"min_chars": "Min chars", "max_chars": "Max chars", "pattern": "Pattern", "min_length": "Min length",
	"max_length": "Max length", "normalized": "Normalized", "allow_non_finite": "Allow INF and NaN",
	"unique": "Unique", "open": "Allow more items", "typed": "Typed", "within": "Within"}
const TIPS := {
	"unique": "No two elements are equal.", "typed": "Decoding makes an Array or a Dictionary of these types.",
	"open": "More items than these are let through."}


## Returns the text that an empty field of this rule shows.
static func placeholder(rule: String, type: String) -> String:
	if rule != "within":
		return "any"
	return "x, y, width, height" if type.begins_with("vector2") else "x, y, z, and three sizes"


## Returns the rules that mean something for a type, in the order of the form.
static func rules_of(type: String) -> Dictionary:
	match type:
		"int":
			return {"min": Kind.INT, "max": Kind.INT, "multiple_of": Kind.INT}
		"float":
			return {"min": Kind.REAL, "max": Kind.REAL, "multiple_of": Kind.REAL}.merged(FINITE)
		"string", "string_name":
			return CHARS
		"array":
			return SIZES.merged({"unique": Kind.FLAG, "typed": Kind.FLAG})
		"tuple":
			return {"open": Kind.FLAG}
		"map":
			return SIZES.merged({"typed": Kind.FLAG})
		"packed_string_array":
			return SIZES.merged(CHARS)
		"vector2i", "vector3i":
			return LENGTHS.merged(POINTS)
		"vector4i":
			return LENGTHS
		"vector2", "vector3":
			return LENGTHS.merged(POINTS).merged({"normalized": Kind.FLAG}).merged(FINITE)
		"vector4":
			return LENGTHS.merged({"normalized": Kind.FLAG}).merged(FINITE)
		"quaternion", "plane":
			return {"normalized": Kind.FLAG}.merged(FINITE)
	if type.begins_with("packed_"):
		return SIZES if type.contains("byte") or type.contains("int") else SIZES.merged(FINITE)
	return FINITE if type in ["rect2", "transform2d", "aabb", "basis", "transform3d", "projection", "color"] else {}


## Makes a part of this type with the members that it needs.
static func fresh(type: String) -> Dictionary:
	var part := {"type": type}
	match type:
		"dict":
			part.merge({"keys": {}, "open": false})
		"array":
			part["items"] = {"type": "any"}
		"tuple":
			part["items"] = [{"type": "any"}]
		"map":
			part.merge({"key": {"type": "string"}, "value": {"type": "any"}})
		"union":
			part["of"] = [{"type": "int"}, {"type": "string"}]
		"enum":
			part["values"] = ["one", "two"]
		"ref":
			part["name"] = ""
		"discriminated":
			part.merge({"by": "kind", "cases": [{"value": "one", "is": fresh("dict")}]})
	return part


## Gives a part another type: the members that do not depend on the type stay.
static func retyped(part: Dictionary, type: String) -> Dictionary:
	var next := fresh(type)
	for kept: String in ["schema_version", "description", "nullable", "optional", "define"]:
		if part.has(kept):
			next[kept] = part[kept]
	for rule: String in rules_of(type):
		if part.has(rule) and typeof(part[rule]) != TYPE_NIL and rules_of(part.type).get(rule) == rules_of(type)[rule]:
			next[rule] = part[rule]
	return next
