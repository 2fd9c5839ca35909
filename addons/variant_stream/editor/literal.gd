@tool
extends RefCounted
## Bytes out of a literal of a programming language: letters, and escapes as C, Python, Rust and JavaScript write them.
## Postgres writes one `\x` before all digits.

const BETWEEN := "letters between the escapes: a literal has quotes around it"
const BAD_ESCAPE := "a wrong escape: \\x has two digits"
## The characters that stand for one byte behind a backslash, and those bytes.
const LETTERS := {"a": 7, "b": 8, "t": 9, "n": 10, "v": 11, "f": 12, "r": 13, "\\": 92, "'": 39, "\"": 34}


## Returns the bytes and an error, which says why there are none. Escapes alone may be folded; in quotes a blank is
## a byte.
static func read(text: String, may_be_folded: bool) -> Dictionary:
	var digits := text.trim_prefix("\\x")
	if text.begins_with("\\x") and digits.length() > 2 and digits.length() % 2 == 0 and digits.is_valid_hex_number():
		return {"bytes": digits.hex_decode(), "error": ""}
	var letters := _unfolded(text) if may_be_folded else text
	if letters.is_empty():
		return {"bytes": PackedByteArray(), "error": BETWEEN}
	var bytes := PackedByteArray()
	var at := 0
	while at < letters.length():
		if letters[at] != "\\":
			bytes.append_array(letters[at].to_utf8_buffer())
			at += 1
			continue
		var escape := _escape(letters, at + 1)
		if escape.is_empty():
			return {"bytes": PackedByteArray(), "error": BAD_ESCAPE}
		bytes.append(escape[0])
		at += 1 + escape[1]
	return {"bytes": bytes, "error": ""}


## Returns the text without blanks where all of it is escapes of two digits, else nothing.
static func _unfolded(text: String) -> String:
	var words := text.split("\n", false)
	words = " ".join(words).replace("\t", " ").replace("\r", " ").split(" ", false)
	for word in words:
		if not word.begins_with("\\x") or word.length() % 4 != 0:
			return ""
	return "".join(words)


## Returns the byte of an escape and its length behind the backslash; empty for none.
static func _escape(text: String, at: int) -> Array:
	if at >= text.length():
		return []
	var letter := text[at]
	if LETTERS.has(letter):
		return [LETTERS[letter], 1]
	if letter == "x":
		var digits := text.substr(at + 1, 2)
		return [digits.hex_to_int(), 3] if digits.length() == 2 and digits.is_valid_hex_number() else []
	var number := 0
	var length := 0
	while length < 3 and at + length < text.length() and "01234567".contains(text[at + length]):
		number = number * 8 + text[at + length].to_int()
		length += 1
	return [number, length] if length > 0 and number < 256 else []
