extends "res://bench/codec_jobs.gd"
## Times a codec that accepts more levels than any preset of limits does.


func _init(given: Variant) -> void:
	super(given)
	codec.limits = VariantLimits.save_file()
	codec.limits.max_depth = 256
