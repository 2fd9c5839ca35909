extends RefCounted
## Tells to which field of an encoded value each byte belongs, by the lines of `VariantStream.dump()`. A field
## begins where a line begins. It knows nothing of the format.

## The bytes at which fields begin, in order.
var starts := PackedInt32Array()
var _texts := PackedStringArray()


static func of_dump(dump: String) -> RefCounted:
	var map: RefCounted = new()
	map.add_dump(dump, 0)
	return map


## Adds a field behind those that are there.
func add(start: int, text: String) -> void:
	starts.append(start)
	_texts.append(text)


## Adds the fields of a dump of bytes that begin at `start`.
func add_dump(dump: String, start: int) -> void:
	for line in dump.split("\n", false):
		# It is cut at most twice, because a text of the save may hold the separator itself.
		var parts := line.split(" | ", true, 2)
		if parts.size() == 3 and parts[0].is_valid_hex_number():
			add(start + parts[0].hex_to_int(), parts[2].strip_edges())


## Returns the index of the field that holds the byte, or -1.
func field_of(byte: int) -> int:
	return starts.bsearch(byte, false) - 1


## Returns type, path and value of the field, as the dump has them.
func text_of(byte: int) -> String:
	var field := field_of(byte)
	return _texts[field] if field >= 0 else ""


## Returns the theme's colour for the kind of a field: a key, a text, a number, a vector, or the frame of it
## all.
func color_of(field: int) -> StringName:
	if field < 0:
		return &"text"
	var words := _texts[field].split(" ", false, 2)
	if words.size() > 1 and words[1].contains("[key"):
		return &"muted"
	match words[0]:
		"String", "StringName":
			return &"accent"
		"int", "float", "bool":
			return &"info"
	return &"odd" if words[0].begins_with("Vector") else &"text"
