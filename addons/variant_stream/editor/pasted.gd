@tool
extends RefCounted
## Bytes out of what people paste: hexadecimal digits in most of the ways they are written, dumps, lists of numbers, Base64
## in both its alphabets, filled up or not.
## Does not look at what the bytes mean.

const HexDump := preload("hex_dump.gd")

const FORM_HEX := "hexadecimal"
const FORM_DUMP := "dump"
const FORM_NUMBERS := "list of numbers"
const FORM_BASE64 := "Base64"
const PACKED := "PackedByteArray("
## `\x1b\x00`, as many languages write bytes in a text.
const ESCAPES := "^(\\\\x[0-9a-fA-F]{2}|\\s)+$"


## The bytes and what they were written as; `error` says why there are none.
static func read(text: String) -> Dictionary:
	var trimmed := text.strip_edges()
	if trimmed.is_empty():
		return _refused("")
	if trimmed.begins_with(PACKED) and trimmed.ends_with(")"):
		return _packed(trimmed.trim_prefix(PACKED).trim_suffix(")").strip_edges())
	# Before anything is taken off: behind the bytes of a dump stands their text, quotes and brackets as well.
	var dump := HexDump.read(trimmed)
	if not dump.is_empty():
		return _read(dump.bytes, FORM_DUMP) if dump.error.is_empty() else _refused(dump.error)
	var inner := _without_quotes(trimmed)
	if inner != trimmed:
		return read(inner)
	if trimmed.begins_with("[") and trimmed.ends_with("]"):
		return _numbers(trimmed.substr(1, trimmed.length() - 2))
	return _digits_or_base64(trimmed)


static func _read(bytes: PackedByteArray, form: String) -> Dictionary:
	return {"bytes": bytes, "form": form, "error": ""}


static func _refused(why: String) -> Dictionary:
	return {"bytes": PackedByteArray(), "form": "", "error": why}


## What `var_to_str()` puts between the brackets of a PackedByteArray: numbers, or Base64 in quotes. In code it is an array.
static func _packed(inner: String) -> Dictionary:
	if inner.begins_with("["):
		return read(inner)
	return read(inner) if _without_quotes(inner) != inner else _numbers(inner)


## Without the quotes around it, `b"` of Python among them, and without the declaration around `{ 0x1b, 0x00 }` of `xxd -i`.
static func _without_quotes(text: String) -> String:
	for quote: String in ["\"", "'"]:
		for prefix: String in ["", "b"]:
			if text.length() >= 2 + prefix.length() and text.begins_with(prefix + quote) and text.ends_with(quote):
				return text.substr(prefix.length() + 1, text.length() - prefix.length() - 2).strip_edges()
	var open := text.find("{")
	var close := text.find("}", open)
	return text.substr(open + 1, close - open - 1).strip_edges() if open >= 0 and close > open else text


## `27, 0, 1`, as print() writes a PackedByteArray.
static func _numbers(text: String) -> Dictionary:
	var bytes := PackedByteArray()
	for word in text.split(",", false):
		var number := word.strip_edges()
		if not number.is_valid_int() or number.to_int() < 0 or number.to_int() > 255:
			return _refused("a list with something in it that is no byte: %s" % number.left(20))
		bytes.append(number.to_int())
	return _read(bytes, FORM_NUMBERS)


static func _digits_or_base64(text: String) -> Dictionary:
	if text.contains("\\x") and RegEx.create_from_string(ESCAPES).search(text) == null:
		return _refused("letters between the escapes")
	var digits := _digits(text)
	if not digits.is_empty() and digits.is_valid_hex_number():
		if digits.length() % 2 == 1 or _are_numbers(text):
			return _refused("an odd number of hexadecimal digits; decimal numbers go into [brackets]")
		return _read(digits.hex_decode(), FORM_HEX)
	var packed := _padded("".join(_words(text)).replace("-", "+").replace("_", "/"))
	if _is_base64(packed):
		return _read(Marshalls.base64_to_raw(packed), FORM_BASE64)
	return _refused("neither hexadecimal digits nor Base64 nor a list of numbers")


## The digits alone: without spaces, commas, `0x`, `\x`.
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
	for mark: String in [",", ":", "-", "\\x"]:
		text = text.replace(mark, " ")
	return text


static func _words(text: String) -> PackedStringArray:
	for blank: String in ["\n", "\r", "\t"]:
		text = text.replace(blank, " ")
	return text.split(" ", false)


## Web tokens and addresses have Base64 without the signs that fill it up. What is over is zeros then, or it is some word.
static func _padded(text: String) -> String:
	var ends: String = ["", "", "AQgw", "AEIMQUYcgkosw048"][text.length() % 4]
	return text if ends.is_empty() or not ends.contains(text.right(1)) else text + "=".repeat(4 - text.length() % 4)


static func _is_base64(text: String) -> bool:
	var form := RegEx.create_from_string("^[A-Za-z0-9+/]+={0,2}$")
	return text.length() % 4 == 0 and form.search(text) != null
