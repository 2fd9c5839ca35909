extends "suite.gd"
## Tests VariantLimits: the presets' figures, and each limit at its boundary. The last value must pass and the
## first beyond must be refused.

## A typed Dictionary comes out untyped before Godot 4.4, so its types are not judged.
const NEEDS := {"test_allowed_key_types": "Godot 4.4"}
const UNSENT: Array[int] = [TYPE_OBJECT, TYPE_RID, TYPE_CALLABLE, TYPE_SIGNAL]
const NETWORK_KEYS: Array[int] = [
	TYPE_BOOL, TYPE_INT, TYPE_STRING, TYPE_STRING_NAME, TYPE_VECTOR2I, TYPE_VECTOR3I, TYPE_VECTOR4I,
]
const PRESETS := {
	"network": {
		"max_bytes": 1 << 20, "max_depth": 64, "max_values": 65536, "max_entries": 4096,
		"max_string_bytes": 65536, "max_path_segments": 256, "max_heap_bytes": 16 << 20,
		"max_key_probes": 256,
		"max_objects": 1024, "max_object_depth": 1024, "circles": false,
		"max_output_bytes": 1 << 20,
	},
	"save_file": {
		"max_bytes": 64 << 20, "max_depth": 64, "max_values": 4194304, "max_entries": 1048576,
		"max_string_bytes": 16 << 20, "max_path_segments": 1024, "max_heap_bytes": 512 << 20,
		"max_key_probes": 1024,
		"max_objects": 1048576, "max_object_depth": 4096, "circles": true,
		"max_output_bytes": 64 << 20,
	},
}


func test_preset_figures() -> void:
	for preset: String in PRESETS:
		var limits := VariantLimits.network() if preset == "network" else VariantLimits.save_file()
		for property: String in PRESETS[preset]:
			check_same(limits.get(property), PRESETS[preset][property], "%s().%s" % [preset, property])
		check_same(limits.live_references, false, "%s().live_references" % preset)
		for type in TYPE_MAX:
			var sent := not UNSENT.has(type)
			var key := NETWORK_KEYS.has(type) if preset == "network" else sent
			check(bool(limits.allowed_types & (1 << type)) == sent, "%s: %s" % [preset, type_string(type)])
			check(bool(limits.allowed_key_types & (1 << type)) == key, "%s: key %s" % [preset, type_string(type)])


func test_engine_preset() -> void:
	var limits := VariantLimits.engine()
	check_same(limits.max_depth, 1025, "engine().max_depth")
	check_same(limits.max_output_bytes, (1 << 31) - 1, "engine().max_output_bytes")
	for type in TYPE_MAX:
		check(bool(limits.allowed_types & (1 << type)), "engine() forbids %s" % type_string(type))
		check(bool(limits.allowed_key_types & (1 << type)), "engine() forbids keys of %s" % type_string(type))


func test_limits_are_a_resource_of_their_own() -> void:
	var one := VariantLimits.network()
	one.max_depth = 3
	check_same(VariantLimits.network().max_depth, 64, "presets share one object")
	check(one is Resource, "not a Resource")
	check_same(one.duplicate().max_depth, 3, "duplicate()")


func test_no_limits_means_save_file() -> void:
	var codec := VariantCodec.new()
	var deep: Variant = null
	for i in 63:
		deep = [deep]
	codec.limits = null
	check_error(codec.decode(VariantStream.encode(deep)), OK, "64 levels")
	check(codec.decode(VariantStream.encode([deep])) != OK, "65 levels are accepted")
	check(codec.decode(VariantStream.encode(RID())) != OK, "a RID is accepted")


func test_max_bytes() -> void:
	_boundary("max_bytes", VariantStream.encode("hello"), 16)


func test_max_depth_counts_levels_from_one() -> void:
	_boundary("max_depth", VariantStream.encode([[[]]]), 3)
	_boundary("max_depth", VariantStream.encode([[1]]), 3)
	_boundary("max_depth", VariantStream.encode({"a": {"b": 1}}), 3)
	_boundary("max_depth", VariantStream.encode(5), 1)


func test_max_values_counts_every_value() -> void:
	_boundary("max_values", VariantStream.encode([1, 2, 3]), 4)
	_boundary("max_values", VariantStream.encode([[], [1], 3]), 5)
	_boundary("max_values", VariantStream.encode(PackedStringArray(["a", "b", "c"])), 4)


func test_max_entries_bounds_each_dictionary() -> void:
	_boundary("max_entries", VariantStream.encode({1: 1, 2: 2, 3: 3}), 3)
	_boundary("max_entries", VariantStream.encode([{1: 1}, {1: 1, 2: 2}, {}]), 2)


func test_max_string_bytes_counts_utf8() -> void:
	var packed := PackedStringArray(["a", "äbc"])
	for value: Variant in ["äbc", &"äbc", [["äbc"]], {"äbc": 1}, ^"äbc", ^"a/äbc:x", packed]:
		var limits := VariantLimits.engine()
		limits.max_string_bytes = 5  # a packed string's own count includes its NUL
		check_error(_decode(limits, VariantStream.encode(value)), OK, "4 bytes of text in %s" % str(value))
		limits.max_string_bytes = 3
		check(_decode(limits, VariantStream.encode(value)) != OK, "4 bytes of text pass 3 in %s" % str(value))
	_boundary("max_string_bytes", VariantStream.encode("äbc"), 4)


func test_max_path_segments_counts_names_and_subnames() -> void:
	_boundary("max_path_segments", VariantStream.encode(^"/a/b:c"), 3)


func test_max_heap_bytes_charges_a_container_when_it_opens() -> void:
	# All is charged twice where Variants are larger.
	var times := 2 if is_double else 1
	_boundary("max_heap_bytes", VariantStream.encode([]), 96 * times)
	_boundary("max_heap_bytes", VariantStream.encode([1, null, Vector4.ONE]), (96 + 192) * times)
	_boundary("max_heap_bytes", VariantStream.encode("abc"), 96 * times)
	# An array that declares 2^31 - 1 elements is refused for what they would cost, not for their absence.
	var codec := VariantCodec.new()
	codec.limits = VariantLimits.engine()
	codec.limits.max_heap_bytes = 1 << 30
	check(codec.decode(PackedByteArray([28, 0, 0, 0, 255, 255, 255, 127])) != OK, "a claim passes")
	check_same(codec.get_error().code, VariantCodec.TOO_MUCH_MEMORY, "the claim's error")


func test_max_key_probes_refuses_keys_of_one_place() -> void:
	# "aB" and "b!" have one hash, and so have all texts that are spelled with them.
	var flood := {}
	for i in 1 << 12:
		var key := ""
		for bit in 12:
			key += "aB" if i >> bit & 1 else "b!"
		flood[key] = null
	check_same(hash(flood.keys()[0]), hash(flood.keys()[4095]), "the hashes of the flood")
	var bytes := VariantStream.encode(flood)
	for limits: VariantLimits in [VariantLimits.network(), VariantLimits.save_file()]:
		limits.max_values = 1 << 20
		check_error(_decode(limits, bytes), ERR_OUT_OF_MEMORY, "a flood")
	check_error(_decode(VariantLimits.engine(), bytes), OK, "a flood without a limit")
	var ordinary := {}
	for i in 4096:
		ordinary["item_%d" % i] = i
	check_error(_decode(VariantLimits.network(), VariantStream.encode(ordinary)), OK, "ordinary keys")


func test_max_key_probes_refuses_names_of_one_place() -> void:
	var names: Array[StringName] = []
	var same := {}
	for i in 1 << 10:
		var name := ""
		for bit in 10:
			name += "aB" if i >> bit & 1 else "b!"
		same[name] = null
	var bytes := VariantStream.encode(same.keys().map(func(name: String) -> NodePath: return NodePath(name)))
	for limits: VariantLimits in [VariantLimits.network(), VariantLimits.save_file()]:
		check_error(_decode(limits, bytes), ERR_OUT_OF_MEMORY, "a flood of names")
		names.assign(range(10000).map(func(_i: int) -> StringName: return &"health"))
		check_error(_decode(limits, VariantStream.encode(names)), OK, "one name again and again")
		names.assign(range(10000).map(func(i: int) -> StringName: return StringName("item_%d" % i)))
		check_error(_decode(limits, VariantStream.encode(names)), OK, "ordinary names")
	check_error(_decode(VariantLimits.engine(), bytes), OK, "a flood without a limit")


## Tests names that are interned already: they are counted all the same, so that a verdict depends on nothing
## but the bytes.
func test_names_count_that_are_known_from_before() -> void:
	var names: Array[StringName] = []
	for i in 1 << 8:
		var name := ""
		for bit in 8:
			name += "aB" if i >> bit & 1 else "b!"
		names.append(StringName(name))
	var bytes := VariantStream.encode(names)
	var codec := VariantCodec.new()
	codec.limits = VariantLimits.network()
	codec.limits.max_key_probes = 1000
	check_error(codec.decode(bytes), ERR_OUT_OF_MEMORY, "a flood of names")
	codec.limits.max_key_probes = 1 << 40
	for i in 3:
		check_error(codec.decode(bytes), OK, "without a limit")
	codec.limits.max_key_probes = 1000
	for i in 3:
		check_error(codec.decode(bytes), ERR_OUT_OF_MEMORY, "a flood of known names")


func test_allowed_types() -> void:
	for value: Variant in [Color.RED, "x", 1.5, [], {}, PackedByteArray([1]), &"x", null]:
		var limits := VariantLimits.engine()
		limits.allowed_types &= ~(1 << typeof(value))
		for wrapped: Variant in [value, [value] if not value is Array else {1: value}, {1: value}]:
			if typeof(wrapped) != TYPE_NIL or value == null:
				check(_decode(limits, VariantStream.encode(wrapped)) != OK, "a forbidden %s passes in %s" % [
					type_string(typeof(value)), str(wrapped)])
		check_error(_decode(limits, VariantStream.encode(Vector2.ONE)), OK, "another type")


## Tests masks: any number is a mask, as with the engine's layers, and bits that stand for no type do not
## count.
func test_masks_keep_the_bits_of_types() -> void:
	var all := VariantLimits.engine().allowed_types
	for property: StringName in [&"allowed_types", &"allowed_key_types"]:
		var limits := VariantLimits.engine()
		for pair: Array in [[-1, all], [~(1 << TYPE_RID), all & ~(1 << TYPE_RID)], [1 << 45, 0], [1 << 45 | 2, 2], [1 << 63, 0]]:
			limits.set(property, pair[0])
			check_same(limits.get(property), pair[1], "%s = %d" % [property, pair[0]])
	var but_colors := VariantLimits.engine()
	but_colors.allowed_types = ~(1 << TYPE_COLOR)
	check_error(_decode(but_colors, VariantStream.encode([1, "x"])), OK, "all but colors")
	check_error(_decode(but_colors, VariantStream.encode([Color.RED])), ERR_INVALID_DATA, "a color")


func test_allowed_key_types() -> void:
	var limits := VariantLimits.engine()
	limits.allowed_key_types = 1 << TYPE_STRING
	check_error(_decode(limits, VariantStream.encode({"a": {"b": 1.5}})), OK, "String keys")
	check(_decode(limits, VariantStream.encode({1: 1})) != OK, "an int key passes")
	check(_decode(limits, VariantStream.encode({"a": {&"b": 1}})) != OK, "a nested StringName key passes")


func test_max_output_bytes() -> void:
	var codec := VariantCodec.new()
	codec.limits = VariantLimits.engine()
	codec.limits.max_output_bytes = 16
	check_bytes(codec.encode("hello"), var_to_bytes("hello"), "16 bytes")
	check(codec.encode(["hello"]).is_empty(), "24 bytes pass 16")
	check(not codec.get_error().is_empty() and codec.get_error().get("path") is String, "no error")
	codec.limits.max_output_bytes = 15
	check(codec.encode("hello").is_empty(), "16 bytes pass 15")


func test_limits_hold_in_both_strictnesses_and_in_validate() -> void:
	for strictness: int in [VariantCodec.ENGINE, VariantCodec.SAFE]:
		var codec := VariantCodec.new()
		codec.strictness = strictness
		codec.limits = VariantLimits.engine()
		codec.limits.max_entries = 1
		check(codec.decode(VariantStream.encode({1: 1, 2: 2})) != OK, "strictness %d" % strictness)
		check(codec.validate(VariantStream.encode({1: 1, 2: 2})) != OK, "validate, strictness %d" % strictness)


func test_a_change_is_told() -> void:
	var limits := VariantLimits.network()
	var told := []
	var tell := func() -> void: told.append(limits.max_bytes)
	limits.changed.connect(tell)
	limits.max_bytes = 7
	limits.live_references = true
	limits.changed.connect(func() -> void: limits.max_depth = 3, CONNECT_ONE_SHOT)
	limits.max_bytes = 8
	check_same(told, [7, 7, 8, 8], "what was told")
	check_same(limits.max_depth, 3, "set by a listener")
	limits.changed.disconnect(tell)  # it holds the limits, which hold it


func test_a_changed_limit_counts_at_once() -> void:
	var codec := VariantCodec.new()
	var limits := VariantLimits.engine()
	codec.limits = limits
	check_error(codec.decode(VariantStream.encode([1, 2, 3])), OK, "before")
	limits.max_values = 2
	check(codec.decode(VariantStream.encode([1, 2, 3])) != OK, "a limit changed on the same object is not seen")


func _boundary(property: String, bytes: PackedByteArray, enough: int) -> void:
	var limits := VariantLimits.engine()
	limits.set(property, enough)
	check_error(_decode(limits, bytes), OK, "%s = %d for %s" % [property, enough, bytes.hex_encode()])
	limits.set(property, enough - 1)
	check(_decode(limits, bytes) != OK, "%s = %d accepts %s" % [property, enough - 1, bytes.hex_encode()])


func _decode(limits: VariantLimits, bytes: PackedByteArray) -> int:
	var codec := VariantCodec.new()
	codec.limits = limits
	return codec.decode(bytes)
