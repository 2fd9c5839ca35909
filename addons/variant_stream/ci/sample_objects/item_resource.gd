extends Resource
## Serves as a custom resource for the objects part: its exported arrays are typed to a script and to classes.

const Item := preload("item.gd")

@export var power := 5
@export_storage var items: Array[Item] = []
@export var resources: Array[Resource] = []
@export var curve: Curve
var plain := 1.5
