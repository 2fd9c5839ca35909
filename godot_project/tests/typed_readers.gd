extends RefCounted
## Makes a script with a function for each typed container type, which reads one through typed variables. It
## is made at run time, because it has a thousand functions, and only engines since 4.4 parse those of typed
## dictionaries.

const Typing := preload("res://addons/variant_stream/ci/typing.gd")

const ARRAY := """
func array_%d(data: Variant) -> Array:
	var typed: Array[%s] = data
	var got := []
	for element: %s in typed:
		var kept: %s = element
		got.append(kept)
	return got
"""
const DICTIONARY := """
func dictionary_%d_%d(data: Variant) -> Array:
	var typed: Dictionary[%s, %s] = data
	var keys := []
	var values := []
	for key: %s in typed:
		var value: %s = typed[key]
		keys.append(key)
		values.append(value)
	return keys + values
"""


static func make() -> RefCounted:
	var source := PackedStringArray(["extends RefCounted"])
	for type in range(1, TYPE_MAX):
		var name := _name(type)
		source.append(ARRAY % [type, name, name, name])
		for value: int in range(1, TYPE_MAX) if Typing.dictionaries != null else []:
			source.append(DICTIONARY % [type, value, name, _name(value), name, _name(value)])
	var script := GDScript.new()
	script.source_code = "\n".join(source)
	return script.new() if script.reload() == OK else null


## Returns the name of the type in a script. Objects are read as the EncodedObjectAsID that the library makes
## of their ids.
static func _name(type: int) -> String:
	return "EncodedObjectAsID" if type == TYPE_OBJECT else type_string(type)
