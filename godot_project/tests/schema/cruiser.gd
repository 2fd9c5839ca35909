extends "ship.gd"
## Declares a data class with types from the class it extends, from a class within that, and from the engine.
## They come alone and in containers.

var other: Team = Team.RED
var grade: Part.Grade = Part.Grade.GOOD
var teams: Array[Team] = []
var grades: Array[Part.Grade] = []
var spare: Part = Part.new()
var parts: Array[Part] = []
var lines: Mesh.PrimitiveType = Mesh.PRIMITIVE_LINES
