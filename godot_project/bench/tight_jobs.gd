extends "res://bench/codec_jobs.gd"
## Times a codec whose limit of memory a value of so many bytes might pass: everything has to be counted.


func _init(given: Variant) -> void:
	super(given)
	codec.limits = VariantLimits.save_file()
	codec.limits.max_heap_bytes = 40 * bytes.size()
