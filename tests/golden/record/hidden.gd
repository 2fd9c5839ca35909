extends RefCounted
## Has properties of every visibility, of which only exported ones are stored.

@export var shown := 1
@export_storage var stored := 2
var scriptvar := 3
@export_category("Cat")
@export_group("Grp")
@export var g := 4
var with_setter := 5:
	set(v): with_setter = v * 1
