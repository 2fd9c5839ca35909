extends "suite.gd"
## Tests long texts, which are checked while they are made: they are what the engine makes of them, and wrong
## ones are refused. This must hold for any content at any place.

## The places around the pieces in which ASCII is checked, and the ends of registers.
const PLACES: Array[int] = [0, 1, 63, 64, 1023, 4093, 4094, 4095, 4096, 4097, 8191, 8192, 11998, 11999]
const LENGTH := 12_000
const OTHERS: Array[String] = ["é", "ж", "漢", "😀", "\u007f", "\ufeff"]


func test_one_other_character_anywhere() -> void:
	for filling: String in ["a", "ж", "漢", "😀", "漢a"]:
		var text := filling.repeat(LENGTH / filling.length())
		_same(text, "nothing but %s" % filling)
		for place in PLACES:
			for other in OTHERS:
				if other != "\ufeff" or place > 0:
					_same(text.left(place) + other + text.substr(place + 1), "%s at %d of %s" % [other, place, filling])


## Tests ASCII first, and then texts of fewer and fewer characters.
func test_ascii_that_goes_on_otherwise() -> void:
	for before: int in [4095, 4096, 5000, 8192, 40_000, 400_000]:
		for other: String in ["é", "éa", "漢", "😀", "é" + "a".repeat(100)]:
			for times: int in [1, 300, 5000]:
				_same("a".repeat(before) + other.repeat(times), "%d of %s behind %d" % [times, other, before])


func test_every_length() -> void:
	for length: int in range(1015, 1035) + range(4080, 4110) + range(8185, 8200):
		for filling: String in ["a", "ж", "漢"]:
			_same(filling.repeat(length), "%d of %s" % [length, filling])


## Tests wrong texts with validate() as well, which reads the bytes by other code.
func test_what_is_no_plain_text_is_refused() -> void:
	var refused := 0
	for filling: String in ["a", "ж", "漢"]:
		var bytes := var_to_bytes(filling.repeat(LENGTH))
		for place in PLACES:
			for byte: int in [0, 0x80, 0xC0, 0xFF]:
				var wrong := bytes.duplicate()
				wrong[8 + place] = byte
				refused += int(_is_refused(wrong, "%x at %d of %s" % [byte, place, filling]))
	# All are refused but those that make another letter of one.
	check(refused > 140 and refused < 3 * 4 * PLACES.size(), "%d were refused" % refused)
	for before: int in [5000, 8192, 30_000]:
		var bytes := var_to_bytes("a".repeat(before) + "漢".repeat(50))
		for place: int in [before, before + 1, before + 149]:
			for byte: int in [0, 0xFF]:
				var wrong := bytes.duplicate()
				wrong[8 + place] = byte
				check(_is_refused(wrong, "%x at %d behind ASCII" % [byte, place]), "%x at %d" % [byte, place])
	var marked := var_to_bytes("???" + "漢".repeat(LENGTH))
	for at in 3:
		marked[8 + at] = [0xEF, 0xBB, 0xBF][at]
	check(_is_refused(marked, "a mark before all"), "a mark before all")


func test_limits_are_kept() -> void:
	for filling: String in ["a", "漢"]:
		var bytes := var_to_bytes(filling.repeat(LENGTH))
		var codec := VariantCodec.new()
		codec.limits = VariantLimits.save_file()
		codec.limits.max_string_bytes = bytes.size() - 8
		check_error(codec.decode(bytes), OK, codec.get_error_message())
		codec.limits.max_string_bytes -= 1
		check(codec.decode(bytes) != OK and codec.get_error().code == VariantCodec.STRING_TOO_LONG, str(codec.get_error()))


## Tests long texts inside other values.
func test_among_other_values() -> void:
	for text: String in ["a".repeat(LENGTH), "漢".repeat(LENGTH), "a".repeat(5000) + "é" + "a".repeat(5000)]:
		for value: Variant in [[text, 1, text], {"text": text, "id": 5}, {text: text}, PackedStringArray([text, text])]:
			var bytes := var_to_bytes(value)
			for again in 3:
				check_same(VariantStream.decode(bytes), value, "a text in %s" % type_string(typeof(value)))


func _same(text: String, what: String) -> void:
	var bytes := var_to_bytes(text)
	var made: Variant = VariantStream.decode(bytes)
	check(made is String and made == text and made.length() == text.length(), what)
	check_bytes(var_to_bytes(made), bytes, what)


func _is_refused(bytes: PackedByteArray, what: String) -> bool:
	var codec := VariantCodec.new()
	var decoded := codec.decode(bytes)
	var error := codec.get_error()
	check(decoded == codec.validate(bytes), what)
	check_same(error, codec.get_error(), what)
	return decoded != OK
