extends RefCounted
## Serves as a data object as games write them, for the objects part: exported, stored and other variables,
## nesting.

@export var count := 0
@export var title := ""
@export var place := Vector3()
@export var tags: Array[StringName] = []
@export_storage var child: RefCounted
@export var anything: Array = []
@export_storage var stored: Variant = null
var plain := 3
