extends SceneTree
## Plays parts of the life of a peer over a real network, with all sides in this process: each step polls them once, so that
## nothing depends on frames. It prints each fault, or PASS.
##   godot --headless --path godot_project -s res://tests/protocol/lives.gd -- --transport enet [--part roles] [--hostile 30]

const Options := preload("res://addons/variant_stream/ci/options.gd")
const Player := preload("player.gd")

## The steps after which nothing more is waited for, each of at least a millisecond.
const PATIENCE := 8000

var _transport := "enet"
var _port := 0
var _hostile := 0
var _players: Array[Player] = []
var _wrong := PackedStringArray()


func _initialize() -> void:
	var options: Dictionary = Options.new(OS.get_cmdline_user_args(), {"transport": "enet", "part": "", "hostile": 30}).values
	_transport = options.transport
	_hostile = options.hostile
	for method: Dictionary in get_script().get_script_method_list():
		var name: String = method.name
		if name.begins_with("part_") and (options.part == "" or name == "part_" + options.part):
			_port = _free_port()
			_expect(call(name) == true, "it was cut off")
			_end_part(name)
	print("PASS" if _wrong.is_empty() else "FAIL\n  " + "\n  ".join(_wrong))
	quit(0 if _wrong.is_empty() else 1)


func _end_part(name: String) -> void:
	for at in _wrong.size():
		if not _wrong[at].begins_with("part_"):
			_wrong[at] = "%s: %s" % [name, _wrong[at]]
	for player in _players:
		player.close()
		player.protocol.detach()
		# Its signals hold functions that hold the player.
		player.protocol = null
	_players.clear()


static func _free_port() -> int:
	var server := TCPServer.new()
	server.listen(0, "127.0.0.1")
	return server.get_local_port()


static func _messages(protocol: VariantProtocol) -> Array[StringName]:
	protocol.add(&"move", VariantSchema.int(0, 1 << 20), {"sender": VariantProtocol.CLIENT})
	protocol.add(&"chat", VariantSchema.string().max_chars(40), {"sender": VariantProtocol.BOTH})
	protocol.add_state(&"world", VariantSchema.dict({"tick": VariantSchema.int(0, 0xFFFF_FFFF)}))
	return [&"move", &"chat", &"world"]


func _player(messages := _messages, options := {}) -> Player:
	var player := Player.new(_transport, messages, options)
	_players.append(player)
	return player


func _step() -> void:
	for player in _players:
		player.protocol.tick()
	OS.delay_msec(1)


func _until(holds: Callable, what: String) -> bool:
	for step in PATIENCE:
		_step()
		if holds.call():
			return true
	return _expect(false, "it never came that " + what)


func _expect(ok: bool, message: String) -> bool:
	if not ok:
		_wrong.append(message)
	return ok


## Returns a server and a client that have greeted each other.
func _pair(messages := _messages, options := {}) -> Array[Player]:
	var server := _player(messages, options)
	_expect(server.host(_port) == OK, "the server")
	var client := _joined(server, messages, options)
	return [server, client]


func _joined(server: Player, messages := _messages, options := {}) -> Player:
	var client := _player(messages, options)
	_expect(client.join(_port) == OK, "the client")
	_until(func() -> bool: return client.is_greeted() and server.is_greeted(client.id()), "both greet each other")
	return client


## Tests menus with Host and Join: attach() comes first, and the peer is set later, and changes.
func part_roles() -> bool:
	var first := _player()
	var second := _player()
	_step()
	_expect(first.host(_port) == OK and second.join(_port) == OK, "the peers")
	_until(func() -> bool: return second.is_greeted() and first.is_greeted(second.id()), "both greet each other")
	_expect([first.protocol.role, second.protocol.role] == [VariantProtocol.ROLE_SERVER, VariantProtocol.ROLE_CLIENT],
			"roles %s, %s" % [first.protocol.role, second.protocol.role])
	_expect(not first.api.server_relay, "the relay is on")
	_expect(second.protocol.send(&"move", 3) == OK, "move: " + second.protocol.get_error_message())
	_expect(first.protocol.send(&"chat", "hello") == OK, "chat: " + first.protocol.get_error_message())
	_expect(first.protocol.send_state(&"world", {"tick": 9}) == OK, "state: " + first.protocol.get_error_message())
	_until(func() -> bool: return first.got.size() == 1 and second.got.size() == 2, "all arrives")
	_expect(first.got == [[second.id(), &"move", 3]], "the server got %s" % [first.got])
	_expect(first.told.size() == 1 and second.told.size() == 1, "told: %s, %s" % [first.told, second.told])
	# They change places.
	first.close()
	second.close()
	var other := _free_port()
	_expect(second.host(other) == OK and first.join(other) == OK, "the peers")
	_until(func() -> bool: return first.is_greeted() and second.is_greeted(first.id()), "both greet each other again")
	_expect(first.protocol.send(&"move", 4) == OK, "move: " + first.protocol.get_error_message())
	_until(func() -> bool: return second.got.back() == [first.id(), &"move", 4], "the move arrives")
	return true


## Tests what send() says where nobody can be reached, without a line of the engine's.
func part_reach() -> bool:
	var server := _player()
	server.host(_port)
	var client := _player()
	_step()
	client.join(_port)
	_refused(client, &"move", 1, 0, "no server")
	_refused(client, &"move", 1, 1, "server")
	_until(func() -> bool: return client.is_greeted() and server.is_greeted(client.id()), "both greet each other")
	_refused(server, &"chat", "hi", 77, "77")
	_refused(client, &"chat", "hi", 77, "77")
	var id := client.id()
	server.api.disconnect_peer(id)
	_refused(server, &"chat", "hi", id, str(id))
	_expect(server.protocol.send(&"chat", "all") == OK, "to all: " + server.protocol.get_error_message())
	_step()
	_expect(server.protocol.send(&"chat", "all") == OK, "to all: " + server.protocol.get_error_message())
	_until(func() -> bool: return not client.is_greeted(), "the client notices")
	_refused(client, &"move", 1, 0, "no server")
	client.api.multiplayer_peer = null
	_refused(client, &"move", 1, 0, "no server")
	return true


func _refused(player: Player, name: StringName, value: Variant, peer: int, words: String) -> void:
	var code := player.protocol.send(name, value, peer)
	var message := player.protocol.get_error_message()
	_expect(code != OK and not message.is_empty() and words in message, "send(%s, %d): %d, %s" % [name, peer, code, message])


## Tests two protocols on one multiplayer object, and one without a path.
func part_prefixes() -> bool:
	var player := _player()
	var second := VariantProtocol.new()
	_messages(second)
	for row: Array in [[{}, "prefix"], [{"prefix": 7}, "prefix"]]:
		_expect(second.attach(player.api, row[0]) == ERR_INVALID_PARAMETER, "%s is taken" % [row])
		_expect(row[1] in second.get_error_message(), second.get_error_message())
	_expect(player.protocol.attach(player.api, {"prefix": 3}) == OK, "attached anew: " + player.protocol.get_error_message())
	_expect(second.attach(player.api, {"prefix": 3}) == ERR_INVALID_PARAMETER, "the same prefix")
	_expect(second.attach(player.api, {"prefix": 7}) == OK, "another prefix: " + second.get_error_message())
	second.detach()
	_expect(player.protocol.attach(player.api) == OK, "the other one is gone: " + player.protocol.get_error_message())
	var api := SceneMultiplayer.new()
	_expect(second.attach(api) == ERR_INVALID_PARAMETER and "root_path" in second.get_error_message(), second.get_error_message())
	return true


## Tests a client that closes its connection and joins again: the first state of the new session arrives.
func part_rejoin() -> bool:
	var pair := _pair()
	var server := pair[0]
	var client := pair[1]
	for turn in 5:
		var id := client.id()
		client.got.clear()
		for tick in 20:
			_expect(server.protocol.send_state(&"world", {"tick": tick}) == OK, server.protocol.get_error_message())
			_step()
		_until(func() -> bool: return not client.got.is_empty() and client.got.back()[2].tick == 19, "turn %d: a state" % turn)
		client.close()
		_until(func() -> bool: return not server.is_greeted(id), "the server notices")
		_expect(server.heard(&"left").back() == [id, VariantProtocol.CLOSED], "left: %s" % [server.heard(&"left")])
		_expect(client.join(_port) == OK, "joins again")
		_until(func() -> bool: return client.is_greeted() and server.is_greeted(client.id()), "both greet each other again")
	client.got.clear()
	_expect(server.protocol.send_state(&"world", {"tick": 7}) == OK, server.protocol.get_error_message())
	_until(func() -> bool: return client.got == [[1, &"world", {"tick": 7}]], "the first state arrives: %s" % [client.got])
	_expect(client.protocol.get_stats().late == 0, "late: %s" % [client.protocol.get_stats()])
	_expect(client.heard(&"left").size() == 5 and server.heard(&"left").size() == 5, "left: %s" % [client.heard(&"left")])
	_expect(client.heard(&"greeted").size() == 6, "greeted: %s" % [client.heard(&"greeted")])
	return true


## Tests a server that stops and starts again: nobody of before is left.
func part_restart() -> bool:
	var pair := _pair()
	var server := pair[0]
	var id := pair[1].id()
	server.close()
	_port = _free_port()
	_expect(server.host(_port) == OK, "hosts again")
	_expect(server.protocol.send(&"chat", "anybody?") == OK, server.protocol.get_error_message())
	_step()
	_expect(server.heard(&"left") == [[id, VariantProtocol.CLOSED]], "left: %s" % [server.heard(&"left")])
	_expect(server.protocol.get_stats().peers == 0, "stats: %s" % [server.protocol.get_stats()])
	_until(func() -> bool: return not pair[1].is_greeted(), "the client notices")
	_expect(pair[1].heard(&"left") == [[1, VariantProtocol.CLOSED]], "left: %s" % [pair[1].heard(&"left")])
	var other := _joined(server)
	for tick in 30:
		_expect(server.protocol.send_state(&"world", {"tick": tick}) == OK, server.protocol.get_error_message())
		_step()
	_until(func() -> bool: return not other.got.is_empty() and other.got.back()[2].tick == 29, "states arrive")
	return true


## Tests every way in which a server parts with a peer.
func part_ends() -> bool:
	var server := _pair()[0]
	var kicked := _players[1]
	var kicked_id := kicked.id()
	_expect(server.protocol.kick(77) != OK and "77" in server.protocol.get_error_message(), "a peer that is not there is kicked")
	_expect(server.protocol.kick(kicked_id, "asleep") == OK, server.protocol.get_error_message())
	_until(func() -> bool: return not kicked.heard(&"left").is_empty(), "the kicked one hears of it")
	_expect(kicked.heard(&"left") == [[1, VariantProtocol.KICKED]], "left: %s" % [kicked.heard(&"left")])
	_expect(kicked.protocol.get_last_words() == "asleep", "last words: " + kicked.protocol.get_last_words())
	_until(func() -> bool: return server.heard(&"left").size() == 1, "the server hears of it")
	_expect(server.heard(&"left") == [[kicked_id, VariantProtocol.KICKED]], "left: %s" % [server.heard(&"left")])
	_until(func() -> bool: return not kicked_id in server.api.get_peers(), "its connection ends")
	# The engine's own way, which emits no signal here.
	var dropped := _joined(server)
	var dropped_id := dropped.id()
	server.api.disconnect_peer(dropped_id)
	_until(func() -> bool: return server.heard(&"left").size() == 2, "the server hears of it")
	_expect(server.heard(&"left").back() == [dropped_id, VariantProtocol.CLOSED], "left: %s" % [server.heard(&"left")])
	_until(func() -> bool: return not dropped.heard(&"left").is_empty(), "the dropped one hears of it")
	# A client that sends what no game sends.
	var hostile := _joined(server)
	var hostile_id := hostile.id()
	for packet in 40:
		hostile.api.send_bytes(PackedByteArray([99, 1, 2, 3]), 1)
	_until(func() -> bool: return server.heard(&"left").size() == 3, "the server hears of it")
	_expect(server.heard(&"left").back() == [hostile_id, VariantProtocol.THROWN_OUT], "left: %s" % [server.heard(&"left")])
	_expect(server.heard(&"misbehaved").size() == 1, "misbehaved: %s" % [server.heard(&"misbehaved")])
	_until(func() -> bool: return not hostile.heard(&"left").is_empty(), "the hostile one hears of it")
	_until(func() -> bool: return server.api.get_peers().is_empty() and server.protocol.get_stats().peers == 0, "nobody is left")
	return true


## Tests that what is sent from `greeted` arrives, on both sides, and costs nobody points.
func part_greeted() -> bool:
	var server := _player()
	server.host(_port)
	server.protocol.greeted.connect(func(peer: int) -> void: server.protocol.send(&"chat", "welcome", peer))
	for at in 3:
		var client := _player()
		client.protocol.greeted.connect(func(peer: int) -> void: client.protocol.send(&"chat", "hello", peer))
		client.join(_port)
		# A reliable message waits for the handshake.
		_step()
	_until(func() -> bool: return server.got.size() == 3 and _players.slice(1).all(func(it: Player) -> bool: return it.got.size() == 1),
			"all that was sent arrives: %s" % [server.got])
	for client in _players.slice(1):
		_expect(client.got == [[1, &"chat", "welcome"]], "got %s" % [client.got])
		_expect(server.protocol.get_peer_stats(client.id()).rejected == 0, "stats: %s" % [server.protocol.get_peer_stats(client.id())])
	return true


static func _other_messages(protocol: VariantProtocol) -> Array[StringName]:
	protocol.add(&"move", VariantSchema.int(0, 9), {"sender": VariantProtocol.CLIENT})
	protocol.add(&"chat", VariantSchema.string().max_chars(40), {"sender": VariantProtocol.BOTH})
	return [&"move", &"chat"]


static func _no_messages(protocol: VariantProtocol) -> Array[StringName]:
	protocol.add(&"none", VariantSchema.nil())
	return []


## Tests clients of another version, and one that says nothing.
func part_versions() -> bool:
	for handshake: String in ["hello", "auth"]:
		_port = _free_port()
		var server := _player(_messages, {"handshake": handshake})
		server.host(_port)
		var honest := _joined(server, _messages, {"handshake": handshake})
		var honest_id := honest.id()
		_expect(server.heard(&"greeted") == [[honest_id]] and honest.heard(&"greeted") == [[1]], handshake + ": greeted")
		var outdated := _player(_other_messages, {"handshake": handshake})
		outdated.join(_port)
		var told := func() -> bool: return not server.heard(&"mismatched").is_empty() and not outdated.heard(&"mismatched").is_empty()
		_until(told, handshake + ": both are told")
		if not told.call():
			continue
		_expect(server.heard(&"mismatched")[0][1] == PackedStringArray(["move", "world"]), "%s" % [server.heard(&"mismatched")])
		_expect(outdated.heard(&"mismatched")[0] == [1, PackedStringArray(["move"])], "%s" % [outdated.heard(&"mismatched")])
		_until(func() -> bool: return server.api.get_peers() == PackedInt32Array([honest_id]), handshake + ": its connection ends")
		if handshake == "hello":
			_until(func() -> bool: return not server.heard(&"left").is_empty(), "the server hears of it")
			_expect(server.heard(&"left")[0][1] == VariantProtocol.OTHER_VERSION, "left: %s" % [server.heard(&"left")])
			_until(func() -> bool: return not outdated.heard(&"left").is_empty(), "the client hears of it")
			_expect(outdated.heard(&"left")[0] == [1, VariantProtocol.OTHER_VERSION], "left: %s" % [outdated.heard(&"left")])
			server.protocol.policy = {"greet_timeout": 0.2}
			var silent := Player.new(_transport, _no_messages, {})
			silent.protocol.detach()
			silent.join(_port)
			_until(func() -> bool:
				silent.api.poll()
				return server.heard(&"left").size() == 2, "the silent one leaves")
			_expect(server.heard(&"left").back()[1] == VariantProtocol.SILENT, "left: %s" % [server.heard(&"left")])
			silent.close()
		_expect(honest.heard(&"left").is_empty() and honest.is_greeted(), "the honest one is gone")
		_end_part("part_versions")
	return true


static func _limited_messages(protocol: VariantProtocol) -> Array[StringName]:
	protocol.add(&"move", VariantSchema.int(0, 1 << 20), {"sender": VariantProtocol.CLIENT, "rate": 60, "burst": 12})
	return [&"move"]


## Tests that a sender holds its own rate, and that a stall of the server is nobody's fault.
func part_rates() -> bool:
	var pair := _pair(_limited_messages)
	var server := pair[0]
	var client := pair[1]
	var sent := 0
	for number in 100:
		if client.protocol.send(&"move", number) == OK:
			sent += 1
		else:
			_expect(client.protocol.get_error().code == VariantCodec.RATE_LIMITED, client.protocol.get_error_message())
			_expect("60" in client.protocol.get_error_message(), client.protocol.get_error_message())
	_expect(sent >= 12 and sent < 100, "%d were sent" % sent)
	_until(func() -> bool: return server.got.size() == sent, "all %d arrive: %d" % [sent, server.got.size()])
	# The server does nothing for a while: a level loads.
	server.got.clear()
	sent = 0
	var began := Time.get_ticks_msec()
	while Time.get_ticks_msec() - began < 900:
		sent += int(client.protocol.send(&"move", sent) == OK)
		client.protocol.tick()
		OS.delay_msec(5)
	_until(func() -> bool: return server.got.size() == sent, "all %d arrive after a stall: %s" % [sent, server.protocol.get_stats()])
	_expect(sent > 24, "%d were sent" % sent)
	_expect(server.protocol.get_peer_stats(client.id()).score == 0.0, "%s" % [server.protocol.get_peer_stats(client.id())])
	_expect(client.is_greeted() and server.heard(&"left").is_empty(), "the client was thrown out")
	return true


static func _relayed_messages(protocol: VariantProtocol) -> Array[StringName]:
	protocol.add(&"chat", VariantSchema.string().max_chars(40), {"sender": VariantProtocol.BOTH, "relay": true})
	return [&"chat"]


## Tests clients that send to each other through the server: nobody is refused anything.
func part_relay() -> bool:
	var server := _player(_relayed_messages, {"relay": true})
	server.host(_port)
	for at in 3:
		_joined(server, _relayed_messages, {"relay": true})
	var clients := _players.slice(1)
	_until(func() -> bool: return clients.all(func(it: Player) -> bool: return it.api.get_peers().size() == 3), "all know each other")
	for step in 5:
		_step()
	for client: Player in clients:
		_expect(client.protocol.send(&"chat", str(client.id())) == OK, client.protocol.get_error_message())
	_until(func() -> bool: return _players.all(func(it: Player) -> bool: return it.got.size() >= 3 - int(it != server)), "all hear all")
	for player in _players:
		_expect(player.protocol.get_stats().rejected == 0, "rejected: %s" % [player.protocol.get_stats()])
	return true


## Tests that hostile connections, one after the other, leave nothing.
func part_hostile() -> bool:
	var server := _player()
	server.protocol.policy = {"stay_out_sec": 0.0, "greet_timeout": 1.0}
	server.host(_port)
	var honest := _joined(server)
	for number in _hostile:
		var player := Player.new(_transport, _no_messages, {})
		player.protocol.detach()
		player.join(_port)
		if not _until(func() -> bool:
				player.api.poll()
				return 1 in player.api.get_peers(), "hostile %d connects" % number):
			return false
		for packet in 30:
			player.api.send_bytes(PackedByteArray([99, number % 256]), 1)
		player.api.poll()
		if number % 3 == 0:
			player.close()
		_until(func() -> bool:
			if number % 3 != 0:
				player.api.poll()
			return server.protocol.get_peers().size() == 1 and server.api.get_peers().size() == 1,
				"hostile %d leaves" % number)
		player.close()
	_until(func() -> bool: return server.protocol.get_stats().peers == 1, "one peer is left")
	var bytes: int = server.protocol.get_stats().memory_bytes
	_until(func() -> bool: return server.protocol.get_stats().memory_bytes < 8192, "memory is let go of: %d" % bytes)
	_expect(server.heard(&"left").size() == _hostile, "%d left" % server.heard(&"left").size())
	_expect(server.protocol.send(&"chat", "still here", honest.id()) == OK, server.protocol.get_error_message())
	_until(func() -> bool: return honest.got.back() == [1, &"chat", "still here"], "the honest one plays on")
	return true
