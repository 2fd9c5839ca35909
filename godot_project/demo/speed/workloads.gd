extends RefCounted
## Makes the values that the bars encode and decode: as games have them, from one packet to a mesh. Nothing in
## them is random, so that every run times the same work.


## Holds a value with a name.
class Workload:
	var name: String
	var value: Variant

	func _init(called: String, what: Variant) -> void:
		name = called
		value = what


static func all() -> Array[Workload]:
	return [
		Workload.new("A move", _move(7)),
		Workload.new("A player", _player(3)),
		Workload.new("100 entities", range(100).map(_entity)),
		Workload.new("200 texts", range(200).map(_line)),
		Workload.new("2 000 numbers", range(1000) + range(1000).map(_number)),
		Workload.new("A mesh", PackedVector3Array(range(8000).map(_corner))),
	]


static func _move(i: int) -> Dictionary:
	return {"seq": i, "dir": Vector2(0.6, 0.8), "act": "jump", "items": [{"id": 5, "count": i}]}


static func _player(i: int) -> Dictionary:
	return {
		"name": "Robin", "level": 17 + i, "hp": 80.5, "at": Vector3(12, 0, -7), "facing": Quaternion.IDENTITY,
		"color": Color.CORAL, "team": &"green", "friends": PackedStringArray(["Ann", "Ben", "Cleo"]),
		"stats": {"strength": 12, "wits": 15, "luck": 3, "speed": 4.25},
		"inventory": range(10).map(_item),
	}


static func _item(i: int) -> Dictionary:
	return {"id": i * 7, "count": i + 1, "worn": i % 2 == 0}


static func _entity(i: int) -> Dictionary:
	return {
		"id": i, "kind": ["orc", "elf", "crate", "door"][i % 4], "at": Vector2(i * 3, i * 5), "hp": 100 - i % 50,
		"is_awake": i % 3 == 0, "path": [Vector2i(i, 0), Vector2i(0, i)],
	}


static func _line(i: int) -> String:
	return "line %d of what somebody said" % i


static func _number(i: int) -> float:
	return i * 0.37


static func _corner(i: int) -> Vector3:
	return Vector3(i, sin(i), cos(i))
