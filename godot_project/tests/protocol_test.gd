extends "engine_suite.gd"
## Tests VariantProtocol as a game uses it: messages between two sides, what is refused and counted, states as
## deltas, and the engine's own network below.

## A line between sides in one process: what a side sends lies here until it is delivered.
class Line:
	extends RefCounted

	var packets: Array[Array] = []

	func carrier(from: int) -> Callable:
		return func(peer: int, bytes: PackedByteArray, mode: int) -> void: packets.append([from, peer, bytes, mode])

	## Delivers what lies here, and what is sent meanwhile. Returns the packets that were delivered.
	func deliver(sides: Dictionary) -> Array[Array]:
		var delivered: Array[Array] = []
		while not packets.is_empty():
			var packet: Array = packets.pop_front()
			delivered.append(packet)
			if packet[1] in sides:
				var side: VariantProtocol = sides[packet[1]]
				side.receive(packet[0], packet[2])
		return delivered


const CLIENT := 7

var _line := Line.new()


func _move() -> VariantSchema:
	return VariantSchema.dict({
		"seq": VariantSchema.int(0, 65535),
		"dir": VariantSchema.vector2().max_length(1.5),
		"act": VariantSchema.enum(["idle", "jump"]).optional("idle"),
	})


func _world() -> VariantSchema:
	return VariantSchema.dict({
		"tick": VariantSchema.int(0, 0xFFFF_FFFF),
		"hp": VariantSchema.array(VariantSchema.int(0, 100)).max_size(64),
	})


## Returns a protocol with the messages of this suite.
func _protocol(role: VariantProtocol.Role) -> VariantProtocol:
	var protocol := VariantProtocol.new()
	protocol.role = role
	check_error(protocol.add(&"move", _move(), {"sender": VariantProtocol.CLIENT, "rate": 30, "burst": 4}), OK, "add move")
	check_error(protocol.add(&"chat", VariantSchema.string().max_chars(40), {"sender": VariantProtocol.BOTH}), OK, "add chat")
	check_error(protocol.add_state(&"world", _world(), {"history": 16}), OK, "add world")
	check(protocol.is_well_formed(), str(protocol.get_build_errors()))
	return protocol


## Returns a server and a client that have greeted each other over the line.
func _pair() -> Array[VariantProtocol]:
	var sides: Array[VariantProtocol] = [_protocol(VariantProtocol.ROLE_SERVER), _protocol(VariantProtocol.ROLE_CLIENT)]
	sides[0].carrier = _line.carrier(1)
	sides[1].carrier = _line.carrier(CLIENT)
	sides[0].connect_peer(CLIENT)
	sides[1].connect_peer(1)
	for turn in 3:
		sides[0].tick()
		sides[1].tick()
		_deliver(sides)
	check_same(sides[0].get_peers(), [CLIENT] as Array[int], "peers of the server")
	check_same(sides[1].get_peers(), [1] as Array[int], "peers of the client")
	return sides


func _deliver(sides: Array[VariantProtocol]) -> Array[Array]:
	return _line.deliver({1: sides[0], CLIENT: sides[1]})


func test_messages_reach_their_handlers() -> void:
	var sides := _pair()
	var got := []
	check_error(sides[0].on(&"move", func(peer: int, data: Dictionary) -> void: got.append([peer, data])), OK, "on")
	check_error(sides[0].on(&"chat", func(peer: int, text: String) -> void: got.append([peer, text])), OK, "on")
	check_error(sides[1].send(&"move", {"seq": 4, "dir": Vector2(1, 0)}, 1), OK, "send")
	check_error(sides[1].send(&"chat", "hello"), OK, "send to all")
	_deliver(sides)
	check_same(got, [[CLIENT, {"seq": 4, "dir": Vector2(1, 0), "act": "idle"}], [CLIENT, "hello"]], "what arrives")
	check_same(sides[0].get_peer_stats(CLIENT).messages, 2, "messages counted")
	check_same(sides[0].get_peer_stats(CLIENT).is_greeted, true, "is greeted")
	check_same(sides[0].get_stats().rejected, 0, "rejected")


func test_what_a_sender_refuses_is_not_sent() -> void:
	var sides := _pair()
	var moves := [
		[&"move", {"seq": -1, "dir": Vector2.ZERO}, VariantCodec.OUT_OF_RANGE, "move.seq"],
		[&"move", {"seq": 1}, VariantCodec.MISSING_KEY, "move"],
		[&"move", 5, VariantCodec.WRONG_TYPE, "move"],
		[&"chat", "x".repeat(41), VariantCodec.WRONG_SIZE, "chat"],
		[&"nothing", 5, VariantCodec.UNKNOWN_MESSAGE, ""],
		[&"world", {"tick": 1, "hp": []}, VariantCodec.WRONG_DIRECTION, "world"],
	]
	for row: Array in moves:
		var code := sides[1].send(row[0], row[1])
		check(code != OK, "%s is sent" % [row])
		check_same(sides[1].get_error().code, row[2], "%s: %s" % [row, sides[1].get_error_message()])
		check(str(sides[1].get_error().path).begins_with(row[3]), "%s: path %s" % [row, sides[1].get_error().path])
		check(sides[1].encode(row[0], row[1]).is_empty(), "%s is encoded" % [row])
	check(_line.packets.is_empty(), "packets are on the line")
	check(sides[1].send(&"chat", "hi", 99) != OK and "99" in sides[1].get_error_message(), sides[1].get_error_message())


func test_what_arrives_wrong_is_rejected_with_its_place() -> void:
	var sides := _pair()
	var told := []
	sides[0].rejected.connect(func(peer: int, error: Dictionary) -> void: told.append([peer, error.code, error.path]))
	var calls := []
	sides[0].on(&"move", func(_peer: int, _data: Dictionary) -> void: calls.append(1))
	var right := sides[1].encode(&"move", {"seq": 4, "dir": Vector2(1, 0)})
	check_error(sides[0].receive(CLIENT, right), OK, "what is right")
	for row: Array in [
		[PackedByteArray([200, 1, 2]), VariantCodec.UNKNOWN_MESSAGE, ERR_INVALID_DATA],
		[PackedByteArray([3, 1, 0, 0]), VariantCodec.WRONG_DIRECTION, ERR_INVALID_DATA],
		[PackedByteArray([0, 99]), VariantCodec.BAD_CONTROL, ERR_INVALID_DATA],
		[right.slice(0, 3), -1, -1],
	]:
		var code := sides[0].receive(CLIENT, row[0])
		check(code != OK, "%s is taken" % [row])
		if row[1] >= 0:
			check_error(code, row[2], str(row))
			check_same(sides[0].get_error().code, row[1], str(row))
	check_same(calls.size(), 1, "calls of the handler")
	check_same(told.size(), 4, "signals")
	check_same(told[1], [CLIENT, VariantCodec.WRONG_DIRECTION, "world"], "a signal")
	check_same(sides[0].get_peer_stats(CLIENT).rejected, 4, "rejected")
	check_same(sides[0].get_stats().reasons.get("wrong_direction"), 1, "reasons")


func test_rates_scores_and_the_end_of_a_peer() -> void:
	var sides := _pair()
	var ends := []
	sides[0].misbehaved.connect(func(peer: int, score: float) -> void: ends.append([peer, score]))
	sides[0].on(&"move", Callable())
	var move := sides[1].encode(&"move", {"seq": 4, "dir": Vector2(1, 0)})
	var codes := []
	for i in 6:
		codes.append(sides[0].receive(CLIENT, move))
	check_same(codes, [OK, OK, OK, OK, ERR_BUSY, ERR_BUSY], "a burst of 4")
	check_same(sides[0].get_error().code, VariantCodec.RATE_LIMITED, "why")
	for i in 10:
		sides[0].receive(CLIENT, PackedByteArray([3, 1, 0, 0]))
	check_same(ends.size(), 1, "it is told once that a peer went too far")
	check(ends[0][1] >= 100.0, "its score is %s" % [ends[0][1]])
	check_same(sides[0].get_peers(), [] as Array[int], "it is no listener any more")
	check_error(sides[0].receive(CLIENT, move), ERR_CONNECTION_ERROR, "it is not heard any more")
	sides[0].forget_peer(CLIENT)
	check_same(sides[0].get_peer_stats(CLIENT), {}, "it is forgotten")


func test_states_go_as_changes_of_what_was_acknowledged() -> void:
	var sides := _pair()
	var got := []
	sides[1].on(&"world", func(_peer: int, state: Dictionary) -> void: got.append(state))
	var state := {"tick": 1, "hp": range(64)}
	var sizes := []
	for tick in 5:
		state.tick = tick
		state.hp[tick] = 99
		check_error(sides[0].send_state(&"world", state), OK, "send_state")
		for packet in _deliver(sides):
			sizes.append(packet[2].size())
		sides[1].tick()
		_deliver(sides)
		check_same(got.back(), state, "what arrives")
	check(sizes[4] * 5 < sizes[0], "sizes %s" % [sizes])


func test_another_version_of_the_game_is_told_by_name() -> void:
	var server := _protocol(VariantProtocol.ROLE_SERVER)
	var other := VariantProtocol.new()
	other.role = VariantProtocol.ROLE_CLIENT
	other.add(&"move", VariantSchema.int(), {"sender": VariantProtocol.CLIENT})
	check_error(server.check_hello(server.hello()), OK, "its own handshake")
	check(server.check_hello(other.hello()) != OK, "another one is taken")
	check_same(server.get_error().code, VariantCodec.PROTOCOL_MISMATCH, "why")
	var message := server.get_error_message()
	check("move" in message and "chat" in message and "world" in message, message)
	check(server.get_hash() != other.get_hash(), "both have one hash")
	check_error(server.receive(9, other.hello()), ERR_INVALID_DATA, "as a packet")
	check_error(server.receive(9, other.encode(&"move", 1)), ERR_CONNECTION_ERROR, "a message after it")
	server.connect_peer(10)
	check_error(server.receive(10, other.encode(&"move", 1)), ERR_INVALID_DATA, "a message without a handshake")
	check_same(server.get_error().code, VariantCodec.NOT_GREETED, "why")


func test_queued_messages_go_together() -> void:
	var sides := _pair()
	var got := []
	sides[0].on(&"chat", func(_peer: int, text: String) -> void: got.append(text))
	for i in 10:
		check_error(sides[1].queue(&"chat", "line %d" % i), OK, "queue")
	check(_line.packets.is_empty(), "something was sent")
	check_error(sides[1].flush(), OK, "flush")
	check_same(_deliver(sides).size(), 1, "packets")
	check_same(got.size(), 10, "messages")
	check_same(got[9], "line 9", "the last")


func test_a_protocol_is_a_document() -> void:
	var protocol := _protocol(VariantProtocol.ROLE_SERVER)
	var again := VariantProtocol.from_json(protocol.to_json())
	check(again.is_well_formed(), str(again.get_build_errors()))
	check_same(again.to_json(), protocol.to_json(), "JSON")
	check_same(again.get_hash(), protocol.get_hash(), "hash")
	check("| 1 | move | client | 30 a second, 4 at once | reliable |" in protocol.to_markdown(), protocol.to_markdown())
	var broken := VariantProtocol.from_json("{}")
	check(not broken.is_well_formed(), "no document is well formed")
	check("not the JSON of a protocol" in str(broken.get_build_errors()[0].message), str(broken.get_build_errors()))


func test_mistakes_of_declarations() -> void:
	for row: Array in [
		[{"form": 1}, "\"form\" is not an option"],
		[{"rate": -1}, "rate is -1"],
		[{"burst": 3}, "needs a rate"],
		[{"sender": 9}, "sender is 9"],
		[{"id": 0}, "id is 0"],
		[{"mode": "fast"}, "mode is fast"],
		[{"relay": 1}, "relay is 1"],
	]:
		var protocol := VariantProtocol.new()
		expect_error("VariantProtocol")
		check(protocol.add(&"m", VariantSchema.int(), row[0]) != OK, str(row))
		check(row[1] in protocol.get_error_message(), protocol.get_error_message())
		check(row[1] in str(protocol.get_build_errors()[0].message), str(protocol.get_build_errors()))
		check_error(protocol.receive(2, PackedByteArray([1])), ERR_INVALID_PARAMETER, "a packet")
	var twice := VariantProtocol.new()
	check_error(twice.add(&"m", VariantSchema.int()), OK, "the first")
	expect_error("VariantProtocol")
	check_error(twice.add(&"m", VariantSchema.int()), ERR_INVALID_PARAMETER, "the second")
	check("stands twice" in str(twice.get_build_errors()[0].message), str(twice.get_build_errors()))
	var several := VariantProtocol.new()
	expect_error("VariantProtocol")
	several.add(&"odd", VariantSchema.int(), {"form": 1})
	expect_error("VariantSchema")
	several.add(&"move", VariantSchema.dict({"hp": VariantSchema.int(9, 1)}))
	several.add(&"m", VariantSchema.int(), {"id": 7})
	expect_error("VariantProtocol")
	several.add(&"n", VariantSchema.int(), {"id": 7})
	var places := several.get_build_errors().map(func(mistake: Dictionary) -> String: return mistake.path)
	check_same(places, ["odd", "move.hp", "n"], "all mistakes")
	var late := _protocol(VariantProtocol.ROLE_SERVER)
	check_error(late.add(&"late", VariantSchema.int()), ERR_ALREADY_IN_USE, "a protocol that runs")
	check_error(late.on(&"nothing", func() -> void: pass), ERR_INVALID_DATA, "a handler of nothing")


func test_policies() -> void:
	var protocol := _protocol(VariantProtocol.ROLE_SERVER)
	protocol.policy = {"disconnect_at": 30, "points": {"unknown_message": 20}, "packets_per_second": 10}
	check_same(protocol.policy.size(), 3, "what was set")
	var full := protocol.get_full_policy()
	check_same(full.disconnect_at, 30.0, "disconnect_at")
	check_same(full.points.unknown_message, 20.0, "points")
	check_same(full.bytes_per_second, 32768.0, "the default stays")
	expect_error("VariantProtocol.policy")
	protocol.policy = {"disconnect": 30}
	expect_error("VariantProtocol.policy")
	protocol.policy = {"points": {"rudeness": 1}}
	check_same(protocol.policy.points, {"unknown_message": 20}, "what was there before")
	# What it does not name is the side's, whichever is set first: a client limits no server.
	protocol.policy = {"reports_per_second": 5}
	protocol.role = VariantProtocol.ROLE_CLIENT
	check_same(protocol.get_full_policy().packets_per_second, 0.0, "packets of a client's server")
	check_same(protocol.get_full_policy().reports_per_second, 5.0, "what was set")
	protocol.role = VariantProtocol.ROLE_SERVER
	protocol.policy = {"disconnect_at": 30, "points": {"unknown_message": 20}, "packets_per_second": 10}
	var ends := []
	protocol.misbehaved.connect(func(peer: int, _score: float) -> void: ends.append(peer))
	for i in 2:
		protocol.receive(3, PackedByteArray([77]))
	check_same(ends, [3], "ends")


func test_a_check_of_the_game_counts_as_a_refusal() -> void:
	var protocol := VariantProtocol.new()
	protocol.role = VariantProtocol.ROLE_SERVER
	protocol.add(&"buy", VariantSchema.int(0, 100).check_with(func(price: int) -> bool: return price < 50),
			{"sender": VariantProtocol.CLIENT})
	protocol.connect_peer(4)
	protocol.greet_peer(4)
	var bought := []
	protocol.on(&"buy", func(_peer: int, price: int) -> void: bought.append(price))
	var client := VariantProtocol.new()
	client.role = VariantProtocol.ROLE_CLIENT
	client.add(&"buy", VariantSchema.int(0, 100), {"sender": VariantProtocol.CLIENT})
	check_error(protocol.receive(4, client.encode(&"buy", 10)), OK, "a good price")
	check(protocol.receive(4, client.encode(&"buy", 60)) != OK, "a bad price")
	check_same(protocol.get_error().code, VariantCodec.CHECK_FAILED, protocol.get_error_message())
	check_same(bought, [10], "what was bought")
	check_same(protocol.get_peer_stats(4).reasons, {"refused": 1}, "reasons")


## The bits of both sides are the same, and the server's schema asks for more: the value is refused while it is built.
func test_a_value_that_only_the_schema_refuses_is_told_by_path_and_bit() -> void:
	var protocol := VariantProtocol.new()
	protocol.add(&"hit", VariantSchema.dict({"dir": VariantSchema.vector2().max_length(1.0), "id": VariantSchema.int(0, 9)}),
			{"sender": VariantProtocol.CLIENT})
	protocol.connect_peer(4)
	protocol.greet_peer(4)
	var got := []
	protocol.on(&"hit", func(_peer: int, hit: Dictionary) -> void: got.append(hit.id))
	var rejected := []
	protocol.rejected.connect(func(_peer: int, error: Dictionary) -> void: rejected.append(error))
	var client := VariantProtocol.new()
	client.role = VariantProtocol.ROLE_CLIENT
	client.add(&"hit", VariantSchema.dict({"dir": VariantSchema.vector2(), "id": VariantSchema.int(0, 9)}),
			{"sender": VariantProtocol.CLIENT})
	check_error(protocol.receive(4, client.encode(&"hit", {"dir": Vector2.RIGHT, "id": 1})), OK, "a short one")
	check(protocol.receive(4, client.encode(&"hit", {"dir": Vector2(3.0, 4.0), "id": 2})) != OK, "a long one")
	var error := protocol.get_error()
	check_same([error.code, error.path], [VariantCodec.OUT_OF_RANGE, "hit.dir"], error.message)
	check("(bit " in error.message, error.message)
	check_same(got, [1], "what was handled")
	check_same(rejected.size(), 1, "rejected")
	var stats := protocol.get_peer_stats(4)
	check_same([stats.reasons, stats.messages], [{"refused": 1}, 1], "counts")
	# A handler that is set or taken away while the protocol runs counts from then on.
	protocol.on(&"hit", Callable())
	protocol.receive(4, client.encode(&"hit", {"dir": Vector2.RIGHT, "id": 3}))
	check_same(got, [1], "no handler")
	protocol.on(&"hit", func(_peer: int, hit: Dictionary) -> void: got.append(-hit.id))
	protocol.receive(4, client.encode(&"hit", {"dir": Vector2.RIGHT, "id": 5}))
	check_same(got, [1, -5], "another handler")


func test_handlers_may_use_the_protocol() -> void:
	var sides := _pair()
	var got := []
	sides[0].on(&"chat", func(peer: int, text: String) -> void: sides[0].send(&"chat", text + "!", peer))
	sides[1].on(&"chat", func(_peer: int, text: String) -> void:
		got.append(text)
		sides[1].forget_peer(1))
	sides[1].send(&"chat", "echo")
	_deliver(sides)
	check_same(got, ["echo!"], "what comes back")
	# A handler that holds its own protocol keeps it alive.
	for side in sides:
		check_error(side.on(&"chat", Callable()), OK, "a handler is taken away")


func test_over_the_engines_network() -> void:
	for handshake: String in ["hello", "auth", "none"]:
		_play_over_enet(handshake)


func _play_over_enet(handshake: String) -> void:
	var apis: Array[SceneMultiplayer] = [SceneMultiplayer.new(), SceneMultiplayer.new(), SceneMultiplayer.new()]
	for api in apis:
		api.root_path = ^"/root"
	var sides: Array[VariantProtocol] = []
	var port := 20000 + (OS.get_process_id() + 31 + handshake.length()) % 20000
	for at in 2:
		var protocol := VariantProtocol.new()
		protocol.add(&"move", _move(), {"sender": VariantProtocol.CLIENT})
		protocol.add(&"chat", VariantSchema.string().max_chars(40), {"sender": VariantProtocol.BOTH})
		# Asked before it is known which side and handshake it will be.
		check(protocol.is_well_formed(), str(protocol.get_build_errors()))
		var peer := ENetMultiplayerPeer.new()
		check_error(peer.create_server(port) if at == 0 else peer.create_client("127.0.0.1", port), OK, "the peer")
		apis[at].multiplayer_peer = peer
		check_error(protocol.attach(apis[at], {"handshake": handshake}), OK, "attach: " + protocol.get_error_message())
		sides.append(protocol)
	var handshakes := []
	sides[0].greeted.connect(func(peer: int) -> void: handshakes.append(peer))
	check_same([sides[0].role, sides[1].role], [VariantProtocol.ROLE_SERVER, VariantProtocol.ROLE_CLIENT], "roles")
	check(not apis[0].server_relay, "the relay is on")
	var greeted := func() -> bool: return sides[0].get_peers().size() == 1 and sides[1].get_peers().size() == 1
	check(_poll_until(apis.slice(0, 2), sides, greeted), "%s: they do not greet each other" % handshake)
	var got := []
	sides[0].on(&"move", func(peer: int, data: Dictionary) -> void: got.append([peer, data.seq]))
	sides[1].on(&"chat", func(peer: int, text: String) -> void: got.append([peer, text]))
	check_error(sides[1].send(&"move", {"seq": 9, "dir": Vector2.UP}), OK, "send")
	check_error(sides[0].send(&"chat", "welcome"), OK, "send to all")
	_poll_until(apis.slice(0, 2), sides, func() -> bool: return got.size() == 2)
	got.sort()
	check_same(got, [[1, "welcome"], [apis[1].get_unique_id(), 9]], handshake)
	check_same(handshakes.size(), 1, "%s: who was greeted" % handshake)
	# A hostile client that knows nothing of the protocol is counted and thrown out, and nobody else notices.
	if handshake == "hello":
		var ends := []
		sides[0].misbehaved.connect(func(peer: int, _score: float) -> void: ends.append(peer))
		var peer := ENetMultiplayerPeer.new()
		check_error(peer.create_client("127.0.0.1", port), OK, "the hostile client")
		apis[2].multiplayer_peer = peer
		_poll_until(apis, sides, func() -> bool: return 1 in apis[2].get_peers())
		for i in 40:
			apis[2].send_bytes(PackedByteArray([99, 0, 0, 0]), 1)
		_poll_until(apis, sides, func() -> bool: return apis[0].get_peers().size() == 1)
		check_same(ends, [apis[2].get_unique_id()] if ends.is_empty() else [ends[0]], "who is thrown out")
		check_same(apis[0].get_peers(), PackedInt32Array([apis[1].get_unique_id()]), "who stays")
	for api in apis:
		if api.multiplayer_peer != null:
			api.multiplayer_peer.close()
	for side in sides:
		side.detach()


func _poll_until(apis: Array, sides: Array[VariantProtocol], holds: Callable, turns := 1500) -> bool:
	for turn in turns:
		for api: SceneMultiplayer in apis:
			api.poll()
		for side in sides:
			side.tick()
		if holds.call():
			return true
		OS.delay_msec(1)
	return false


func test_attach_takes_only_the_engines_own() -> void:
	var protocol := _protocol(VariantProtocol.ROLE_SERVER)
	check_error(protocol.attach(null), ERR_INVALID_PARAMETER, "null")
	check_error(protocol.attach(RefCounted.new()), ERR_INVALID_PARAMETER, "another object")
	check_error(protocol.attach(SceneMultiplayer.new(), {"handshakes": 1}), ERR_INVALID_PARAMETER, "an unknown option")
	check("handshakes" in protocol.get_error_message(), protocol.get_error_message())
	protocol.connect_peer(5)
	protocol.greet_peer(5)
	check_error(protocol.send(&"chat", "hi", 5), ERR_CONNECTION_ERROR, "nothing carries it")
	check("attach()" in protocol.get_error_message(), protocol.get_error_message())


func test_udp_packets() -> void:
	var server := PacketPeerUDP.new()
	var client := PacketPeerUDP.new()
	var port := 20000 + (OS.get_process_id() + 53) % 20000
	check_error(server.bind(port, "127.0.0.1"), OK, "bind")
	check_error(client.connect_to_host("127.0.0.1", port), OK, "connect")
	var sides := _pair()
	var got := []
	sides[0].on(&"chat", func(peer: int, text: String) -> void: got.append([peer, text]))
	for i in 3:
		client.put_packet(sides[1].encode(&"chat", "udp %d" % i))
	for turn in 200:
		sides[0].poll_packet_peer(server, CLIENT)
		if got.size() == 3:
			break
		OS.delay_msec(1)
	check_same(got, [[CLIENT, "udp 0"], [CLIENT, "udp 1"], [CLIENT, "udp 2"]], "what arrives")
	check_error(sides[0].poll_packet_peer(null), ERR_INVALID_PARAMETER, "null")


func test_strangers_cost_bounded_memory() -> void:
	var protocol := _protocol(VariantProtocol.ROLE_SERVER)
	for peer in range(2, 12000):
		protocol.receive(peer, PackedByteArray([2, 1]))
	var stats := protocol.get_stats()
	check_same(stats.peers, 4096, "peers that are kept")
	check(stats.memory_bytes < 6 << 20, "memory is %d" % stats.memory_bytes)
	check_same(stats.packets, 11998, "packets")


## A state that no packet holds arrives in parts, is given to its handler once a tick, and tells how old its parts are.
func test_a_state_of_any_size_comes_in_parts() -> void:
	var entry := VariantSchema.dict({"id": VariantSchema.int(0, 299), "at": VariantSchema.int(0, 1 << 30)})
	var schema := VariantSchema.dict({
		"tick": VariantSchema.int(0, 9999),
		"all": VariantSchema.array(entry).keyed("id").max_size(300),
	})
	var sides: Array[VariantProtocol] = [VariantProtocol.new(), VariantProtocol.new()]
	sides[1].role = VariantProtocol.ROLE_CLIENT
	for side in sides:
		check_error(side.add_state(&"world", schema, {"max_packet": 300}), OK, "add_state")
	var packets: Array[PackedByteArray] = []
	sides[0].carrier = func(_peer: int, packet: PackedByteArray, _mode: int) -> void: packets.append(packet)
	sides[1].carrier = func(_peer: int, packet: PackedByteArray, _mode: int) -> void: sides[0].receive(7, packet)
	sides[0].connect_peer(7)
	sides[1].connect_peer(1)
	sides[0].greet_peer(7)
	sides[1].greet_peer(1)
	var heard: Array[Dictionary] = []
	check_error(sides[1].on(&"world", func(_peer: int, world: Dictionary) -> void: heard.append(world)), OK, "on")
	check_same(sides[1].get_state_info(&"world"), {}, "nothing came")
	for tick in 4:
		var all: Array[Dictionary] = []
		for id in 300:
			all.append({"id": id, "at": id * tick})
		packets.clear()
		check_error(sides[0].send_state(&"world", {"tick": tick, "all": all}), OK, "send_state")
		for packet in packets:
			check(packet.size() <= 300, "%d bytes" % packet.size())
			check_error(sides[1].receive(1, packet), OK, "receive")
		check_same(heard.size(), tick, "it is told by tick()")
		sides[1].tick()
		check_same(heard.size(), tick + 1, "once for all packets")
		check_same(heard[-1].tick, tick, "the newest")
		check_same(heard[-1].all[299], {"id": 299, "at": 299 * tick}, "an entry")
		var info := sides[1].get_state_info(&"world")
		check_same([info.newest, info.oldest, info.missing], [tick + 1, tick + 1, 0], "state info")
		check(info.parts > 4, "%d parts" % info.parts)
	for side in sides:
		side.carrier = Callable()


func test_a_state_that_no_packets_hold_is_a_mistake() -> void:
	var protocol := VariantProtocol.new()
	expect_error("VariantProtocol")
	check_error(protocol.add_state(&"world", VariantSchema.dict({"text": VariantSchema.string()})), ERR_INVALID_PARAMETER, "unbounded")
	check("world.text has no largest size" in protocol.get_error_message(), protocol.get_error_message())
	check("world.text has no largest size" in str(protocol.get_build_errors()[0].message), str(protocol.get_build_errors()))
