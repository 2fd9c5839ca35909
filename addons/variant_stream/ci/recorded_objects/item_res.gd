extends Resource
## Serves as the custom resource of recorded values: two exported properties are stored, the third is not.

@export var power := 5
@export var tags: Array[String] = ["a"]

var plain := 1.5
