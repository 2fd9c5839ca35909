extends "engine_suite.gd"
## Tests that the calls of VariantProtocol tell the truth where a game carries packets itself: ids of peers, strangers, carriers
## that fail, and the words of refusals.

const CLIENT := 7

var _packets: Array[Array] = []
var _told := []


func _side(role: VariantProtocol.Role) -> VariantProtocol:
	var protocol := VariantProtocol.new()
	protocol.role = role
	protocol.add(&"move", VariantSchema.int(0, 100), {"sender": VariantProtocol.CLIENT, "rate": 10})
	protocol.add(&"chat", VariantSchema.string().max_chars(9), {"sender": VariantProtocol.BOTH})
	protocol.add_state(&"world", VariantSchema.dict({"tick": VariantSchema.int(0, 100)}))
	for name: StringName in [&"move", &"chat", &"world"]:
		protocol.on(name, Callable())
	protocol.carrier = _carry
	protocol.greeted.connect(func(peer: int) -> void: _told.append(["greeted", peer]))
	protocol.left.connect(func(peer: int, reason: int) -> void: _told.append(["left", peer, reason]))
	return protocol


func _carry(peer: int, packet: PackedByteArray, _mode: int) -> void:
	_packets.append([peer, packet])


func test_ids_are_the_engines() -> void:
	var server := _side(VariantProtocol.ROLE_SERVER)
	for peer: int in [1, 0, -1, -5]:
		check(server.connect_peer(peer) != OK, "%d is connected" % peer)
		check("clients begin at 2" in server.get_error_message(), server.get_error_message())
		check(server.receive(peer, PackedByteArray([1, 5])) != OK, "%d is heard" % peer)
		check("clients begin at 2" in server.get_error_message(), server.get_error_message())
	check_same(server.get_stats().peers, 0, "peers")
	var client := _side(VariantProtocol.ROLE_CLIENT)
	check_error(client.connect_peer(1), OK, "the server: " + client.get_error_message())
	check(client.connect_peer(0) != OK, "0 is connected")


func test_a_stranger_may_say_hello_and_no_more() -> void:
	var server := _side(VariantProtocol.ROLE_SERVER)
	var heard := []
	server.on(&"move", func(_peer: int, value: int) -> void: heard.append(value))
	var client := _side(VariantProtocol.ROLE_CLIENT)
	check_error(server.receive(CLIENT, client.hello()), OK, "hello: " + server.get_error_message())
	check(server.receive(CLIENT, client.encode(&"move", 3)) != OK, "a message is taken")
	check_same([heard, _told], [[], []], "what is heard of a stranger")
	check_error(server.connect_peer(CLIENT), OK, "it is named")
	check_error(server.receive(CLIENT, client.encode(&"move", 4)), OK, server.get_error_message())
	server.tick()
	check_same([heard, _told], [[4], [["greeted", CLIENT]]], "what is heard of a peer")
	# One that was thrown out stays out, also where the game connects it again at once.
	for turn in 30:
		server.receive(CLIENT, PackedByteArray([99]))
	server.tick()
	server.tick()
	check_same(_told.back(), ["left", CLIENT, VariantProtocol.THROWN_OUT], "it leaves")
	check_same(server.get_peer_stats(CLIENT), {}, "nothing is kept")
	check(server.connect_peer(CLIENT) != OK and "stays out" in server.get_error_message(), server.get_error_message())
	check(server.receive(CLIENT, client.hello()) != OK, "its hello is taken")
	server.policy = {"stay_out_sec": 0}
	check_same(server.get_full_policy().stay_out_sec, 0.0, "the policy")


func test_packets_of_something_else_cost_no_points() -> void:
	var server := _side(VariantProtocol.ROLE_SERVER)
	server.connect_peer(CLIENT)
	server.greet_peer(CLIENT)
	for turn in 50:
		check(server.receive(CLIENT, PackedByteArray([0, 0x4e, 0x46, turn])) != OK, "a packet of netfox is taken")
	check("prefix" in server.get_error_message(), server.get_error_message())
	check_same([server.get_peer_stats(CLIENT).score, server.get_peers()], [0.0, [CLIENT] as Array[int]], "it stays")


func test_a_carrier_may_say_that_it_failed() -> void:
	var client := _side(VariantProtocol.ROLE_CLIENT)
	var open := [false]
	client.carrier = func(peer: int, packet: PackedByteArray, _mode: int) -> Error:
		if open[0]:
			_packets.append([peer, packet])
		return OK if open[0] else ERR_CONNECTION_ERROR
	client.connect_peer(1)
	check(client.tick() != OK, "the hello goes nowhere")
	check("carrier" in client.get_error_message(), client.get_error_message())
	open[0] = true
	check_error(client.tick(), OK, "the hello is due again at once: " + client.get_error_message())
	check_same(_packets.size(), 1, "packets")
	client.greet_peer(1)
	open[0] = false
	check(client.send(&"move", 1) != OK and "CONNECTION_ERROR" in client.get_error_message(), client.get_error_message())
	client.carrier = func(_peer: int) -> void: pass
	check(client.send(&"move", 1) != OK and "cannot be called" in client.get_error_message(), client.get_error_message())


func test_reliable_messages_wait_for_the_handshake() -> void:
	var client := _side(VariantProtocol.ROLE_CLIENT)
	var server := _side(VariantProtocol.ROLE_SERVER)
	server.connect_peer(CLIENT)
	client.connect_peer(1)
	var heard := []
	server.on(&"chat", func(_peer: int, text: String) -> void: heard.append(text))
	check_error(client.send(&"chat", "early", 1), OK, client.get_error_message())
	for turn in 4:
		for side: VariantProtocol in [client, server]:
			side.tick()
			var packets := _packets.duplicate()
			_packets.clear()
			for packet: Array in packets:
				if side == client:
					check_error(server.receive(CLIENT, packet[1]), OK, server.get_error_message())
				else:
					check_error(client.receive(1, packet[1]), OK, client.get_error_message())
	check_same(heard, ["early"], "what arrives")
	check_same(server.get_peer_stats(CLIENT).rejected, 0, "rejected")


func test_the_words_of_refusals() -> void:
	var client := _side(VariantProtocol.ROLE_CLIENT)
	client.connect_peer(1)
	client.greet_peer(1)
	check(client.send_state(&"world", 5) != OK and "only the server sends states" in client.get_error_message(), client.get_error_message())
	check(client.send(&"chat", 5) != OK, "an int is sent as a String")
	check_same(client.get_error().path, "chat", client.get_error_message())
	check(not "(root)" in client.get_error_message(), client.get_error_message())
	check(client.send(&"move", 5, 9) != OK and "relay" in client.get_error_message(), client.get_error_message())
	for number in 20:
		client.send(&"move", number)
	check_same(client.get_error().code, VariantCodec.RATE_LIMITED, client.get_error_message())
	check("10" in client.get_error_message(), client.get_error_message())
	var server := _side(VariantProtocol.ROLE_SERVER)
	server.policy = {"disconnect_at": 0, "decay": 5}
	server.connect_peer(CLIENT)
	server.greet_peer(CLIENT)
	var told := []
	server.rejected.connect(func(_peer: int, error: Dictionary) -> void: told.append(error.code))
	for turn in 15:
		server.receive(CLIENT, PackedByteArray([99]))
	check_same([told.size(), server.get_full_policy().reports_per_second], [10, 10.0], "reports in a second")
	var other := VariantProtocol.new()
	other.add(&"move", VariantSchema.int(0, 50), {"sender": VariantProtocol.CLIENT})
	other.add(&"chat", VariantSchema.int(), {"sender": VariantProtocol.SERVER})
	check(server.check_hello(other.hello()) != OK, "another version is taken")
	for words: String in ["\"move\" has other ranges", "\"chat\" is sent by another side", "\"world\" is missing there"]:
		check(words in server.get_error_message(), server.get_error_message())
