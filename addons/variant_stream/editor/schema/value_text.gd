@tool
extends RefCounted
## Reads a value as a user types it, in the form of `var_to_str()`. The engine's `str_to_var()` makes objects
## of some words, whose scripts then run, and ignores what stands behind the value; so words that are not
## listed here do not reach it, and nothing may be left over. It knows no schemas.

## The words that may stand outside of a string, besides the types of Variant.
const WORDS: PackedStringArray = ["true", "false", "null", "nil", "inf", "inf_neg", "nan"]
## Types whose values are not plain data.
const FOREIGN: PackedStringArray = ["Nil", "Object"]
## The engine reads nested values with its stack, and writes no deeper ones.
const MOST_LEVELS := 100
## Words; and numbers, so that an exponent is no word.
const TOKENS := "[A-Za-z_][A-Za-z_0-9]*|[0-9][0-9.]*([eE][-+]?[0-9]*)?"


## Returns the value alone in an array, since it may be null; the array is empty when the text is no value, or
## one with objects.
static func read(text: String) -> Array:
	var bare := _without_strings(text)
	if not _is_nested_well(bare) or not _has_known_words(bare):
		return []
	# The 0 behind the text has to be the second element, so the text is one value, and all of it.
	var value: Variant = str_to_var("[%s\n, 0]" % text)
	return [value[0]] if value is Array and value.size() == 2 else []


## Replaces each string and comment by a space, with the ends that the engine finds.
static func _without_strings(text: String) -> String:
	var bare := ""
	var at := 0
	while at < text.length():
		var from := at
		while at < text.length() and text[at] != "\"" and text[at] != ";":
			at += 1
		bare += text.substr(from, at - from) + " "
		if at < text.length():
			at = _end_of_string(text, at + 1) if text[at] == "\"" else _end_of_line(text, at)
	return bare


## Returns the place behind the closing quote.
static func _end_of_string(text: String, from: int) -> int:
	var at := from
	while at < text.length() and text[at] != "\"":
		at += 2 if text[at] == "\\" else 1
	return at + 1


static func _end_of_line(text: String, from: int) -> int:
	var end := text.find("\n", from)
	return end if end >= 0 else text.length()


## Tells whether no bracket closes one that the text did not open, and not too many are open at once. A `#`
## would begin a colour, about which the engine logs errors.
static func _is_nested_well(bare: String) -> bool:
	var open := 0
	for letter in bare:
		if letter in "[{(":
			open += 1
		elif letter in "]})":
			open -= 1
		if open < 0 or open > MOST_LEVELS or letter == "#":
			return false
	return open == 0


static func _has_known_words(bare: String) -> bool:
	var known := WORDS.duplicate()
	for type in TYPE_MAX:
		if not type_string(type) in FOREIGN:
			known.append(type_string(type))
	for token in RegEx.create_from_string(TOKENS).search_all(bare):
		var word := token.get_string()
		if not word[0].is_valid_int() and not word in known:
			return false
	return true
