extends RefCounted
## Declares a data class from which schema_script_test.gd makes a schema.

enum Element { FIRE = 1, ICE = 4 }

const Target := preload("target.gd")

@export_range(1, 99) var level: int = 5
@export_range(0.0, 1.0) var power: float = 0.5
var caster: String
var element: Element = Element.ICE
var at: Vector2
var names: Array[StringName]
var targets: Array[Target]
var first: Target = Target.new()


func cast(power: float, at: Vector2, names: Array[String]) -> float:
	return power + at.x + names.size()


func aim(power: float, who: StringName = &"all", times: int = 2, at: Vector2 = at) -> void:
	prints(power, who, times, at)


func untyped(what) -> void:
	print(what)
