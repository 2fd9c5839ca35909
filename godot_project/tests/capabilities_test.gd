extends "engine_suite.gd"
## Tests Objects, RIDs, Signals and Callables: they are refused unless allowed one by one. Even then an object
## id and a Signal become plain data, never a way to a living object of this game, unless live_references asks
## for it.

const HANDLES: Array[int] = [TYPE_OBJECT, TYPE_RID, TYPE_SIGNAL, TYPE_CALLABLE]
const STRICTNESSES: Array[int] = [VariantCodec.ENGINE, VariantCodec.SAFE, VariantCodec.CANONICAL]
## Strictnesses that accept references which become plain data; CANONICAL refuses them, because they are not
## written back unchanged.
const KEEPING: Array[int] = [VariantCodec.ENGINE, VariantCodec.SAFE]
const PLAIN: Array[int] = [TYPE_OBJECT, TYPE_SIGNAL]

signal hit

## An object that is alive while a test runs and that senders may not reach.
var alive := Node.new()


func clean_up() -> void:
	super()
	alive.free()


func test_presets_refuse_every_form() -> void:
	for limits: VariantLimits in [VariantLimits.network(), VariantLimits.save_file(), VariantLimits.new(), null]:
		for name: String in _forms():
			for strictness in STRICTNESSES:
				var codec := _codec(limits, strictness)
				check_error(codec.decode(_forms()[name]), ERR_INVALID_DATA, name)
				check_same(codec.data, null, "what is left of " + name)
				check_error(codec.validate(_forms()[name]), ERR_INVALID_DATA, name + ", validated")
				var target := [alive]
				check_error(codec.decode_into(target, _forms()[name]), ERR_INVALID_DATA, name + ", in place")
				check(target.size() == 1 and target[0] == alive, "a refusal touched the target")
	for name: String in _forms():
		check_same(VariantStream.decode(_forms()[name], "nothing"), "nothing", name + " through the static call")


## A null is no object, and no limit is about it: null where there are to be no objects, one without an object where there may be.
func test_a_null_object_is_null() -> void:
	var null_object := hex("180001000000000000000000")
	for limits: VariantLimits in [VariantLimits.network(), VariantLimits.save_file(), null, VariantLimits.engine()]:
		var type := TYPE_OBJECT if limits != null and limits.allowed_types & (1 << TYPE_OBJECT) else TYPE_NIL
		for strictness in KEEPING:
			var codec := _codec(limits, strictness)
			check_error(codec.decode(null_object), OK, "decode")
			check(codec.data == null and typeof(codec.data) == type, "it is a %s" % type_string(typeof(codec.data)))
			check_error(codec.validate(null_object), OK, "validate")
			var target := [alive]
			check_error(codec.decode_into(target, hex("1c00000001000000") + null_object), OK, "decode_into")
			check(target.size() == 1 and target[0] == null, "in place")
		check_error(_codec(limits, VariantCodec.CANONICAL).decode(null_object), ERR_INVALID_DATA, "it is written as nil")


func test_each_is_allowed_alone() -> void:
	for allowed in HANDLES:
		for type in HANDLES:
			var bytes: PackedByteArray = _forms()[type_string(type)]
			var limits := VariantLimits.network()
			limits.allowed_types |= 1 << allowed
			for strictness in STRICTNESSES:
				var verdict := OK if type == allowed else ERR_INVALID_DATA
				if type == allowed and PLAIN.has(type) and strictness == VariantCodec.CANONICAL:
					verdict = ERR_INVALID_DATA
				var what := "%s where %s is allowed" % [type_string(type), type_string(allowed)]
				var codec := _codec(limits, strictness)
				check_error(codec.decode(bytes), verdict, what)
				check_error(codec.validate(bytes), verdict, what + ", validated")
				var in_array := hex("1c00000001000000") + bytes
				check_error(codec.decode_into([alive], in_array), verdict, what + ", in place")
	var all := _plain_limits()
	check_error(_codec(all, VariantCodec.ENGINE).decode(var_to_bytes_with_objects(RefCounted.new())),
			ERR_INVALID_DATA, "a full object where all is allowed")


func test_what_is_alive_is_not_reached() -> void:
	var sent := [alive, {"who": alive, "what": alive.renamed}, hit, Signal(), null]
	var id := alive.get_instance_id()
	var own := {"signal": &"hit", "object_id": get_instance_id()}
	var renamed := {"signal": &"renamed", "object_id": id}
	var want := [id, {"who": id, "what": renamed}, own, {"signal": &"", "object_id": 0}, null]
	_check_not_canonical(sent)
	for strictness in KEEPING:
		var codec := _codec(_plain_limits(), strictness)
		check_error(codec.decode(var_to_bytes(sent)), OK, "all of it")
		check_same(codec.data, want, "decode")
		check(not _holds_reference(codec.data), "decode() gave a reference: %s" % [codec.data])
		# Old values of the target are no excuse either.
		for before: Array in [[], [alive, {"who": alive, "what": alive.renamed}, hit, 1, 2, 3, 4], want.duplicate(true)]:
			check_error(codec.decode_into(before, var_to_bytes(sent)), OK, "all of it, in place")
			check_same(before, want, "decode_into")


func test_live_references_are_the_engines() -> void:
	check(VariantLimits.engine().live_references, "engine()")
	for limits: VariantLimits in [VariantLimits.network(), VariantLimits.save_file(), VariantLimits.new()]:
		check(not limits.live_references, "a preset has live references")
	var limits := _plain_limits()
	limits.live_references = true
	check(limits.duplicate().live_references, "duplicate()")
	for chosen: VariantLimits in [limits, VariantLimits.engine()]:
		var codec := _codec(chosen, VariantCodec.ENGINE)
		check_error(codec.decode(var_to_bytes([alive, alive.renamed])), OK, "a node and its signal")
		check(codec.data[0] is EncodedObjectAsID, "%s is no EncodedObjectAsID" % [codec.data[0]])
		check_same(codec.data[0].object_id, alive.get_instance_id(), "the id")
		check(codec.data[1].get_object() == alive, "the signal is not the node's")


func test_declared_references_become_untyped() -> void:
	var id := alive.get_instance_id()
	var signals: Array[Signal] = [alive.renamed]
	var nodes: Array[Node] = [alive, null]
	var renamed := {"signal": &"renamed", "object_id": id}
	var rows := [[signals, [renamed]], [nodes, [id, null]], [Array([], TYPE_SIGNAL, &"", null), []]]
	if Typing.dictionaries != null:
		var text := Typing.builtin(TYPE_STRING)
		var untyped := Typing.builtin(TYPE_NIL)
		var values: Dictionary = Typing.dictionaries.make({"a": alive.renamed}, text, Typing.builtin(TYPE_SIGNAL))
		rows.append([values, Typing.dictionaries.make({"a": renamed}, text, untyped)])
		var empty: Dictionary = Typing.dictionaries.make({}, Typing.of_class(&"Node"), text)
		rows.append([empty, Typing.dictionaries.make({}, untyped, text)])
	for row: Array in rows:
		_check_not_canonical(row[0])
	for strictness in KEEPING:
		var codec := _codec(_plain_limits(), strictness)
		for row: Array in rows:
			check_error(codec.decode(var_to_bytes(row[0])), OK, str(row[1]))
			check_same(codec.data, row[1], "decode")
			var kept: Variant = row[1].duplicate(true)
			check_error(codec.decode_into(kept, var_to_bytes(row[0])), OK, str(row[1]))
			check_same(kept, row[1], "decode_into what it was")


## Tests that ENGINE drops elements that do not fit by their type in the bytes and not by the type of the
## value that they become.
func test_engine_strictness_drops_by_the_type_in_the_bytes() -> void:
	var id := alive.get_instance_id()
	var elements: Array = [5, alive, {}, alive.renamed]
	var want := {
		TYPE_INT: [5], TYPE_OBJECT: [id], TYPE_DICTIONARY: [{}],
		TYPE_SIGNAL: [{"signal": &"renamed", "object_id": id}],
	}
	for type: int in want:
		var bytes := var_to_bytes(elements)
		bytes[2] = 1  # an array of this builtin type
		bytes = bytes.slice(0, 4) + PackedByteArray([type, 0, 0, 0]) + bytes.slice(4)
		var codec := _codec(_plain_limits(), VariantCodec.ENGINE)
		check_error(codec.decode(bytes), OK, type_string(type))
		var got: Array = codec.data
		check_same(Array(got, TYPE_NIL, &"", null), want[type], "as elements of %s" % type_string(type))
		var kept := got.duplicate(true)
		check_error(codec.decode_into(kept, bytes), OK, type_string(type))
		check_same(kept, got, "in place")


## Tests references as keys: as plain data, two keys that differ could become equal.
func test_references_are_no_keys() -> void:
	for value: Dictionary in [{alive: 1}, {alive.renamed: 1}]:
		_check_not_canonical(value)
		for strictness in KEEPING:
			var codec := _codec(_plain_limits(), strictness)
			check_error(codec.decode(var_to_bytes(value)), ERR_INVALID_DATA, "a reference as a key")
			check_same(codec.get_error().code, VariantCodec.KEY_TYPE_NOT_ALLOWED, "the kind")
			check_error(codec.validate(var_to_bytes(value)), ERR_INVALID_DATA, "the same, validated")
		var live := _plain_limits()
		live.live_references = true
		check_error(_codec(live, VariantCodec.SAFE).decode(var_to_bytes(value)), OK, "a live key")


func test_a_callable_is_empty_and_an_rid_a_number() -> void:
	var codec := _codec(_plain_limits(), VariantCodec.SAFE)
	check_error(codec.decode(var_to_bytes([Callable(self, &"fail"), rid_from_int64(7)])), OK, "both")
	check_same(codec.data, [Callable(), rid_from_int64(7)], "both")


## Makes bytes of every form, by name; those of the four types in question by the names of the types.
func _forms() -> Dictionary:
	return {
		"Object": var_to_bytes(alive), "RID": var_to_bytes(rid_from_int64(7)),
		"Signal": var_to_bytes(alive.renamed), "Callable": var_to_bytes(Callable(self, &"fail")),
		"full object": var_to_bytes_with_objects(RefCounted.new()),
		"nested": var_to_bytes({"a": [alive]}),
	}


func _plain_limits() -> VariantLimits:
	var limits := VariantLimits.save_file()
	for type in HANDLES:
		limits.allowed_types |= 1 << type
		limits.allowed_key_types |= 1 << type
	return limits


func _check_not_canonical(value: Variant) -> void:
	var codec := _codec(_plain_limits(), VariantCodec.CANONICAL)
	check_error(codec.decode(var_to_bytes(value)), ERR_INVALID_DATA, "references in CANONICAL")
	check_same([codec.get_error().code, codec.data], [VariantCodec.NOT_CANONICAL, null], "why, and what is left of it")
	check_error(codec.validate(var_to_bytes(value)), ERR_INVALID_DATA, "the same, validated")


func _codec(limits: VariantLimits, strictness: int) -> VariantCodec:
	var codec := VariantCodec.new()
	codec.limits = limits
	codec.strictness = strictness
	return codec


func _holds_reference(value: Variant) -> bool:
	match typeof(value):
		TYPE_ARRAY:
			return value.any(_holds_reference)
		TYPE_DICTIONARY:
			return _holds_reference(value.keys()) or _holds_reference(value.values())
		TYPE_OBJECT:
			return value != null
	return typeof(value) in [TYPE_SIGNAL, TYPE_CALLABLE]
