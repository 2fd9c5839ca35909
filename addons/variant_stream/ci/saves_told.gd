extends RefCounted
## Tells a state as text, a line each entry, for records of old saves: objects by their class and stored variables, each once.
## It reads no file and compares nothing.


## `redacts` tells texts by length and hash.
static func tell(value: Variant, redacts: bool) -> String:
	var lines := PackedStringArray()
	_tell(value, "", "", {"redacts": redacts, "known": {}}, lines)
	return "\n".join(lines)


static func _tell(value: Variant, name: String, indent: String, state: Dictionary, lines: PackedStringArray) -> void:
	var head := indent + (name + ": " if not name.is_empty() else "")
	match typeof(value):
		TYPE_DICTIONARY:
			lines.append("%sDictionary of %d" % [head, value.size()])
			for key: Variant in value:
				_tell(value[key], _leaf(key, state.redacts), indent + "\t", state, lines)
		TYPE_ARRAY:
			lines.append("%sArray of %d" % [head, value.size()])
			for at: int in value.size():
				_tell(value[at], str(at), indent + "\t", state, lines)
		TYPE_OBJECT:
			_tell_object(value, head, indent, state, lines)
		_:
			lines.append(head + _leaf(value, state.redacts))


static func _tell_object(value: Object, head: String, indent: String, state: Dictionary, lines: PackedStringArray) -> void:
	if value == null:
		lines.append(head + "null")
		return
	if state.known.has(value):
		lines.append("%sobject %d again" % [head, state.known[value]])
		return
	state.known[value] = state.known.size() + 1
	var script: Script = value.get_script()
	var of := value.get_class()
	if script != null and not script.get_global_name().is_empty():
		of = script.get_global_name()
	if value is Resource and not value.resource_path.is_empty():
		lines.append("%sobject %d, %s %s" % [head, state.known[value], of, value.resource_path])
		return
	lines.append("%sobject %d, %s" % [head, state.known[value], of])
	for property in value.get_property_list():
		if property.usage & PROPERTY_USAGE_SCRIPT_VARIABLE:
			_tell(value.get(property.name), property.name, indent + "\t", state, lines)


static func _leaf(value: Variant, redacts: bool) -> String:
	if redacts and typeof(value) in [TYPE_STRING, TYPE_STRING_NAME]:
		return "%s of %d characters, %s" % [type_string(typeof(value)), str(value).length(), str(value).sha256_text().left(12)]
	return var_to_str(value).replace("\n", " ")
