extends RefCounted
## The part of guarded.gd that names a class of the addon.


func encode(value: Variant) -> PackedByteArray:
	return VariantStream.encode(value)
