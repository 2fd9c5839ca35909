extends RefCounted
## Names a class of the addon on behalf of guarded.gd, which must parse without the library.


func encode(value: Variant) -> PackedByteArray:
	return VariantStream.encode(value)
