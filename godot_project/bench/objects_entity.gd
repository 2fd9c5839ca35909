extends RefCounted
## Serves as the class of the benchmarks of objects: six properties, with the two functions that games write by hand.

@export var id := 0
@export var name := ""
@export var hp := 100
@export var at := Vector2()
@export var speed := 1.5
@export var alive := true


func to_dict() -> Dictionary:
	return {"id": id, "name": name, "hp": hp, "at": at, "speed": speed, "alive": alive}


static func from_dict(state: Dictionary) -> RefCounted:
	var entity := new()
	entity.id = state["id"]
	entity.name = state["name"]
	entity.hp = state["hp"]
	entity.at = state["at"]
	entity.speed = state["speed"]
	entity.alive = state["alive"]
	return entity
