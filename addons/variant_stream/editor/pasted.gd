@tool
extends RefCounted
## Bytes out of what people paste: hexadecimal digits in most of the ways they are written, lists of numbers, Base64.
## Does not look at what the bytes mean.

const FORM_HEX := "hexadecimal"
const FORM_NUMBERS := "list of numbers"
const FORM_BASE64 := "Base64"


## The bytes and what they were written as; `error` says why there are none.
static func read(text: String) -> Dictionary:
	var trimmed := text.strip_edges()
	if trimmed.is_empty():
		return _refused("")
	var numbers := _numbers(trimmed)
	if not numbers.is_empty():
		return {"bytes": numbers, "form": FORM_NUMBERS, "error": ""}
	var digits := _digits(trimmed)
	if _is_hex(digits):
		if digits.length() % 2 == 1:
			return _refused("an odd number of hexadecimal digits")
		return {"bytes": digits.hex_decode(), "form": FORM_HEX, "error": ""}
	var packed := _without_space(trimmed)
	if _is_base64(packed):
		return {"bytes": Marshalls.base64_to_raw(packed), "form": FORM_BASE64, "error": ""}
	return _refused("neither hexadecimal digits nor Base64 nor a list of numbers")


static func _refused(why: String) -> Dictionary:
	return {"bytes": PackedByteArray(), "form": "", "error": why}


## `[27, 0, 1]`, as print() writes a PackedByteArray.
static func _numbers(text: String) -> PackedByteArray:
	var bytes := PackedByteArray()
	if not (text.begins_with("[") and text.ends_with("]")):
		return bytes
	for word in text.substr(1, text.length() - 2).split(",", false):
		var number := word.strip_edges()
		if not number.is_valid_int() or number.to_int() < 0 or number.to_int() > 255:
			return PackedByteArray()
		bytes.append(number.to_int())
	return bytes


## The digits alone: without spaces, commas, `0x`, `\x`, and without the offsets and the text of a hex dump.
static func _digits(text: String) -> String:
	var digits := ""
	for line in text.split("\n", false):
		var part := line
		var columns := line.split("|")
		if columns.size() > 1:
			# A dump: offset, bytes, meaning; or bytes and their text.
			part = columns[1] if columns.size() > 2 else columns[0]
		for mark: String in ["0x", "0X", "\\x", " ", "\t", "\r", ",", ":", "-"]:
			part = part.replace(mark, "")
		digits += part
	return digits


static func _is_hex(text: String) -> bool:
	return not text.is_empty() and text.is_valid_hex_number()


static func _without_space(text: String) -> String:
	return text.replace(" ", "").replace("\n", "").replace("\r", "").replace("\t", "")


static func _is_base64(text: String) -> bool:
	var form := RegEx.create_from_string("^[A-Za-z0-9+/]+={0,2}$")
	return text.length() % 4 == 0 and form.search(text) != null
