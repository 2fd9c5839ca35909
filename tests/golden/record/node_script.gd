extends Node
## Serves as a script for a Node with one stored property.

@export var speed := 2.0
@onready var late := 1
