extends "suite.gd"
## Tests arguments that a script releases in the middle of the call they were given to. They are in the Array
## of callv(), or in a member. The script puts others in their place at once, so that a call which still reads
## there finds values that it was not given.

const Restless := preload("restless_object.gd")
const MANY := 16

## The only reference to the arguments of callv().
var given: Array
## An argument that lies in a member.
var member: Variant
var writer: VariantWriter
var _others := []


class StreamOfScript extends StreamPeerExtension:
	var deed := Callable()

	## Takes nothing of the bytes that it is offered.
	@warning_ignore("native_method_override")
	func put_partial_data(_data: PackedByteArray) -> Array:
		deed.call()
		return [OK, 0]


class PacketsOfScript extends PacketPeerExtension:
	var deed := Callable()
	var got: Array[PackedByteArray] = []
	## Whether it refuses; it changes with every call.
	var is_busy := false

	func _get_max_packet_size() -> int:
		return 1000

	@warning_ignore("native_method_override")
	func put_packet(data: PackedByteArray) -> Error:
		if deed.is_valid():
			deed.call()
		is_busy = not is_busy
		if is_busy:
			return ERR_BUSY
		got.append(data)
		return OK


class Dying extends RefCounted:
	var deed := Callable()

	func _notification(what: int) -> void:
		if what == NOTIFICATION_PREDELETE and deed.is_valid():
			deed.call()


func clean_up() -> void:
	given = []
	member = null
	writer = null
	_others.clear()


func test_checks_of_a_codec_let_go_of_its_arguments() -> void:
	var value := {"a": [1, 2, 3]}
	var bytes := var_to_bytes(value)
	for _round in MANY:
		var codec := VariantCodec.new()
		codec.schema = _checked(value)
		given = [value.duplicate(true)]
		check_same(codec.callv("encode", given), bytes, "encode()")
		given = [bytes.duplicate()]
		check_same(codec.callv("decode", given), OK, "decode()")
		given = [bytes.duplicate()]
		check_same(codec.callv("validate", given), OK, "validate()")
		var target := {}
		given = [target, bytes.duplicate()]
		check_same(codec.callv("decode_into", given), OK, "decode_into()")
		check_same(target, value, "the target")
		member = value.duplicate(true)
		check_same(codec.encode(member), bytes, "encode() of a member")
		check(member == null and given.is_empty(), "they were let go of")


func test_what_is_refused_behind_a_check_is_not_looked_for() -> void:
	var codec := VariantCodec.new()
	codec.schema = _checked({"a": 1})
	for _round in MANY:
		given = [[], var_to_bytes({"a": 1})]
		check_same(codec.callv("decode_into", given), ERR_INVALID_PARAMETER, "decode_into() of an Array")
		check_same(codec.get_error().got, "Array", "what it is")
		check_same(codec.get_errors().size(), 1, "get_errors()")


func test_getters_let_go_of_what_is_encoded() -> void:
	var restless := Restless.new()
	restless.deed = _let_go
	var bytes := var_to_bytes_with_objects([restless, 5])
	var codec := VariantCodec.new()
	codec.full_objects = true
	writer = VariantWriter.new()
	writer.codec.full_objects = true
	for _round in MANY:
		given = [[restless, 5]]
		check_same(codec.callv("encode", given), bytes, "encode()")
		member = [restless, 5]
		check_same(codec.encode(member), bytes, "encode() of a member")
		check_same(writer.open_buffer(), OK, "opened")
		given = [[restless, 5]]
		check_same(writer.callv("write", given), OK, "write()")
		check_bytes(writer.get_buffer(), bytes, "what was written")
		check_same(writer.open_buffer(), OK, "opened")
		check_same(writer.begin_dictionary(1), OK, "begun")
		given = [restless, "the value"]
		check_same(writer.callv("write_entry", given), OK, "write_entry()")
		check_same(writer.end(), OK, "ended")
		check_bytes(writer.get_buffer(), var_to_bytes_with_objects({restless: "the value"}), "the entry")
	codec.schema = VariantSchema.array(VariantSchema.any())
	given = [[restless, 5]]
	check_same(codec.callv("encode", given), bytes, "encode() under a schema")
	restless.free()


## Tests writes: packets that wait are sent before a call adds to them.
func test_peers_let_go_of_what_is_written() -> void:
	var packets := PacketsOfScript.new()
	packets.deed = _let_go
	var stream := StreamOfScript.new()
	stream.deed = _let_go
	for _round in MANY:
		writer = VariantWriter.new()
		check_same(writer.open_packet_peer(packets), OK, "opened")
		for text: String in ["first", "second"]:
			given = [[text, "value"]]
			check_same(writer.callv("write", given), OK, "write() %s" % text)
		check_same(writer.close(), OK, "closed")
		var wanted: Array[PackedByteArray] = [var_to_bytes(["first", "value"]), var_to_bytes(["second", "value"])]
		check_same(packets.got, wanted, "the packets")
		packets.got.clear()
		writer = VariantWriter.new()
		check_same(writer.open_peer(stream), OK, "opened")
		writer.max_pending_bytes = 1
		given = [["a value"]]
		check_same(writer.callv("write", given), OK, "write()")
		given = [["another value"]]
		check_same(writer.callv("write", given), ERR_BUSY, "write() where too much waits")
	writer.discard()


## Tests opening: the old stream ends with its peer, whose script releases the argument of the new one.
func test_the_end_of_a_peer_lets_go_of_what_is_opened() -> void:
	for _round in MANY:
		var dying := PacketsOfScript.new()
		var watched := Dying.new()
		watched.deed = _let_go
		dying.set_meta(&"watched", watched)
		watched = null
		writer = VariantWriter.new()
		check_same(writer.open_packet_peer(dying), OK, "opened")
		dying = null
		given = [PacketsOfScript.new()]
		check_same(writer.callv("open_packet_peer", given), OK, "opened again")
		check(given.is_empty(), "it was let go of")
		check(writer.is_open(), "it is open")


func _checked(value: Dictionary) -> VariantSchema:
	var twice := VariantSchema.from_example(value).check_with(func(_value: Variant) -> bool: return _let_go())
	return twice.check_with(func(got: Variant) -> bool: return got is Dictionary and got == value)


## Replaces the arguments by others of the same size.
func _let_go() -> bool:
	var count := given.size()
	given.clear()
	member = null
	for i in MANY:
		var other := []
		other.resize(count)
		other.fill(-1)
		_others.append(other)
	return true
