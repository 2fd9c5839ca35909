extends "engine_suite.gd"
## Tests dictionaries inside dictionaries whose keys begin alike and go on otherwise: the keys that are kept of
## one change while another one still follows them. Everything is compared with the engine's own bytes.

var _codec := VariantCodec.new()


## Tests an outer Dictionary that begins like a record that came before, while records inside it teach other keys.
func test_keys_that_change_inside_a_dictionary_that_follows_them() -> void:
	for walks: bool in [false, true]:
		_set_limits(walks)
		for first in 40:
			var a := "first %d" % first
			for again in 3:
				_decode({a: 1, "b": 2, "c": 3}, "a record")
			var inner := []
			for i in 12:
				inner.append({a: i, "x": i, "c": i})
			_decode({a: inner, "x": 1, "c": 2}, "a record around others")
			_decode({a: 1, "b": 2, "c": 3}, "a record again")


## Tests dictionaries of random keys and counts, of which many want one place among what is kept.
func test_keys_of_any_nesting() -> void:
	var random := RandomNumberGenerator.new()
	random.seed = 20261127
	for walks: bool in [false, true]:
		_set_limits(walks)
		for round in 20000 if long else 1500:
			var value := _record(random, 4)
			for again in random.randi_range(1, 3):
				if not _decode(value, "round %d" % round):
					return


func _record(random: RandomNumberGenerator, levels: int) -> Dictionary:
	var record := {"first %d" % (random.randi() % 90): _value(random, levels)}
	for key in random.randi_range(1, 3):
		record["key %d" % (random.randi() % 3)] = _value(random, levels)
	return record


func _value(random: RandomNumberGenerator, levels: int) -> Variant:
	match random.randi() % 5 if levels > 0 else 0:
		1, 2: return _record(random, levels - 1)
		3:
			var records := []
			for i in random.randi_range(1, 4):
				records.append(_record(random, levels - 2))
			return records
	return random.randi() % 100


## A Signal, which the limits allow or not, takes a value to the walk.
func _set_limits(walks: bool) -> void:
	var limits := VariantLimits.network()
	limits.max_heap_bytes = 1 << 30
	limits.max_values = 1 << 20
	if walks:
		limits.allowed_types |= 1 << TYPE_SIGNAL
	_codec = VariantCodec.new()
	_codec.limits = limits


func _decode(value: Variant, what: String) -> bool:
	var bytes := var_to_bytes(value)
	if not check_error(_codec.decode(bytes), OK, "%s: %s" % [what, _codec.get_error_message()]):
		return false
	return check_bytes(var_to_bytes(_codec.data), bytes, what)
