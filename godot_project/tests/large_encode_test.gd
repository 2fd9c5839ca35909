extends "engine_suite.gd"
## Tests the encoding of large containers, whose output grows step by step: the bytes are the engine's, within the limit, in
## memory of about their size.

## Buffers grow to powers of two before Godot 4.6, so encoding holds more than the result.
const NEEDS := {"test_texts_in_a_row": "Godot 4.6", "test_what_is_not_alike": "Godot 4.6"}
## The number of children: enough for the output to grow many times.
const COUNT := 60_000
## The size of a large child.
const HEAVY := 5000

var _codec := VariantCodec.new()


func _init() -> void:
	super()
	_codec.limits = VariantLimits.engine()


func test_what_is_alike() -> void:
	_check_array("ints of one width", func(i: int) -> Variant: return (1 << 40) + i)
	_check_array("ints of two widths", func(i: int) -> Variant: return i << (i % 40))
	_check_array("vectors", func(i: int) -> Variant: return Vector3(i, i, i))
	_check_array("matrices", func(i: int) -> Variant: return Transform3D(Basis(), Vector3(i, 0, 0)))
	_check_array("texts", func(i: int) -> Variant: return "a text number %d" % i)
	_check_array("texts of others", func(i: int) -> Variant: return "число %d and ✓" % i)
	_check_array("dictionaries", func(i: int) -> Variant: return {"hp": i, &"name": [i, "x"]})
	_check_array("nothing", func(_i: int) -> Variant: return null)


## Tests names, which are read where the engine keeps them.
func test_names() -> void:
	_check_array("one name", func(_i: int) -> Variant: return &"the only name there is")
	_check_array("some names", func(i: int) -> Variant: return StringName("name %d" % (i % 100)))
	var names := range(COUNT).map(func(_i: int) -> Variant: return &"the only name there is")
	_check([&"before", &"the only name there is", names, &"before"], "names around names")
	_check(_dictionary(func(i: int) -> Variant: return StringName("n%d" % (i % 7))), "names of entries")


func test_what_is_not_alike() -> void:
	var long_text := "x".repeat(HEAVY)
	_check_array("one that is large", func(i: int) -> Variant: return long_text if i == 0 else str(i))
	_check_array("some that are large", func(i: int) -> Variant: return long_text if i % 5000 == 0 else "few")
	_check_array("large ones first", func(i: int) -> Variant: return long_text if i < 500 else str(i))
	_check_array("large ones last", func(i: int) -> Variant: return long_text if i > COUNT - 500 else str(i))
	_check_array("small ones in turns", func(i: int) -> Variant: return Vector4.ONE if i % 2 else null)
	var large: Callable = func(i: int) -> Variant: return long_text if i < 500 else str(i)
	_check(_dictionary(large), "large entries first")
	_check(_dictionary(func(i: int) -> Variant: return long_text if i > COUNT - 500 else i), "large entries last")
	_check(_dictionary(func(i: int) -> Variant: return i), "keys that become longer")
	_check([range(5000), range(COUNT), {"a": range(COUNT), "b": _dictionary(func(i: int) -> Variant: return i)}], "several")


## Tests that a few large children before many small ones do not have room made as if all were large.
func test_what_begins_large_takes_room_by_what_it_comes_to() -> void:
	if not _is_memory_told():
		return
	var value := []
	value.resize(20 * COUNT)
	value.fill(1)
	for i in 256:
		value[i] = "x".repeat(200)
	_check_passing(value, 5.0, "an array that begins with texts")
	var entries := {}
	for i in 5 * COUNT:
		entries[i] = "x".repeat(200) if i < 256 else null
	_check_passing(entries, 5.0, "a dictionary that begins with texts")


## Tests that bytes whose number nobody expected are not copied for being less than there is room for.
func test_what_is_not_foreseen_is_not_copied() -> void:
	if not _is_memory_told():
		return
	var value := range(150).map(func(_i: int) -> String: return "x".repeat(HEAVY))
	_check_passing(value, 1.7, "an array of few texts")


## Tells whether the memory of an encoding can be checked.
func _is_memory_told() -> bool:
	if not OS.is_debug_build() or sanitized:
		skip("only debug builds of the engine count memory")
	elif OS.get_environment("VARIANT_STREAM_RAW") == "off":
		skip("nothing is written in place")
	else:
		return true
	return false


## Checks how much memory encoding takes at most, as a multiple of the bytes.
func _check_passing(value: Variant, most: float, what: String) -> void:
	var expected := var_to_bytes(value)
	var filler := PackedByteArray()
	filler.resize(int(OS.get_static_memory_peak_usage() - OS.get_static_memory_usage()) + (1 << 18))
	var before := OS.get_static_memory_usage()
	var bytes := VariantStream.encode(value)
	var passing := OS.get_static_memory_peak_usage() - before
	check_bytes(bytes, expected, what)
	check(passing <= most * expected.size() + (1 << 18), "%s: %d bytes are taken for %d" % [what, passing, expected.size()])


func test_texts_in_a_row() -> void:
	var texts := PackedStringArray()
	for i in 2 * COUNT:
		texts.append("text %d" % i)
	_check(texts, "texts in a row")
	texts[0] = "x".repeat(COUNT)
	texts[77] = "ж".repeat(COUNT)
	_check([texts, texts], "texts in a row of which two are long")


func test_the_limit_is_what_it_says() -> void:
	var value := range(COUNT).map(func(i: int) -> Variant: return "a text number %d" % i)
	var expected := var_to_bytes(value)
	var limits := VariantLimits.engine()
	limits.max_output_bytes = expected.size()
	_codec.limits = limits
	check_bytes(_codec.encode(value), expected, "as many as are allowed")
	limits.max_output_bytes = expected.size() - 1
	_codec.limits = limits
	check(_codec.encode(value).is_empty(), "one more is allowed")
	var found := _codec.get_error()
	check(found.get("code") == VariantCodec.OUTPUT_TOO_LARGE, "answered %s" % found)


func _check_array(what: String, make: Callable) -> void:
	_check(range(COUNT).map(make), what)


func _dictionary(make: Callable) -> Dictionary:
	var dictionary := {}
	for i in COUNT:
		dictionary["key_%d" % i] = make.call(i)
	return dictionary


## Checks the bytes and the memory. Output that grows has some room to spare, which the engine keeps.
func _check(value: Variant, what: String) -> void:
	var expected := var_to_bytes(value)
	var before := OS.get_static_memory_usage()
	var bytes := VariantStream.encode(value)
	var held := OS.get_static_memory_usage() - before
	check_bytes(bytes, expected, what)
	if OS.is_debug_build() and not sanitized:
		check(held <= 1.7 * expected.size() + 4096, "%s: %d bytes are held for %d" % [what, held, expected.size()])
