extends Node
## Serves as the node script of recorded values.

@export var speed := 2.0
@onready var late := 1
