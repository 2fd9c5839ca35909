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
	protocol.add(&"chat", VariantSchema.string().max_chars(20), {"from": VariantProtocol.BOTH})
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
