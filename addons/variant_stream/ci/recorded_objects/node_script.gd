extends Node
## The node script behind recorded values.

@export var speed := 2.0
@onready var late := 1
