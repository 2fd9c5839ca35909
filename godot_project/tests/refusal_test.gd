extends "suite.gd"
## Measures the cost of refusals. The short form checks that each is refused; `-- --filter refusal_test
## --long` also measures the least of many runs, prints a line a row, and checks the bounds. Other suites test
## the reasons of refusals.

## The keys of a flood, and the engine's capacity that they reach last.
const FLOODS: Array[int] = [400, 769]
const LONG_FLOODS: Array[int] = [1600, 3079]
const LARGEST := 1 << 16
const REFUSAL_USEC := 1000.0
const TOO_LONG_USEC := 50.0
## The bound on a refusal: this share of the time of an accepted blob of the same size, and a microsecond of
## the clock's own.
const MOST_OF_ACCEPTED := 1.1
const CLOCK_USEC := 1.0

var _table := PackedStringArray()


func test_floods() -> void:
	var codec := _network()
	var count: int = (LONG_FLOODS if long else FLOODS)[0]
	var capacity: int = (LONG_FLOODS if long else FLOODS)[1]
	for type: int in [TYPE_INT, TYPE_FLOAT, TYPE_STRING, TYPE_STRING_NAME]:
		codec.limits.allowed_key_types |= 1 << type
		var flood := {}
		var plain := {}
		var number := 0
		while flood.size() < count:
			var key: Variant = _of_one_hash(number) if type >= TYPE_STRING else type_convert(number, type)
			number += 1
			if type >= TYPE_STRING or hash(key) % capacity == 7:
				flood[type_convert(key, type)] = 0
		for i in count:
			plain[type_convert("ordinary key %d" % i if type >= TYPE_STRING else i, type)] = 0
		var bytes := var_to_bytes(flood)
		flood.clear()  # names that are alive lengthen the engine's search for each new one
		check_error(codec.decode(bytes), ERR_OUT_OF_MEMORY, "a flood of " + type_string(type))
		check_same(codec.get_error().code, VariantCodec.TOO_MANY_PROBES, "its kind")
		check_error(codec.decode(var_to_bytes(plain)), OK, "ordinary keys of " + type_string(type))
		_row("flood of %d %s keys" % [count, type_string(type)], codec, bytes, REFUSAL_USEC, _of_engine(bytes))
	_print()


## Tests an array of names, and of paths: they are no keys, but the engine keeps all names in one table.
func test_floods_of_names() -> void:
	var codec := _network()
	for what: String in ["StringName", "NodePath"]:
		var header := [TYPE_STRING_NAME] if what == "StringName" else [TYPE_NODE_PATH, -2147483647, 0, 0]
		var count: int = LONG_FLOODS[0] if long else FLOODS[0]
		var bytes := _words([TYPE_ARRAY, count])
		for number in count:
			bytes.append_array(_words(header + [22]))
			bytes.append_array(_of_one_hash(number).to_ascii_buffer() + PackedByteArray([0, 0]))
		check_error(codec.decode(bytes), ERR_OUT_OF_MEMORY, "a flood of %ss" % what)
		check_same(codec.get_error().code, VariantCodec.TOO_MANY_PROBES, "its kind")
		_row("flood of %d %ss" % [count, what], codec, bytes, REFUSAL_USEC)
	_print()


static func _words(words: Array) -> PackedByteArray:
	return PackedInt32Array(words).to_byte_array()


## Tests inputs that are refused at their last value, so that all the work before was done in vain.
func test_refusals_cost_no_more_than_their_like() -> void:
	var codec := _network()
	for name: String in _pairs():
		var pair: Array = _pairs()[name]
		check_same(pair[0].size(), pair[1].size(), name + ", the sizes")
		check(pair[0].size() <= LARGEST, "%s: %d bytes" % [name, pair[0].size()])
		check_error(codec.decode(pair[0]), OK, name + ", the good one")
		check(codec.decode(pair[1]) != OK, name + " is accepted")
		var least := _least_usecs(codec, pair)
		var most := minf(REFUSAL_USEC, least[0] * MOST_OF_ACCEPTED + CLOCK_USEC)
		_judge(name, pair[1], least[1], most, ", its like accepted in %d%s" % [least[0], _of_engine(pair[0])])
	_print()


func test_what_is_too_long_is_not_looked_at() -> void:
	var codec := _network()
	for size: int in [1 << 20, 1 << 24]:
		var bytes := PackedByteArray()
		bytes.resize(size + 1)
		check_error(codec.decode(bytes), ERR_OUT_OF_MEMORY, "%d bytes" % bytes.size())
		_row("%d bytes where 1 MiB is allowed" % bytes.size(), codec, bytes, TOO_LONG_USEC)
	_print()


## Makes pairs of inputs of the same size by name: [accepted, refused].
func _pairs() -> Dictionary:
	var texts := []
	var ints: Array[int] = []
	var names := {}
	for i in 1500:
		texts.append("text number %06d" % i)
		ints.append(i)
		names["name %06d" % i] = i
	var bad_text := var_to_bytes(texts)
	bad_text[-3] = 0xff
	var bad_element := var_to_bytes(ints)
	bad_element.encode_u32(bad_element.size() - 8, TYPE_FLOAT)
	return {
		"broken text at the end": [var_to_bytes(texts), bad_text],
		"a wrong element at the end": [var_to_bytes(ints), bad_element],
		"a key twice at the end": [var_to_bytes(names), _with_last_key(names, "name 000007")],
		"an unknown type at the end": [var_to_bytes(texts + [null]), _with_last_word(texts, 99)],
	}


func _with_last_key(names: Dictionary, key: String) -> PackedByteArray:
	var bytes := var_to_bytes(names)
	var last := key.to_utf8_buffer()
	# The last key ends before its pad of one byte and the eight bytes of the value.
	for i in last.size():
		bytes[bytes.size() - 9 - last.size() + i] = last[i]
	return bytes


func _with_last_word(values: Array, word: int) -> PackedByteArray:
	var bytes := var_to_bytes(values + [null])
	bytes.encode_u32(bytes.size() - 4, word)
	return bytes


func _row(what: String, codec: VariantCodec, bytes: PackedByteArray, most: float, note := "") -> void:
	_judge(what, bytes, _least_usecs(codec, [bytes])[0], most, note)


func _judge(what: String, bytes: PackedByteArray, took: float, most: float, note: String) -> void:
	if long:
		var line := "%s  %-36s %8d bytes %5d us, at most %4d%s" % [
			"PASS" if took <= most else "FAIL", what, bytes.size(), took, most, note]
		_table.append(line)
		check(took <= most, line)


func _print() -> void:
	if long:
		expect_error(_table[0])
		print("\n".join(_table))


## Measures the least time of each input, the release of the value included. The inputs take turns, so that a
## machine that is busy for a while is so for all.
func _least_usecs(codec: VariantCodec, inputs: Array) -> Array:
	var least := inputs.map(func(_bytes: PackedByteArray) -> float: return INF)
	var nothing := var_to_bytes(null)
	for run in 200 if long else 1:
		for i in inputs.size():
			var started := Time.get_ticks_usec()
			codec.decode(inputs[i])
			codec.decode(nothing)
			least[i] = minf(least[i], Time.get_ticks_usec() - started)
	return least


## Measures the engine's time, for bytes that it accepts.
static func _of_engine(bytes: PackedByteArray) -> String:
	var started := Time.get_ticks_usec()
	bytes_to_var(bytes)
	return ", by the engine in %d" % (Time.get_ticks_usec() - started)


static func _network() -> VariantCodec:
	var codec := VariantCodec.new()
	codec.limits = VariantLimits.network()
	return codec


## Spells texts of one hash: "aB" and "b!" hash alike, and so do texts that are spelled with them.
static func _of_one_hash(number: int) -> String:
	var key := ""
	for bit in 11:
		key += "aB" if number >> bit & 1 else "b!"
	return key
