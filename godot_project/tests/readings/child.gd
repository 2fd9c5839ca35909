extends SceneTree
## Counts how often the library reads inputs that hold a value without a fast path, for readings_test.gd. It
## prints the counts; that test starts it with an environment of its own. It judges nothing.

const Typing := preload("res://addons/variant_stream/ci/typing.gd")

const MONITOR := &"variant_stream/readings"

var _report := {}


func _initialize() -> void:
	# The monitor is there after the first frame at the latest.
	process_frame.connect(_count, CONNECT_ONE_SHOT)


func _count() -> void:
	var limits := VariantLimits.save_file()
	limits.allowed_types |= 1 << TYPE_RID
	limits.allowed_key_types |= 1 << TYPE_RID
	var entities := []
	for i in 300:
		entities.append({"id": i, "name": "entity %d" % i, "at": Vector2(i, 1), "tags": ["a", "b"]})
	_ways("plain", {"t": 1, "name": "player"}, limits)
	for kind: String in ["resources", "resource values", "array key", "dictionary key", "nested keys", "rid", "rid key", "rids", "path key", "all"]:
		var rare: Variant = _rare(kind)
		_ways("%s in a packet" % kind, {"t": 1, "items": rare, "name": "player"}, limits)
		_ways("%s at the end" % kind, [entities, rare], limits)
	_refused(limits)
	_received()
	print("report ", Marshalls.variant_to_base64(_report))
	quit()


func _rare(kind: String) -> Variant:
	var resources: Array[Resource] = []
	var values := {}
	if Typing.dictionaries != null:
		values = Typing.dictionaries.make({}, Typing.builtin(TYPE_STRING), Typing.of_class(&"Resource"))
	var rids: Array[RID] = [RID(), RID()]
	var all := {
		"resources": resources,
		"resource values": values,
		"array key": {[1, "two"]: 2, [1]: 3},
		"dictionary key": {{"a": 1}: {"b": {}}},
		"nested keys": {[{[1]: {[2]: 3}}]: {{}: [], []: {}}},
		"rid": RID(),
		"rid key": {RID(): 1, "a": RID()},
		"rids": rids,
		"path key": {NodePath("a/b"): 1, "c": 2},
	}
	return all if kind == "all" else all[kind]


func _ways(what: String, value: Variant, limits: VariantLimits) -> void:
	var bytes := var_to_bytes(value)
	var codec := VariantCodec.new()
	codec.limits = limits
	var target := {"held": bytes_to_var(bytes)}
	var held := var_to_bytes(target)
	# The first time it gets another container where a class is declared.
	codec.decode_into(target, held)
	var checked := VariantCodec.new()
	checked.limits = limits
	checked.schema = VariantSchema.any()
	for turn in 20:
		_note("%s, decode" % what, func() -> bool: return codec.decode(bytes) == OK and codec.data == bytes_to_var(bytes))
		_note("%s, validate" % what, func() -> bool: return codec.validate(bytes) == OK)
		_note("%s, decode_into" % what, func() -> bool: return codec.decode_into(target, held) == OK)
		_note("%s, schema" % what, func() -> bool: return checked.decode(bytes) == OK and checked.data == bytes_to_var(bytes))
		_note("%s, reader" % what, func() -> bool: return _read(bytes, limits))


func _read(bytes: PackedByteArray, limits: VariantLimits) -> bool:
	var reader := VariantReader.new()
	reader.codec.limits = limits
	reader.framing = VariantReader.FRAMING_U32
	var framed := PackedByteArray([0, 0, 0, 0])
	framed.encode_u32(0, bytes.size())
	reader.feed(framed + bytes)
	return reader.next() == OK and reader.data == bytes_to_var(bytes)


## Decodes good bytes after bad ones, and bad ones.
func _refused(limits: VariantLimits) -> void:
	var codec := VariantCodec.new()
	codec.limits = limits
	var good := var_to_bytes([{"t": 1}, _rare("all")])
	var bad := good.slice(0, -4)
	for turn in 5:
		_note("refused, reader", func() -> bool: return not _read(bad, limits))
	for refusals: int in [0, 1, 2, 3, 9]:
		for i in refusals:
			_note("refused", func() -> bool: return codec.decode(bad) != OK)
		for i in 3:
			_note("after refusals", func() -> bool: return codec.decode(good) == OK)


## Receives a message and a state whose bits say all that their schemas ask.
func _received() -> void:
	var hp := VariantSchema.dict({"hp": VariantSchema.int(0, 200), "lives": VariantSchema.int(0, 9).optional(3)})
	var sides: Array[VariantProtocol] = []
	for role: VariantProtocol.Role in [VariantProtocol.ROLE_SERVER, VariantProtocol.ROLE_CLIENT]:
		var side := VariantProtocol.new()
		side.role = role
		side.add(&"message", hp)
		side.add_state(&"state", hp)
		var peer := 7 if role == VariantProtocol.ROLE_SERVER else 1
		side.connect_peer(peer)
		side.greet_peer(peer)
		sides.append(side)
	var packets: Array[PackedByteArray] = []
	var got := []
	sides[0].carrier = func(_peer: int, packet: PackedByteArray, _mode: int) -> void: packets.append(packet)
	for name: StringName in [&"message", &"state"]:
		sides[1].on(name, func(_peer: int, value: Dictionary) -> void: got.append(value))
		for turn in 20:
			packets.clear()
			if name == &"message":
				sides[0].send(name, {"hp": 5})
			else:
				sides[0].send_state(name, {"hp": 5})
			_note("%s, protocol" % name, func() -> bool: return sides[1].receive(1, packets[-1]) == OK and got.pop_back() == {"hp": 5, "lives": 3})


func _note(what: String, call: Callable) -> void:
	var before: int = Performance.get_custom_monitor(MONITOR)
	var is_right: bool = call.call()
	var count: int = Performance.get_custom_monitor(MONITOR) - before
	# These are the highest count and the last one.
	_report[what] = [maxi(_report.get(what, [0])[0], count if is_right else 1000), count]
