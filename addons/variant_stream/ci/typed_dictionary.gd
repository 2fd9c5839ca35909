extends RefCounted
## Compares, names and makes typed dictionaries (4.4 and later). It is apart from typing.gd because older
## engines know neither the constructor nor the getters and would not parse this file.


static func same(a: Dictionary, b: Dictionary) -> bool:
	if not a.is_typed():
		return not b.is_typed()
	return (a.get_typed_key_builtin() == b.get_typed_key_builtin()
			and a.get_typed_value_builtin() == b.get_typed_value_builtin()
			and a.get_typed_key_class_name() == b.get_typed_key_class_name()
			and a.get_typed_value_class_name() == b.get_typed_value_class_name()
			and is_same(a.get_typed_key_script(), b.get_typed_key_script())
			and is_same(a.get_typed_value_script(), b.get_typed_value_script()))


static func text(value: Dictionary) -> String:
	if not value.is_typed():
		return ""
	return "[%s, %s] " % [
		_part(value.get_typed_key_builtin(), value.get_typed_key_class_name(), value.get_typed_key_script()),
		_part(value.get_typed_value_builtin(), value.get_typed_value_class_name(), value.get_typed_value_script()),
	]


## Makes a dictionary typed to `key` and `value`, both {type, class, script} as typing.gd makes them.
static func make(entries: Dictionary, key: Dictionary, value: Dictionary) -> Dictionary:
	return Dictionary(entries, key.type, key.class, key.script, value.type, value.class, value.script)


static func _part(type: int, of_class: StringName, script: Variant) -> String:
	if script != null:
		return script.resource_path
	return str(of_class) if type == TYPE_OBJECT else type_string(type)
