extends RefCounted
## Serves as the script of a recorded object with a property announced as stored at run time, and one that is
## shown only.

var _d := {"dyn": 4}


func _get_property_list() -> Array[Dictionary]:
	return [
		{"name": "dyn", "type": TYPE_INT, "usage": PROPERTY_USAGE_STORAGE},
		{"name": "nost", "type": TYPE_INT, "usage": PROPERTY_USAGE_EDITOR},
	]


func _get(p: StringName) -> Variant:
	return _d.dyn if p == &"dyn" else (8 if p == &"nost" else null)


func _set(p: StringName, v: Variant) -> bool:
	if p == &"dyn":
		_d.dyn = v
	return p == &"dyn"
