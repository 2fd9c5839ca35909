extends RefCounted
## Declares a data class with a schema for a variable that it does not have.

enum Kind { X = 1, Y = 4 }

var hp: int


static func schema_types() -> Dictionary:
	return {"hp_": VariantSchema.int(0, 100)}
