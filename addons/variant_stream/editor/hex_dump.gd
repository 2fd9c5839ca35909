@tool
extends RefCounted
## Bytes out of dumps: lines of an offset, bytes, and what they mean. Those of `VariantStream.dump()`, `xxd`, `hexdump -C` and
## `od -t x1`. A dump whose offsets do not count its bytes is refused: something is missing, or it is in another order.

## Offset, what stands behind it, the rest.
const LINE := "^\\s*([0-9a-fA-F]{4,16})(:(?=\\s|$)|\\s+\\||\\s|$)(.*)$"
## An offset without a colon or bars in its line is one from so many digits on.
const LEAST_DIGITS := 6
## A `*` says that the line before is there again and again, at most so many bytes.
const MOST_REPEATED := 16 << 20
## Offsets of `od`: octal, or decimal with `-A d`. All others are hexadecimal, those of `od -A x` with six digits.
const OD_DIGITS := 7
const OD_RADIXES: PackedInt32Array = [8, 10]
const DIGITS := "0123456789abcdef"


## The bytes, or why there are none in `error`; empty when the text is no dump.
static func read(text: String) -> Dictionary:
	var lines: Array[Dictionary] = []
	var form := RegEx.create_from_string(LINE)
	for row in text.split("\n", false):
		if row.strip_edges() == "*" and not lines.is_empty():
			lines[-1].is_repeated = true
			continue
		var found := form.search(row.strip_edges(false))
		var line := _line(found) if found != null else {}
		if line.is_empty():
			return {}
		lines.append(line)
	if not lines.any(func(line: Dictionary) -> bool: return line.is_dump):
		return {}
	return _join(lines)


## Offset and bytes of a line; empty when it is none of a dump. `is_dump`: it cannot be bytes alone.
static func _line(found: RegExMatch) -> Dictionary:
	var offset := found.get_string(1)
	var mark := found.get_string(2).strip_edges()
	var rest := found.get_string(3).replace("\t", " ").strip_edges()
	# Behind a colon text follows two blanks, and may be anything; else it has a sign before it.
	var ends: PackedStringArray = ["  "] if mark == ":" else ["|", ">"]
	var end := rest.length()
	for sign_of in ends:
		end = mini(end, rest.find(sign_of) if rest.contains(sign_of) else end)
	var words := rest.substr(0, end).split(" ", false)
	var is_bytes := Array(words).all(func(word: String) -> bool: return word.length() == 2)
	var is_dump := not mark.is_empty() or end < rest.length() or (
			offset.length() >= LEAST_DIGITS and is_bytes and not words.is_empty()) or (
			# What `od` and `hexdump` write when they are not asked for bytes: numbers, in the order of the machine.
			offset.length() == OD_DIGITS and not words.is_empty())
	var digits := "".join(words)
	var is_whole := digits.is_empty() or (digits.is_valid_hex_number() and digits.length() % 2 == 0)
	return {"offset": offset, "bytes": digits.hex_decode() if is_whole and not digits.is_empty() else PackedByteArray(),
			"is_dump": is_dump, "is_whole": is_whole and (not mark.is_empty() or is_bytes), "is_repeated": false}


static func _join(lines: Array[Dictionary]) -> Dictionary:
	if not lines.all(func(line: Dictionary) -> bool: return line.is_whole):
		return {"error": "a dump that leaves bytes out, or has numbers in their place: use xxd or hexdump -C"}
	for radix in OD_RADIXES if lines[0].offset.length() == OD_DIGITS else PackedInt32Array([16]):
		var bytes := _bytes_by(lines, radix)
		if not bytes.is_empty():
			return {"bytes": bytes, "error": ""}
	return {"error": "a dump whose offsets do not count its bytes"}


## The bytes, if the offsets count them in this radix.
static func _bytes_by(lines: Array[Dictionary], radix: int) -> PackedByteArray:
	var bytes := PackedByteArray()
	var first := _number(lines[0].offset, radix)
	for i in lines.size():
		var line := lines[i]
		var at := _number(line.offset, radix) - first
		if i > 0 and lines[i - 1].is_repeated:
			var again: PackedByteArray = lines[i - 1].bytes
			while not again.is_empty() and bytes.size() < mini(at, MOST_REPEATED):
				bytes.append_array(again)
		if at != bytes.size() or first < 0:
			return PackedByteArray()
		bytes.append_array(line.bytes)
	return bytes


## -1 for digits that the radix has not.
static func _number(digits: String, radix: int) -> int:
	var number := 0
	for digit in digits.to_lower():
		var value := DIGITS.find(digit)
		if value >= radix:
			return -1
		number = number * radix + value
	return number
