extends RefCounted
## Serves as the script of a recorded object with exported and stored properties, a category and a group,
## other variables.

@export var shown := 1
@export_storage var stored := 2
@export_category("Cat")
@export_group("Grp")
@export var g := 4

var scriptvar := 3
var with_setter := 5:
	set(v): with_setter = v * 1
