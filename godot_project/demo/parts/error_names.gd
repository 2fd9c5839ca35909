extends RefCounted
## Returns the names of the kinds of errors, as scripts write them: 37 is OUT_OF_RANGE. They are read from the
## library, so that no list of them can be out of date here.

static var _names := {}


static func name_of(code: int) -> String:
	if _names.is_empty():
		for name in ClassDB.class_get_enum_constants(&"VariantCodec", &"ErrorKind", true):
			_names[ClassDB.class_get_integer_constant(&"VariantCodec", name)] = name
	return _names.get(code, "?")
