extends RefCounted
## Declares the class of an element of cast_request.gd.

@export_range(1, 9) var id: int
