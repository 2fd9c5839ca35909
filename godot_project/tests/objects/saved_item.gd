extends Resource
## Serves as a resource that games have written with the engine's full objects, for objects_engine_test.gd.

static var made := 0

@export var name := ""
@export_range(1, 99) var count := 1
@export_storage var tags: Array[StringName] = []


func _init() -> void:
	made += 1
