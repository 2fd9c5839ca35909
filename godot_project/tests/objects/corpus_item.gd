extends Resource
## Serves as the items of tests/attacks/objects, which rust/testkit/src/objects.rs defines as well.

static var made := 0

@export var count := 1


func _init() -> void:
	made += 1
