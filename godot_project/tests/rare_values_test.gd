extends "engine_suite.gd"
## Tests values without a fast path among others that have one: containers as keys, references, declared
## classes. They become what the careful walk makes of them, and are refused where it refuses them, at the
## same place.

var _codec := VariantCodec.new()
## A codec that always takes the careful walk, because its limits allow objects.
var _walked := VariantCodec.new()


func _init() -> void:
	super()
	for codec: VariantCodec in [_codec, _walked]:
		codec.limits = VariantLimits.save_file()
		codec.limits.allowed_types |= 1 << TYPE_RID | 1 << TYPE_CALLABLE
		codec.limits.allowed_key_types = 0x7F_FFFF_FFFF
	_walked.limits.allowed_types |= 1 << TYPE_OBJECT


func test_random_values_are_what_the_plain_walk_makes() -> void:
	var random := RandomNumberGenerator.new()
	random.seed = 20261125
	var accepted := 0
	for round in 20000 if long else 1500:
		var bytes := var_to_bytes({"first": _value(random, 4), "rare": _rare(random, 4), "last": [1, "two"]})
		for spoiled in 3:
			var what := "round %d: %s" % [round, bytes.hex_encode()]
			var error := _decode(bytes)
			var details: Variant = _codec.get_error()
			# The allowed object is the one difference between the two.
			if error != OK and details.got == "Object":
				break
			accepted += int(error == OK)
			check_error(_walked.decode(bytes), error, what)
			check_same(_walked.get_error(), details, what)
			check_same(_codec.data, _walked.data, what)
			if error == OK:
				var target: Variant = bytes_to_var(bytes)
				for turn in 2:
					check_error(_codec.decode_into(target, bytes), OK, what)
					check_same(target, _walked.data, what + ", into a value")
			bytes[random.randi() % bytes.size()] = [0, 1, 2, 3, 4, 21, 27, 28, random.randi() % 256].pick_random()
	check(accepted > 1000, "%d accepted" % accepted)


## key_verdicts_test.gd asks the engine which keys are equal; here all that matters is the place.
func test_equal_keys_are_refused_where_they_stand() -> void:
	for keys: Array in [[[1], [1]], [{}, {}], [[1], [1.0]], [["a"], [&"a"]], [[0.0], [-0.0]], [[NAN], [NAN]], [{1: 2, 3: 4}, {3: 4, 1: 2}],
			[RID(), RID()], [[RID()], [RID()]], [[[[]]], [[[]]]], [[1] as Array[int], [1]], [[null], [null]], [[{[1]: 2}], [{[1]: 2}]]]:
		for before: int in [0, 3, 20]:
			var entries := PackedByteArray()
			for i in before:
				entries.append_array(var_to_bytes(i) + var_to_bytes("x"))
			for key: Variant in keys:
				entries.append_array(var_to_bytes(key) + var_to_bytes("value"))
			var bytes := PackedByteArray([27, 0, 0, 0, before + 2, 0, 0, 0]) + entries
			var what := "keys %s after %d" % [keys, before]
			var error := _decode(bytes)
			check_error(_walked.decode(bytes), error, what)
			check_same(_walked.get_error(), _codec.get_error(), what)
			check_same(_codec.data, _walked.data, what)


func test_a_container_that_is_the_only_key_is_of_an_allowed_type() -> void:
	var all := _codec.limits.allowed_key_types
	for key: Variant in [[1], {"a": 1}, [] as Array[int], [{[1]: 2}], {{}: []}]:
		var bytes := var_to_bytes([{"before": 1}, {key: "value"}, 7])
		for banned: int in [TYPE_ARRAY, TYPE_DICTIONARY, TYPE_BOOL]:
			_codec.limits.allowed_key_types = all & ~(1 << banned)
			_walked.limits.allowed_key_types = all & ~(1 << banned)
			var what := "%s without keys of %s" % [key, type_string(banned)]
			var error := _decode_afresh(bytes)
			check_error(_walked.decode(bytes), error, what)
			check_same(_walked.get_error(), _codec.get_error(), what)
			check_same(_codec.data, _walked.data, what)
			check(error != OK if typeof(key) == banned else error == OK or banned != TYPE_BOOL, what)


func test_keys_of_any_depth() -> void:
	for depth: int in [1, 2, 32, 49, 50, 51, 62, 63, 64, 65, 66, 99, 100, 101, 150, 200]:
		# The value is built from bytes, because the engine logs an error when it hashes such keys.
		var key := PackedInt32Array()
		for level in depth:
			key.append_array([28, 1])
		key.append_array([2, 7])
		var entries := PackedInt32Array([27, 2]) + key + PackedInt32Array([1, 1, 28, 1]) + key + PackedInt32Array([27, 1]) + key + PackedInt32Array([1, 1])
		var alone := PackedInt32Array([27, 1]) + key + PackedInt32Array([1, 1])
		var in_a_key := PackedInt32Array([27, 1, 28, 1]) + alone + PackedInt32Array([2, 7])
		_codec.limits.max_depth = 512
		_walked.limits.max_depth = 512
		for part: PackedInt32Array in [entries, alone, in_a_key]:
			var bytes := (PackedInt32Array([28, 2, 27, 0]) + part).to_byte_array()
			var error := _decode_afresh(bytes)
			check_error(_walked.decode(bytes), error, "depth %d" % depth)
			check_same(_walked.get_error(), _codec.get_error(), "depth %d" % depth)
			if error == OK:
				check(var_to_bytes(_codec.data) == var_to_bytes(_walked.data), "depth %d" % depth)


## Decodes after two accepted values, because after two refusals in a row a codec checks before it builds.
func _decode(bytes: PackedByteArray) -> int:
	for i in 2:
		_codec.decode(PackedByteArray([28, 0, 0, 0, 0, 0, 0, 0]))
	return _codec.decode(bytes)


## Decodes with a codec that has not given up any value yet.
func _decode_afresh(bytes: PackedByteArray) -> int:
	var limits := _codec.limits
	_codec = VariantCodec.new()
	_codec.limits = limits
	return _codec.decode(bytes)


func _value(random: RandomNumberGenerator, levels: int) -> Variant:
	var kinds := 12 if levels > 0 else 7
	match random.randi() % kinds:
		0: return random.randi() % 5
		1: return ["a", "b", "ж", "a longer text of thirty letters"].pick_random()
		2: return random.randf()
		3: return [null, true, &"name", ^"a/b"].pick_random()
		4: return Vector3.ONE
		5: return -0.0 if random.randi() % 2 else 0.0
		6: return [PackedInt32Array([1]), 1 << 40, Transform3D.IDENTITY].pick_random()
		7, 8: return _array(random, levels)
		9: return {"a": _value(random, levels - 1), "b": _value(random, levels - 1)}
		_: return _rare(random, levels)
	return null


func _array(random: RandomNumberGenerator, levels: int) -> Array:
	var made := []
	for i in random.randi() % 4:
		made.append(_value(random, levels - 1))
	return made


func _rare(random: RandomNumberGenerator, levels: int) -> Variant:
	match random.randi() % 9:
		0:
			var resources: Array[Resource] = []
			if random.randi() % 2:
				resources.append(null)
			return resources
		1:
			var named := {}
			if random.randi() % 2:
				named["none"] = null
			return typed_by(named, TypedContainers.builtin(TYPE_STRING), TypedContainers.of_class(&"Resource"))
		2: return RID()
		3: return Callable()
		4: return [RID(), RID()] as Array[RID]
		5: return {_array(random, levels - 1): _value(random, levels - 1)}
		6: return {{"k": _value(random, levels - 1)}: 1, _array(random, levels - 1): 2, random.randi() % 3: 3}
		7:
			return typed_dictionary({_array(random, levels - 1): _value(random, levels - 1)}, TYPE_ARRAY, TYPE_NIL)
	var lists: Array[Array] = [_array(random, levels - 1)]
	return lists
