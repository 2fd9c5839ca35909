extends RefCounted
## Reads documents of objects with the engine alone, as docs/OBJECTS_FORMAT.md shows it: objects become dictionaries.


static func read(bytes: PackedByteArray) -> Variant:
	var document: Array = bytes_to_var(bytes)
	var made := {}
	for c: int in document[1].size():
		for r: int in document[1][c][3].size():
			made[(c + 1) << 32 | r] = {"tag": document[1][c][0]}
	for c: int in document[1].size():
		for r: int in document[1][c][3].size():
			for p: int in document[1][c][2].size():
				made[(c + 1) << 32 | r][document[1][c][2][p]] = linked(document[1][c][3][r][p], made)
	return linked(document[2], made)


static func linked(value: Variant, made: Dictionary) -> Variant:
	if value is RID:
		return made[value.get_id()]
	if value is Array:
		return value.map(func(item: Variant) -> Variant: return linked(item, made))
	if value is Dictionary:
		var out := {}
		for k: Variant in value:
			out[k] = linked(value[k], made)
		return out
	return value
