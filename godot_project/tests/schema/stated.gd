extends RefCounted
## The same, with the schema that its declaration cannot give.

var level: int
var anything


static func schema_types() -> Dictionary:
	return {"anything": VariantSchema.string().nullable()}
