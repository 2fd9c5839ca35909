extends "res://bench/codec_jobs.gd"
## Times a codec that allows RIDs on values without a fast path, against the engine's decoding. A container
## that declares a class is decoded without one, so values are compared and not their bytes.


func _init(given: Variant) -> void:
	super(given)
	codec.limits = VariantLimits.save_file()
	codec.limits.allowed_types |= 1 << TYPE_RID


func difference() -> String:
	if codec.decode(bytes) != OK:
		return codec.get_error_message()
	return "" if codec.data == bytes_to_var(bytes) else "value"
