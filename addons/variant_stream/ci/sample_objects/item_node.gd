extends Node
## Serves as a node with a script and properties announced at run time, for the objects part.

@export var speed := 2.0
@export_node_path("Node") var target: NodePath
var _dynamic: Variant = 4


func _get_property_list() -> Array[Dictionary]:
	return [
		{"name": "dynamic", "type": TYPE_NIL, "usage": PROPERTY_USAGE_STORAGE},
		{"name": "shown_only", "type": TYPE_INT, "usage": PROPERTY_USAGE_EDITOR},
	]


func _get(property: StringName) -> Variant:
	return _dynamic if property == &"dynamic" else null


func _set(property: StringName, value: Variant) -> bool:
	if property == &"dynamic":
		_dynamic = value
	return property == &"dynamic"
