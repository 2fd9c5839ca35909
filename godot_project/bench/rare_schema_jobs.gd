extends "res://bench/rare_jobs.gd"
## Times values without a fast path under a schema that accepts everything.


func _init(given: Variant) -> void:
	super(given)
	codec.schema = VariantSchema.any()
