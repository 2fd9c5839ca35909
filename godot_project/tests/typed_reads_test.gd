extends "engine_suite.gd"
## Reads every typed container that is accepted through typed variables, which trust its content. A release
## template does not check them, so `cargo xtask test` runs this there too. Other suites judge what is
## accepted.

const TypedReaders := preload("typed_readers.gd")

const STRICTNESSES: Array[int] = [VariantCodec.ENGINE, VariantCodec.SAFE, VariantCodec.CANONICAL]
const REFERENCES: Array[int] = [TYPE_OBJECT, TYPE_SIGNAL]

var _readers: RefCounted = TypedReaders.make()


func test_arrays_of_every_type() -> void:
	var accepted := 0
	for type in _types():
		var array := Typing.array(Typing.builtin(type), _samples(type))
		check(not array.is_empty(), "no values of " + type_string(type))
		# The engine's padding in NodePaths is whatever was in memory before 4.6.3, which CANONICAL refuses.
		var bytes := subject.encode(array)
		for codec in _codecs():
			if codec.decode(bytes) != OK:
				check_same(codec.get_error().code, _why(codec, [type]), "why Array[%s] is refused" % type)
			elif codec.limits.live_references or not REFERENCES.has(type):
				accepted += 1
				var got: Array = _readers.call("array_%d" % type, codec.data)
				check_same(got, Array(bytes_to_var(bytes), TYPE_NIL, &"", null), "Array[%s]" % type_string(type))
	check(accepted > 38 * 9, "only %d arrays were read" % accepted)


func test_dictionaries_of_every_two_types() -> void:
	if Typing.dictionaries == null:
		skip("this engine has no typed dictionaries")
		return
	var accepted := 0
	for key in _types():
		for value in _types():
			var bytes := subject.encode(_dictionary(key, value))
			var name := "Dictionary[%s, %s]" % [type_string(key), type_string(value)]
			for codec in _codecs():
				if codec.decode(bytes) != OK:
					var is_other := _why(codec, [key, value]) == VariantCodec.NOT_CANONICAL
					check_error(codec.decode(bytes), ERR_INVALID_DATA, name)
				elif codec.limits.live_references or not (REFERENCES.has(key) or REFERENCES.has(value)):
					accepted += 1
					var got: Array = _readers.call("dictionary_%d_%d" % [key, value], codec.data)
					var want: Dictionary = bytes_to_var(bytes)
					check_same(got, [] + want.keys() + want.values(), name)
	check(accepted > 34 * 34 * 6, "only %d dictionaries were read" % accepted)


## Tests elements of another type than the declared one: none of them may reach a typed variable.
func test_wrong_elements_never_reach_a_typed_variable() -> void:
	var read := 0
	for declared in _types():
		for type in TYPE_MAX:
			if declared == TYPE_OBJECT and type == TYPE_NIL:
				continue  # null is an object that is not there
			var element := var_to_bytes(null if type == TYPE_NIL else _samples(type)[0])
			var array := _typed_bytes(TYPE_ARRAY, 1 << 16, [declared], element)
			var dictionary := _typed_bytes(TYPE_DICTIONARY, 1 << 18, [declared], var_to_bytes("key") + element)
			for codec in _codecs():
				if codec.decode(array) == OK and (codec.limits.live_references or not REFERENCES.has(declared)):
					check(codec.strictness == VariantCodec.ENGINE or type == declared, "a wrong element passes")
					read += 1
					var got: Array = _readers.call("array_%d" % declared, codec.data)
					for value: Variant in got:
						check_same(typeof(value), declared, "an element of Array[%s]" % type_string(declared))
				if codec.strictness != VariantCodec.ENGINE and type != declared:
					check(codec.decode(dictionary) != OK, "a wrong value passes")
					check_same(codec.data, null, "what is left of it")
	check(read > 1000, "only %d arrays were read" % read)


## Returns the error due to a container of these types. CANONICAL takes no references but live Signals,
## whatever is allowed.
func _why(codec: VariantCodec, types: Array) -> int:
	var is_canonical := codec.strictness == VariantCodec.CANONICAL
	var is_other := types.has(TYPE_OBJECT) or (types.has(TYPE_SIGNAL) and not codec.limits.live_references)
	return VariantCodec.NOT_CANONICAL if is_canonical and is_other else VariantCodec.TYPE_NOT_ALLOWED


func _codecs() -> Array[VariantCodec]:
	var codecs: Array[VariantCodec] = []
	var handles := VariantLimits.save_file()
	handles.allowed_types = (1 << TYPE_MAX) - 1
	handles.allowed_key_types = handles.allowed_types
	for limits: VariantLimits in [VariantLimits.network(), VariantLimits.save_file(), VariantLimits.engine(), handles]:
		for strictness in STRICTNESSES:
			codecs.append(VariantCodec.new())
			codecs[-1].limits = limits
			codecs[-1].strictness = strictness
	return codecs


func _types() -> Array:
	return range(1, TYPE_MAX)


## Returns up to three values whose bytes differ, so that there is one of each special number.
func _samples(type: int) -> Array:
	if type == TYPE_OBJECT:
		return [RefCounted.new(), RefCounted.new()]
	var values := {}
	for value: Variant in edges.of_type[type]:
		var bytes := var_to_bytes(value)
		if bytes.size() <= 400 and bytes_to_var(bytes) == value and values.size() < 3:
			values[bytes] = value
	return values.values()


func _dictionary(key: int, value: int) -> Dictionary:
	var entries := {}
	var values := _samples(value)
	for each: Variant in _samples(key):
		entries[each] = values[entries.size() % values.size()]
	return Typing.dictionaries.make(entries, Typing.builtin(key), Typing.builtin(value))


## Makes a container of one child, declared by these flags and types.
func _typed_bytes(type: int, flags: int, declared: Array, child: PackedByteArray) -> PackedByteArray:
	var words := PackedInt32Array([type | flags])
	words.append_array(PackedInt32Array(declared))
	words.append(1)
	return words.to_byte_array() + child
