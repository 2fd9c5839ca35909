extends RefCounted
## Declares a data class like vague.gd, which gives the schema that the declaration cannot give.

var level: int
var anything


static func schema_types() -> Dictionary:
	return {"anything": VariantSchema.string().nullable()}
