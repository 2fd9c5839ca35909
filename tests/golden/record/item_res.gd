extends Resource
## Declares a resource with stored properties.

@export var power := 5
@export var tags: Array[String] = ["a"]
var plain := 1.5
