extends RefCounted
## Announces its properties by `_get_property_list`: `dyn` is stored, `nost` only shown in the editor.

var _d := {"dyn": 4}
func _get_property_list() -> Array[Dictionary]:
	return [{"name": "dyn", "type": TYPE_INT, "usage": PROPERTY_USAGE_STORAGE},
			{"name": "nost", "type": TYPE_INT, "usage": PROPERTY_USAGE_EDITOR}]
func _get(p):
	if p == &"dyn": return _d.dyn
	if p == &"nost": return 8
	return null
func _set(p, v):
	if p == &"dyn":
		_d.dyn = v
		return true
	return false
