extends RefCounted
## The second version of a save, with a class inside and one from another file.

class Item:
	@export_range(1, 9) var id: int = 1


const Target := preload("target.gd")

var version: int = 2
@export_range(0, 99) var health: int = 50
var items: Array[Item] = []
var target: Target = Target.new()
