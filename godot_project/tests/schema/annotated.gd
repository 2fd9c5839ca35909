extends RefCounted
## Declares a data class with variables whose annotations and enums say more than their types.

const Other := preload("misnamed.gd")

enum Kind { A = 7, B = 8 }

@export_range(0, 360, 0.1, "radians_as_degrees") var angle: float
@export_range(1, 99) var scores: Array[int] = [5]
@export_enum("sword", "bow") var weapon: String = "bow"
@export_enum("red", "green") var colors: Array[String] = []
@export_enum("slow:5", "fast") var speed := 5
## An enum of another class, which has an enum of this name as well.
@export var theirs: Other.Kind = Other.Kind.X
var also_theirs: Other.Kind = Other.Kind.Y
var ours: Kind = Kind.A
