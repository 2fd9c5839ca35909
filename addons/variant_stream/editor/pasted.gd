@tool
extends RefCounted
## Bytes out of what people paste: hexadecimal digits in most of the ways they are written, literals of languages, dumps, lists
## of numbers, Base64 in both its alphabets, filled up or not. `gdvar --hex` reads the same, Base64 aside; both are tested with
## tests/pasted.json.
## Does not look at what the bytes mean.

const HexDump := preload("hex_dump.gd")
const Literal := preload("literal.gd")

const FORM_HEX := "hexadecimal"
const FORM_DUMP := "dump"
const FORM_NUMBERS := "list of numbers"
const FORM_BASE64 := "Base64"
const FORM_LITERAL := "literal"
## The beginning of what Node prints of a Buffer, the first fifty bytes at most.
const BUFFER := "<Buffer"
const LEFT_OUT := "an answer that leaves bytes out: make the program that wrote it print all of them"
## `b'...'`, `X'...'`, with a `;` behind it or not.
const QUOTED := "(?s)^[A-Za-z]{0,2}([\"'])(.*)\\1;*$"
## `PackedByteArray(...)`, `bytes.fromhex(...)`
const CALL := "(?s)^[A-Za-z0-9_.:]+\\((.*)\\);*$"


## The bytes and what they were written as; `error` says why there are none.
static func read(text: String) -> Dictionary:
	var trimmed := text.strip_edges()
	if trimmed.is_empty():
		return _refused("")
	# Before anything is taken off: behind the bytes of a dump stands their text, quotes and brackets as well.
	var dump := HexDump.read(trimmed)
	if not dump.is_empty():
		return _read(dump.bytes, FORM_DUMP) if dump.error.is_empty() else _refused(dump.error)
	if trimmed.begins_with(BUFFER) and trimmed.ends_with(">"):
		var digits := trimmed.trim_prefix(BUFFER).trim_suffix(">")
		return _refused(LEFT_OUT) if digits.contains("more byte") else _digits_or_base64(digits)
	var inner := _inside(trimmed, CALL, 1)
	var quoted := RegEx.create_from_string(QUOTED).search(inner if not inner.is_empty() else trimmed)
	if quoted != null:
		var between := quoted.get_string(2)
		return _literal(between, false) if between.contains("\\") else read(between)
	if trimmed.contains("\\"):
		return _literal(trimmed, true)
	var list := _in_brackets(trimmed)
	if list.is_empty() and not trimmed.contains("hex"):
		list = inner
	return _list(list) if not list.is_empty() else _digits_or_base64(inner if not inner.is_empty() else trimmed)


static func _read(bytes: PackedByteArray, form: String) -> Dictionary:
	return {"bytes": bytes, "form": form, "error": ""}


static func _refused(why: String) -> Dictionary:
	return {"bytes": PackedByteArray(), "form": "", "error": why}


static func _literal(text: String, may_be_folded: bool) -> Dictionary:
	var literal := Literal.read(text, may_be_folded)
	return _read(literal.bytes, FORM_LITERAL) if literal.error.is_empty() else _refused(literal.error)


static func _inside(text: String, form: String, group: int) -> String:
	var found := RegEx.create_from_string(form).search(text)
	return found.get_string(group).strip_edges() if found != null else ""


## Returns what stands between the innermost brackets with something in them: `[27, 0]`, `char a[] = { 0x1b, 0x00 };`, the
## JSON of a Buffer. Empty where there are none.
static func _in_brackets(text: String) -> String:
	var open := text.find("{")
	var close := text.rfind("}")
	var braces := text.substr(open + 1, close - open - 1).strip_edges() if open >= 0 and close > open else ""
	var inner := braces if not braces.is_empty() else text
	var start := inner.rfind("[") + 1
	var end := inner.find("]", start)
	if start > 0 and end > start and not inner.substr(start, end - start).strip_edges().is_empty():
		return inner.substr(start, end - start)
	return braces


## Reads numbers: of a list they are decimal, unless they are marked or are pairs of digits with nothing but blanks between
## them.
static func _list(text: String) -> Dictionary:
	var words := _words(text.replace(",", " "))
	var are_pairs := words.size() > 1 and Array(words).all(func(word: String) -> bool: return word.length() == 2)
	var are_marked := Array(words).any(func(word: String) -> bool: return word.to_lower().begins_with("0x"))
	var have_letters := Array(words).any(func(word: String) -> bool: return not word.is_valid_int())
	if are_marked or are_pairs and (have_letters or not text.contains(",")):
		return _digits_or_base64(text)
	var bytes := PackedByteArray()
	for word in words:
		if not word.is_valid_int() or word.to_int() < 0 or word.to_int() > 255:
			return _refused("a list with something in it that is no byte (0 to 255): %s" % word.left(20))
		bytes.append(word.to_int())
	return _read(bytes, FORM_NUMBERS)


static func _digits_or_base64(text: String) -> Dictionary:
	var digits := _digits(text)
	if not digits.is_empty() and digits.is_valid_hex_number():
		if digits.length() % 2 == 1 or _are_numbers(text):
			return _refused("an odd number of hexadecimal digits; decimal numbers go into [brackets]")
		return _read(digits.hex_decode(), FORM_HEX)
	var packed := _padded("".join(_words(text)).replace("-", "+").replace("_", "/"))
	if _is_base64(packed):
		return _read(Marshalls.base64_to_raw(packed), FORM_BASE64)
	return _refused("neither hexadecimal digits nor Base64 nor a list of numbers")


## The digits alone: without spaces, commas, `0x`.
static func _digits(text: String) -> String:
	var digits := PackedStringArray()
	for word in _words(_unmarked(text)):
		if word.begins_with("0x") or word.begins_with("0X"):
			# `0x0` is a byte of its own.
			digits.append(word.substr(2).lpad(2, "0"))
		else:
			digits.append(word)
	return "".join(digits)


## Digits alone may go on in the next line anywhere; of several in a line each is whole bytes, or they would run into each other.
static func _are_numbers(text: String) -> bool:
	for line in text.split("\n"):
		var words := _words(_unmarked(line))
		if words.size() > 1 and Array(words).any(
				func(word: String) -> bool: return word.length() % 2 == 1 and not word.to_lower().begins_with("0x")):
			return true
	return false


static func _unmarked(text: String) -> String:
	for mark: String in [",", ":", "-", ";"]:
		text = text.replace(mark, " ")
	return text


static func _words(text: String) -> PackedStringArray:
	for blank: String in ["\n", "\r", "\t"]:
		text = text.replace(blank, " ")
	return text.split(" ", false)


## Adds the signs that fill Base64 up, which web tokens and addresses leave out. Where they would stand for
## anything but zeros, the text is some word, and stays as it is.
static func _padded(text: String) -> String:
	var ends: String = ["", "", "AQgw", "AEIMQUYcgkosw048"][text.length() % 4]
	return text if ends.is_empty() or not ends.contains(text.right(1)) else text + "=".repeat(4 - text.length() % 4)


static func _is_base64(text: String) -> bool:
	var form := RegEx.create_from_string("^[A-Za-z0-9+/]+={0,2}$")
	return text.length() % 4 == 0 and form.search(text) != null
