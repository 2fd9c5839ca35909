@tool
extends RefCounted
## One value as somebody types it, in the words of `var_to_str()`. The engine's `str_to_var()` makes objects of some words,
## whose scripts then run, and does not look behind the value; so words that are not listed here do not reach it, and nothing
## may be left over. Knows no schemas.

## What a word outside of a string may be, besides the types of Variant.
const WORDS: PackedStringArray = ["true", "false", "null", "nil", "inf", "inf_neg", "nan"]
## Types whose values live elsewhere.
const FOREIGN: PackedStringArray = ["Nil", "Object"]
## The engine reads nested values with its stack, and writes no deeper ones.
const MOST_LEVELS := 100
## Words; and numbers, so that an exponent is no word.
const TOKENS := "[A-Za-z_][A-Za-z_0-9]*|[0-9][0-9.]*([eE][-+]?[0-9]*)?"


## The value alone in an array, since it may be null; empty when the text is no value, or one with objects.
static func read(text: String) -> Array:
	var bare := _without_strings(text)
	if not _is_nested_well(bare) or not _has_known_words(bare):
		return []
	# Something behind the text that has to be the second element: so the text is one value, and all of it.
	var value: Variant = str_to_var("[%s\n, 0]" % text)
	return [value[0]] if value is Array and value.size() == 2 else []


## The text with a space for each string and comment, as the engine tells where these end.
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


## The place behind the closing quote.
static func _end_of_string(text: String, from: int) -> int:
	var at := from
	while at < text.length() and text[at] != "\"":
		at += 2 if text[at] == "\\" else 1
	return at + 1


static func _end_of_line(text: String, from: int) -> int:
	var end := text.find("\n", from)
	return end if end >= 0 else text.length()


## No bracket closes one that the text did not open, and not too many are open at once. A `#` would begin a colour, of which
## the engine prints what is wrong with it.
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
