extends "res://bench/codec_jobs.gd"
## A codec that takes more levels than any limits do by themselves.


func _init(given: Variant) -> void:
	super(given)
	codec.limits = VariantLimits.save_file()
	codec.limits.max_depth = 256
