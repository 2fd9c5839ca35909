extends RefCounted
## Serves as a class whose objects games have written with the engine's full objects, for objects_engine_test.gd.

const SavedItem := preload("saved_item.gd")

static var made := 0

@export_range(0, 100) var hp := 10
@export_storage var at := Vector2()
@export_storage var items: Array[SavedItem] = []
@export_storage var best: Resource
@export_storage var notes := {}


func _init() -> void:
	made += 1
