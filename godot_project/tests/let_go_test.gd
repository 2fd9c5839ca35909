extends "suite.gd"
## Tests objects whose last reference a script releases in the middle of one of their own calls. The call goes
## on, and the object ends after it. `MALLOC_PERTURB_=165` makes memory that was freed too early visible.

const Restless := preload("restless_object.gd")
const BYTES := [1, 2, 3, 4]

## The only references.
var codec: VariantCodec
var reader: VariantReader
var writer: VariantWriter


## Runs `deed` when it ends.
class Dying extends RefCounted:
	var deed := Callable()

	func _notification(what: int) -> void:
		if what == NOTIFICATION_PREDELETE and deed.is_valid():
			deed.call()


class PacketPeerOfScript extends PacketPeerExtension:
	var deed := func() -> void: pass
	## Runs when it ends.
	var last := Callable()

	func _get_available_packet_count() -> int:
		deed.call()
		return 0

	func _notification(what: int) -> void:
		if what == NOTIFICATION_PREDELETE and last.is_valid():
			last.call()

	func _get_max_packet_size() -> int:
		return 1000

	func _put_packet(_buffer: int, _size: int) -> Error:
		deed.call()
		return OK


func test_a_check_lets_go_of_its_codec() -> void:
	var calls: Array[Callable] = [
		func() -> Variant: return codec.decode(var_to_bytes(BYTES)),
		func() -> Variant: return codec.validate(var_to_bytes(BYTES)),
		func() -> Variant: return codec.decode_into([], var_to_bytes(BYTES)),
		func() -> Variant: return OK if codec.encode(BYTES) == var_to_bytes(BYTES) else FAILED,
	]
	for i in calls.size():
		for _round in 20:
			codec = VariantCodec.new()
			codec.schema = _schema()
			check_same(calls[i].call(), OK, "call %d" % i)
			check(codec == null, "call %d let go of it" % i)


func test_a_check_lets_go_of_its_reader() -> void:
	for _round in 20:
		reader = VariantReader.new()
		reader.codec.schema = _schema()
		check_same(reader.feed(var_to_bytes(BYTES)), OK, "fed")
		check_same(reader.next(), OK, "next()")
		check(reader == null, "it was let go of")


func test_a_check_changes_the_bytes() -> void:
	var bytes := var_to_bytes(BYTES)
	codec = VariantCodec.new()
	codec.schema = VariantSchema.array(VariantSchema.int().check_with(func(_value: Variant) -> bool:
		bytes.clear()
		return true))
	check_same(codec.decode(bytes), OK, "decode()")
	check_same(codec.data, BYTES, "of the bytes as they were")
	codec = null


func test_a_getter_lets_go_of_the_object_that_encodes_it() -> void:
	var restless := Restless.new()
	restless.deed = _let_go
	for _round in 20:
		codec = VariantCodec.new()
		codec.full_objects = true
		check(not codec.encode([restless, restless]).is_empty(), "encode()")
		writer = VariantWriter.new()
		writer.codec.full_objects = true
		check_same(writer.open_buffer(), OK, "opened")
		check_same(writer.write([restless, restless]), OK, "write()")
		check(codec == null and writer == null, "they were let go of")
	restless.free()


func test_what_decode_into_replaces_lets_go_of_the_codec() -> void:
	for _round in 20:
		codec = VariantCodec.new()
		var target := [_dying()]
		check_same(codec.decode_into(target, var_to_bytes([1])), OK, "an array")
		check_same(target, [1], "the array")
		codec = VariantCodec.new()
		var nested := {"a": {"b": _dying()}}
		check_same(codec.decode_into(nested, var_to_bytes({"a": {"b": 1}})), OK, "a dictionary")
		check_same(nested, {"a": {"b": 1}}, "the dictionary")


## Tests when replaced values end: not before the target is whole. Their script finds the new value, and its
## changes to that count.
func test_what_decode_into_replaces_ends_when_the_target_is_whole() -> void:
	var cases: Array[Array] = [
		[[0, 1, 2], [9, [8], 7]], [[0, 1, 2, 3], [9]], [[0, 1], [1, 2, 3, 4, 5, 6]], [[0, 1], []],
		[{"a": 1, "b": 2, "c": 3}, {"a": 4, "b": 5, "c": [6]}], [{"a": 1, "b": 2, "c": 3}, {"c": 4, "a": {}, "b": 5}],
		[{"a": 1, "b": 2, "c": 3}, {"b": 1}], [{"a": 1, "b": 2}, {"x": 3, "b": {"y": 4}, "z": 5}], [{"a": 1, "b": 2}, {}],
	]
	codec = VariantCodec.new()
	for case in cases:
		for place: Variant in (range(case[0].size()) if case[0] is Array else case[0].keys()):
			for wrap: bool in [false, true]:
				var target: Variant = case[0].duplicate()
				var seen := []
				target[place] = _watching(target, seen) if not wrap else [_watching(target, seen)]
				check_same(codec.decode_into(target, var_to_bytes(case[1])), OK, "%s at %s" % [case, place])
				check_same(seen, [case[1]], "what the script saw, %s at %s" % [case, place])
				check(target.is_empty(), "what it did was undone")
	var target := {}
	var seen := []
	target[_watching(target, seen)] = 1
	check_same(codec.decode_into(target, var_to_bytes({"a": 1})), OK, "an object that is a key")
	check_same(seen, [{"a": 1}], "what the script of a key saw")


func test_the_former_value_lets_go_of_the_codec() -> void:
	codec = VariantCodec.new()
	codec.decode(var_to_bytes([1]))
	var former: Array = codec.data
	former[0] = _dying()
	former = []
	check_same(codec.decode(var_to_bytes([2])), OK, "decode()")
	check(codec == null, "it was let go of")


## Tests that a value which a reader refused ends when the reader is free again: a script of it that reads is no call within
## the call.
func test_a_refused_value_asks_its_reader() -> void:
	var answers: Array[Error] = []
	var ask := func(value: Array) -> bool:
		var dying := Dying.new()
		dying.deed = func() -> void: answers.append(reader.next())
		value[0] = dying
		return false
	for budget: int in [0, 1_000_000]:
		for count: int in [1, 5000]:
			reader = VariantReader.new()
			reader.time_budget_usec = budget
			reader.codec.schema = VariantSchema.array(VariantSchema.any()).check_with(ask)
			check_same(reader.feed(var_to_bytes(range(count))), OK, "fed")
			check_same(reader.next(), ERR_INVALID_DATA, "next()")
			check_same(answers, [ERR_UNAVAILABLE] as Array[Error], "next() within, %d of %d values" % [budget, count])
			answers.clear()
	# The check holds this suite.
	reader = null


## Tests likewise what checks of a codec and of a writer were asked about, and what `decode_into()` replaced.
func test_what_a_call_needs_no_more_asks_its_codec() -> void:
	var answers: Array[Error] = []
	var dying := func(deed: Callable) -> Dying:
		var object := Dying.new()
		object.deed = func() -> void: answers.append(deed.call())
		return object
	var encodes := func() -> Error: return OK if not codec.encode(1).is_empty() or codec.get_error().code != 31 else ERR_BUSY
	var ask := func(value: Array) -> bool:
		value[0] = dying.call(encodes)
		return false
	var schema := VariantSchema.array(VariantSchema.any())
	var bytes := var_to_bytes([1])
	codec = VariantCodec.new()
	var target := [1]
	for deed: Callable in [codec.decode.bind(bytes), codec.validate.bind(bytes), codec.decode_into.bind(target, bytes)]:
		codec.schema = schema.check_with(ask)
		check_same(deed.call(), ERR_INVALID_DATA, deed.get_method())
		check_same(answers, [OK] as Array[Error], "within %s()" % deed.get_method())
		answers.clear()
	codec.schema = null
	target[0] = dying.call(encodes)
	check_same(codec.decode_into(target, bytes), OK, "decode_into()")
	check_same(answers, [OK] as Array[Error], "what was replaced")
	answers.clear()
	writer = VariantWriter.new()
	reader = VariantReader.new()
	var refusing := func(deed: Callable) -> VariantSchema:
		return schema.check_with(func(value: Array) -> bool:
			value[0] = dying.call(deed)
			return false)
	writer.codec.schema = refusing.call(func() -> Error: return writer.flush())
	reader.codec.schema = refusing.call(func() -> Error: return reader.next())
	check_same(writer.open_buffer(), OK, "open_buffer()")
	check_same(writer.begin_array(1), OK, "begin_array()")
	check_same(writer.write(1), OK, "write()")
	check_same(writer.end(), ERR_INVALID_DATA, "end()")
	check_same(answers, [OK] as Array[Error], "within end()")
	answers.clear()
	reader.codec.form = VariantCodec.FORM_PACKED
	reader.framing = VariantReader.FRAMING_U32
	var packed := schema.pack([1])
	check_same(reader.feed(PackedByteArray([packed.size(), 0, 0, 0]) + packed), OK, "feed()")
	check_same(reader.skip(), ERR_INVALID_DATA, "skip()")
	check_same(answers, [ERR_UNAVAILABLE] as Array[Error], "within skip()")
	codec = null
	reader = null
	writer = null


## Tests likewise the peers that make room for others.
func test_a_former_peer_asks_what_it_was_given_to() -> void:
	var answers: Array[Error] = []
	writer = VariantWriter.new()
	for deed: StringName in [&"open_buffer", &"close", &"discard"]:
		var peer := PacketPeerOfScript.new()
		peer.last = func() -> void: answers.append(writer.open_buffer())
		check_same(writer.call(&"open_packet_peer", peer), OK, "opened")
		peer = null
		check_same(writer.call(deed), OK, deed)
		check_same(answers, [OK] as Array[Error], "within %s()" % deed)
		answers.clear()
		writer.discard()
	reader = VariantReader.new()
	var former := PacketPeerOfScript.new()
	former.last = func() -> void: answers.append(reader.next())
	check_same(reader.feed_packet_peer(former), OK, "fed")
	former = null
	check_same(reader.feed_packet_peer(PacketPeerOfScript.new()), OK, "fed by another")
	check_same(answers, [ERR_UNAVAILABLE] as Array[Error], "within feed_packet_peer()")
	reader = null
	writer = null


func test_a_peer_lets_go_of_what_it_is_asked_by() -> void:
	var peer := PacketPeerOfScript.new()
	peer.deed = _let_go
	for _round in 20:
		writer = VariantWriter.new()
		check_same(writer.open_packet_peer(peer), OK, "opened")
		check_same(writer.write(5), OK, "write()")
		reader = VariantReader.new()
		check_same(reader.feed_packet_peer(peer), OK, "feed_packet_peer()")
		check(writer == null and reader == null, "they were let go of")


## Makes an array schema whose elements release everything.
func _schema() -> VariantSchema:
	return VariantSchema.array(VariantSchema.int().check_with(func(_value: Variant) -> bool:
		_let_go()
		return true))


func _let_go() -> void:
	codec = null
	reader = null
	writer = null
	# Others take the place of what was freed.
	for _i in 8:
		VariantCodec.new().decode(var_to_bytes("others"))


## Makes an object that copies a container when it ends, and empties it.
func _watching(target: Variant, seen: Array) -> Dying:
	var dying := Dying.new()
	dying.deed = func() -> void:
		seen.append(target.duplicate(true))
		target.clear()
	return dying


func _dying() -> Dying:
	var dying := Dying.new()
	dying.deed = _let_go
	return dying
