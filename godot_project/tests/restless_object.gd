extends Object
## Defines an object whose getter does something while it is being encoded.

@export_storage var first: Variant:
	get:
		if deed.is_valid():
			deed.call()
		return first
@export var last := 7
## The function that the getter calls; it is not stored.
var deed := Callable()
