extends "suite.gd"
## Objects whose last reference a script lets go of in the middle of one of their own calls: the call goes on, and what
## it works on ends after it. `MALLOC_PERTURB_=165` makes what was freed too early plain to see.

const Restless := preload("restless_object.gd")
const BYTES := [1, 2, 3, 4]

## The only references.
var codec: VariantCodec
var reader: VariantReader
var writer: VariantWriter


## An object that tells when it ends.
class Dying extends RefCounted:
	var deed := Callable()

	func _notification(what: int) -> void:
		if what == NOTIFICATION_PREDELETE and deed.is_valid():
			deed.call()


class PacketPeerOfScript extends PacketPeerExtension:
	var deed := Callable()

	func _get_available_packet_count() -> int:
		deed.call()
		return 0

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
		reader.schema = _schema()
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
		writer.full_objects = true
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


func test_the_former_value_lets_go_of_the_codec() -> void:
	codec = VariantCodec.new()
	codec.decode(var_to_bytes([1]))
	var former: Array = codec.data
	former[0] = _dying()
	former = []
	check_same(codec.decode(var_to_bytes([2])), OK, "decode()")
	check(codec == null, "it was let go of")


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


## An array whose elements let go of everything.
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


func _dying() -> Dying:
	var dying := Dying.new()
	dying.deed = _let_go
	return dying
