extends RefCounted
## Declares a data class that says itself what its declarations cannot: what has to be sent, and how long it may be.

var name: String = "nobody"
var to: Vector2 = Vector2.ZERO
var tags: Array[StringName] = []
var turn: int = 0


static func schema_types() -> Dictionary:
	return {
		"name": VariantSchema.string().max_chars(8).required(),
		"to": VariantSchema.vector2().max_length(1.0),
		"tags": VariantSchema.array(VariantSchema.string_name()).max_size(2).typed().required(),
	}
