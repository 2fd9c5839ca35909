extends "engine_suite.gd"
## Tests hostile and broken buffers: our ENGINE verdict, consumed size and value are the engine's. Nothing is
## ever logged (run.gd checks that). malformed_rows.gd has the known ones; conformance_test.gd has what the
## engine itself wrote.

## A typed Dictionary comes out untyped before Godot 4.4, so its types are not judged.
const NEEDS := {"test_safe_accepts_nothing_else": "Godot 4.4"}
const MalformedRows := preload("malformed_rows.gd")
const Mutator := preload("res://addons/variant_stream/ci/mutator.gd")
const ValueGenerator := preload("res://addons/variant_stream/ci/value_generator.gd")

const SEED := 4177
const FLAG_BITS := 32


func test_known_malformed_buffers() -> void:
	for row in MalformedRows.ROWS:
		var name: String = row[0]
		var bytes := hex(row[1])
		check_buffer(bytes, name)
		if Oracle.engine_hex < Oracle.ZEROED_PADS:
			continue  # the table is 4.6.3's
		var error: int = subject.decode(bytes)
		check((error == OK) == (row[2] > 0), "%s: answered %s" % [name, error_string(error)])
		if error == OK:
			check(subject.consumed() == row[2], "%s: consumed %d" % [name, subject.consumed()])
			var text := var_to_str(subject.data()).replace("\n", " ")
			check(row[3].is_empty() or text == row[3], "%s: read as %s" % [name, text])


func test_nesting() -> void:
	for levels: int in [10, 100, 1000, 1023, 1024, 1025, 1026, 2000, 100000]:
		check_buffer(nested_bytes(levels), "%d arrays" % levels)
		var values := "1b0000000100000000000000".repeat(levels) + "00000000"
		check_buffer(hex(values), "%d dictionaries as values" % levels)
		check_buffer(hex("1c0001001c00000001000000".repeat(levels) + "00000000"), "%d typed arrays" % levels)
	check(subject.decode(nested_bytes(1024)) == OK, "1024 arrays around nil are refused")
	check(subject.decode(nested_bytes(1025)) != OK, "1025 arrays around nil are accepted")


func test_nesting_in_keys() -> void:
	_nest_keys([1, 2, 50, 90])


## Tests keys beyond a hundred levels, where the engine's hash() gives up and logs an error, which must not
## happen while we read.
func test_nesting_in_keys_deeper_than_the_engine_hashes() -> void:
	_nest_keys([98, 99, 100, 101, 102, 150, 500, 1023, 1024, 1025])


func test_every_type_id_and_flag() -> void:
	var payloads: Array[PackedByteArray] = [PackedByteArray(), PackedByteArray(), PackedByteArray()]
	payloads[1].resize(160)
	payloads[2].resize(160)
	payloads[2].fill(1)
	for id in 512:
		for flags in 16:
			for payload in payloads:
				var bytes := PackedByteArray([0, 0, 0, 0])
				bytes.encode_u32(0, id | (flags << 16))
				check_buffer(bytes + payload, "header %08x" % bytes.decode_u32(0))


func test_every_header_bit_of_every_edge_value() -> void:
	for type in TYPE_MAX:
		for value: Variant in _small(type):
			var bytes := Oracle.encode(value)
			for bit in FLAG_BITS:
				var flipped := bytes.duplicate()
				flipped.encode_u32(0, bytes.decode_u32(0) ^ (1 << bit))
				check_buffer(flipped, "%s, header bit %d" % [type_string(type), bit])


func test_every_truncation() -> void:
	var rich := Oracle.encode(_rich())
	for size in rich.size():
		check_buffer(rich.slice(0, size), "first %d of %d bytes" % [size, rich.size()])
	for type in TYPE_MAX:
		for value: Variant in _small(type):
			var bytes := Oracle.encode(value)
			for size in mini(bytes.size(), 200):
				check_buffer(bytes.slice(0, size), "%s, first %d bytes" % [type_string(type), size])


func test_every_single_bit() -> void:
	var rich := Oracle.encode(_rich())
	for at in rich.size():
		for bit in 8:
			var flipped := rich.duplicate()
			flipped[at] ^= 1 << bit
			check_buffer(flipped, "bit %d of byte %d" % [bit, at])


func test_every_word_replaced() -> void:
	var rich := Oracle.encode(_rich())
	for at in range(0, rich.size(), 4 if long else 8):
		for word in Mutator.WORDS:
			var changed := rich.duplicate()
			changed.encode_u32(at, word)
			check_buffer(changed, "word %08x at %d" % [word, at])


func test_every_element_in_every_typed_array() -> void:
	for element in TYPE_MAX:
		for value: Variant in _small(element):
			var bytes := Oracle.encode(value)
			for type in TYPE_MAX + 1:
				var head := hex("1c000100 00000000 01000000")
				head.encode_u32(4, type)
				check_buffer(head + bytes, "Array[%d] of %s" % [type, type_string(element)])


## Tests arrays in arrays of packed arrays: an inner array becomes a packed array, a packed array an array,
## element by element, fitting or not.
func test_every_array_in_every_array_of_packed_arrays() -> void:
	for element in TYPE_MAX:
		var untyped := []
		untyped.append_array(_small(element).slice(0, 3))  # of the objects these three fit a RefCounted
		for array: Array in [untyped, Typing.array(Typing.builtin(element), untyped)]:
			var bytes := Oracle.encode(array)
			for type in range(TYPE_ARRAY, TYPE_MAX):
				var head := hex("1c000100 00000000 01000000")
				head.encode_u32(4, type)
				check_buffer(head + bytes, "Array[%d] of %s" % [type, Typing.text(array)])


func test_every_key_and_value_in_every_typed_dictionary() -> void:
	for element in TYPE_MAX:
		for value: Variant in [edges.of_type[element][0], _small(element).back()]:
			var bytes := Oracle.encode(value)
			for type in TYPE_MAX + 1:
				var head := hex("1b000500 00000000 00000000 01000000")
				head.encode_u32(4, type)
				head.encode_u32(8, type)
				check_buffer(head + bytes + bytes, "Dictionary[%d] of %s" % [type, type_string(element)])


func test_spoiled_buffers() -> void:
	var rng := RandomNumberGenerator.new()
	var mutator := Mutator.new(rng)
	var sources := _sources()
	for case in 1000000 if long else 20000:
		rng.seed = (SEED << 24) ^ hash(case)
		var bytes := sources[rng.randi() % sources.size()]
		check_buffer(mutator.spoil(bytes, sources[rng.randi() % sources.size()]), "seed %d case %d" % [SEED, case])


func test_random_bytes() -> void:
	var rng := RandomNumberGenerator.new()
	rng.seed = SEED
	for case in 5000:
		var bytes := PackedByteArray()
		for i in rng.randi() % 48:
			bytes.append(rng.randi() & (255 if rng.randi() % 2 else 3))
		check_buffer(bytes, "random %s" % bytes.hex_encode())


## Tests that the engine accepts whatever SAFE accepts, with the same value.
func test_safe_accepts_nothing_else() -> void:
	var safe := VariantCodec.new()
	safe.limits = VariantLimits.engine()
	check(safe.strictness == VariantCodec.SAFE, "SAFE is not the default")
	var rng := RandomNumberGenerator.new()
	var mutator := Mutator.new(rng)
	var sources := _sources()
	var accepted := 0
	for case in 10000:
		rng.seed = (SEED << 24) ^ hash(case)
		var bytes := sources[rng.randi() % sources.size()]
		bytes = mutator.spoil(bytes, sources[rng.randi() % sources.size()])
		if safe.decode(bytes) == OK:
			accepted += 1
			check(Oracle.consumed(bytes) > 0, "the engine refuses what SAFE accepts: " + bytes.hex_encode().left(200))
			check_same(safe.data, Oracle.decode(bytes), "SAFE reads %s" % bytes.hex_encode().left(200))
	check(accepted > 500, "SAFE accepts only %d of 10000 buffers" % accepted)


func _nest_keys(depths: Array[int]) -> void:
	for levels in depths:
		var keys := "1b00000001000000".repeat(levels) + "00000000".repeat(levels + 1)
		check_buffer(hex(keys), "%d dictionaries as keys" % levels)
		var arrays := hex("1b00000001000000") + nested_bytes(levels) + hex("00000000")
		check_buffer(arrays, "a key of %d arrays" % levels)
		subject.decode(arrays)
		check(Engine.print_error_messages, "the engine was left silent")


func _sources() -> Array[PackedByteArray]:
	var generator := ValueGenerator.new()
	var sources: Array[PackedByteArray] = []
	for case in 3000:
		var bytes := Oracle.encode(generator.make(SEED, case))
		if bytes.size() <= 1000:
			sources.append(bytes)
	generator.free_live()
	return sources


## Returns the edge values of a type without the large ones.
func _small(type: int) -> Array:
	return edges.of_type[type].filter(func(value: Variant) -> bool: return Oracle.encode(value).size() <= 400)


## Makes a small value of nearly every type.
func _rich() -> Dictionary:
	var ints: Array[int] = [1, -1, 1 << 40]
	var rich := {
		"name": "Zoë 😀", &"id": &"player", 7: ^"/root/a:b", "p": Vector3(1, -2, 0.5), "pi": PI, "ints": ints,
		"list": [true, null, 1.5, [[]], {}], "bytes": PackedByteArray([1, 2, 3]), "s": PackedStringArray(["a", ""]),
		"v": PackedVector2Array([Vector2.ONE]), "rid": rid_from_int64(5), "call": Callable(), "signal": Signal(),
		"basis": Basis.IDENTITY, "color": Color.RED,
	}
	if Typing.dictionaries != null:
		var key := Typing.builtin(TYPE_STRING)
		rich["typed"] = Typing.dictionaries.make({"a": [1]}, key, Typing.builtin(TYPE_ARRAY))
	return rich
