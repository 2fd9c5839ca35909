extends "engine_suite.gd"
## Tests the handlers of VariantProtocol: which on() refuses, and what is told and counted where one cannot be called.

signal heard(peer: int, text: String)

var _got := []


class Room:
	extends Node

	func say(_peer: int, _text: String) -> void:
		pass


func _protocol() -> VariantProtocol:
	var protocol := VariantProtocol.new()
	protocol.add(&"chat", VariantSchema.string().max_chars(20), {"sender": VariantProtocol.BOTH})
	protocol.connect_peer(7)
	protocol.greet_peer(7)
	return protocol


func _one(_peer: int) -> void:
	pass


func _three(_peer: int, _text: String, _more: int) -> void:
	pass


func _named(_name: String, _text: String) -> void:
	pass


func _two(_peer: int, text: String) -> void:
	_got.append(text)


func _two_or_more(_peer: int, text: String, more := 1) -> void:
	_got.append(text + str(more))


static func _all(_peer: int, _text: String) -> void:
	pass


func test_on_refuses_what_cannot_be_called() -> void:
	var protocol := _protocol()
	var room := Room.new()
	var gone := room.say
	for row: Array in [
		[func() -> void: pass, "it takes 0 arguments"],
		[func(_text: String) -> void: pass, "it takes 1 argument, and it is called with two, the id of the peer (an int) and the value"],
		[_one, "it takes 1 argument"],
		[_three, "it takes 3 arguments"],
		[_two.bind(1, 2), "it takes 0 arguments"],
		[_named, "its first argument is of type String"],
		[Callable(room, "shout"), "has no method \"shout\""],
	]:
		check_error(protocol.on(&"chat", row[0]), ERR_INVALID_PARAMETER, str(row))
		check_same(protocol.get_error().code, VariantCodec.INVALID_ARGUMENT, str(row))
		check(row[1] in protocol.get_error_message() and "\"chat\"" in protocol.get_error_message(),
				"%s: %s" % [row[1], protocol.get_error_message()])
	room.free()
	check_error(protocol.on(&"chat", gone), ERR_INVALID_PARAMETER, "a freed node")
	check("its object is gone" in protocol.get_error_message(), protocol.get_error_message())
	for handler: Callable in [_two, _two_or_more, _three.bind(1), _one.unbind(1), _all, heard.emit,
			func(_peer: int, _text: String) -> void: pass, func(_peer: int, _text: String, _more := 1) -> void: pass, Callable()]:
		check_error(protocol.on(&"chat", handler), OK, "%s: %s" % [handler, protocol.get_error_message()])


func test_a_failed_call_is_told_once_and_counted() -> void:
	var protocol := _protocol()
	var packet := protocol.encode(&"chat", "hello")
	var room := Room.new()
	for handler: Callable in [func(_peer: int, _number: Vector2) -> void: _got.append(1),
			func(_peer: int, _text: String, _more: int) -> void: _got.append(2), room.say]:
		check_error(protocol.on(&"chat", handler), OK, protocol.get_error_message())
		if room != null and handler == room.say:
			room.free()
		var before: int = protocol.get_stats().handler_failed
		expect_error("VariantProtocol: \"chat\" arrived, and its handler was not called")
		for turn in 3:
			check_error(protocol.receive(7, packet), OK, "receive")
		check_same(protocol.get_stats().handler_failed, before + 3, "counted")
	check_same(protocol.get_peer_stats(7).rejected, 0, "the peer is not at fault")
	check_same(_got, [], "calls")
	protocol.on(&"chat", _two)
	protocol.receive(7, packet)
	check_same(_got, ["hello"], "a handler that can be called")
	check_same(protocol.get_stats().handler_failed, 9, "counted")


func test_a_message_without_a_handler_is_told_once_and_counted() -> void:
	var protocol := _protocol()
	var packet := protocol.encode(&"chat", "hello")
	expect_error("\"chat\" arrived, but it has no handler")
	for turn in 3:
		check_error(protocol.receive(7, packet), OK, "receive")
	check_same([protocol.get_stats().unhandled, protocol.get_peer_stats(7).unhandled], [3, 3], "counted")
	protocol.on(&"chat", Callable())
	protocol.receive(7, packet)
	check_same(protocol.get_stats().unhandled, 3, "nobody wants it")


## Tests the host who plays: what clients send goes to its own handler, and what it sends to all, too.
func test_a_host_hears_itself() -> void:
	var protocol := VariantProtocol.new()
	protocol.add(&"move", VariantSchema.vector2().quantized(0.5, -10, 10), {"sender": VariantProtocol.CLIENT, "local": true})
	protocol.add(&"score", VariantSchema.int(0, 100), {"sender": VariantProtocol.SERVER, "local": true})
	protocol.add(&"chat", VariantSchema.string().max_chars(20), {"sender": VariantProtocol.BOTH, "local": true})
	protocol.add(&"push", VariantSchema.int(0, 9), {"sender": VariantProtocol.CLIENT})
	protocol.add_state(&"world", VariantSchema.dict({"tick": VariantSchema.int(0, 99)}), {"local": true})
	for name: StringName in [&"move", &"score", &"chat", &"push", &"world"]:
		protocol.on(name, func(peer: int, value: Variant) -> void: _got.append([peer, name, value]))
	# Alone, without a peer: nothing carries anything anywhere.
	check_error(protocol.send(&"move", Vector2(1.2, 0)), OK, protocol.get_error_message())
	check_error(protocol.send(&"score", 5), OK, protocol.get_error_message())
	check_error(protocol.send(&"chat", "hi", 1), OK, protocol.get_error_message())
	check_error(protocol.send_state(&"world", {"tick": 3}), OK, protocol.get_error_message())
	check_same(_got, [[1, &"move", Vector2(1, 0)], [1, &"score", 5], [1, &"chat", "hi"], [1, &"world", {"tick": 3}]], "what it hears")
	check(protocol.send(&"push", 1) != OK and "other side" in protocol.get_error_message(), protocol.get_error_message())
	check(protocol.send(&"move", Vector2(11, 0)) != OK, "what no receiver takes")
	# With a client, others get what they got before.
	_got.clear()
	var packets := []
	protocol.carrier = func(peer: int, _packet: PackedByteArray, _mode: int) -> void: packets.append(peer)
	protocol.connect_peer(7)
	protocol.greet_peer(7)
	check_error(protocol.send(&"score", 6), OK, protocol.get_error_message())
	check_error(protocol.send(&"chat", "all"), OK, protocol.get_error_message())
	check_error(protocol.send(&"chat", "seven", 7), OK, protocol.get_error_message())
	check_error(protocol.send(&"chat", "not seven", -7), OK, protocol.get_error_message())
	check_error(protocol.send(&"chat", "not me", -1), OK, protocol.get_error_message())
	check_same(_got.map(func(it: Array) -> Variant: return it[2]), [6, "all", "not seven"], "what the host hears")
	check_same(packets.count(7), 5 if packets.size() == 5 else packets.size(), "packets")
	# On a client, only messages of both are its own.
	_got.clear()
	protocol.role = VariantProtocol.ROLE_CLIENT
	protocol.connect_peer(1)
	protocol.greet_peer(1)
	check_error(protocol.send(&"move", Vector2.ZERO), OK, protocol.get_error_message())
	check_error(protocol.send(&"chat", "client"), OK, protocol.get_error_message())
	check_same(_got, [[0, &"chat", "client"]], "what a client hears")
	protocol.carrier = Callable()
	var again := VariantProtocol.from_json(protocol.to_json())
	check_same(again.to_json(), protocol.to_json(), "JSON")
	check("\"local\": true" in protocol.to_json(), protocol.to_json())
