extends SceneTree
## Plays parts of the life of a peer over a real network, with all sides in this process: each step polls them once, so that
## nothing depends on frames. It prints each fault, or PASS.
##   godot --headless --path godot_project -s res://tests/protocol/lives.gd -- --transport enet [--part roles]

const Options := preload("res://addons/variant_stream/ci/options.gd")
const Player := preload("player.gd")

## The steps after which nothing more is waited for, each of at least a millisecond.
const PATIENCE := 8000

var _transport := "enet"
var _port := 0
var _players: Array[Player] = []
var _wrong := PackedStringArray()


func _initialize() -> void:
	var options: Dictionary = Options.new(OS.get_cmdline_user_args(), {"transport": "enet", "part": ""}).values
	_transport = options.transport
	for method: Dictionary in get_script().get_script_method_list():
		var name: String = method.name
		if name.begins_with("part_") and (options.part == "" or name == "part_" + options.part):
			_port = _free_port()
			call(name)
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
	_players.clear()


static func _free_port() -> int:
	var server := TCPServer.new()
	server.listen(0, "127.0.0.1")
	return server.get_local_port()


static func _messages(protocol: VariantProtocol) -> Array[StringName]:
	protocol.add(&"move", VariantSchema.int(0, 1 << 20), {"from": VariantProtocol.CLIENT})
	protocol.add(&"chat", VariantSchema.string().max_chars(40), {"from": VariantProtocol.BOTH})
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
func part_roles() -> void:
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


## Tests what send() says where nobody can be reached, without a line of the engine's.
func part_reach() -> void:
	var server := _player()
	server.host(_port)
	var client := _player()
	_step()
	client.join(_port)
	_refused(client, &"move", 1, 0, "there is no server")
	_refused(client, &"move", 1, 1, "peer 1")
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
	_refused(client, &"move", 1, 0, "there is no server")
	client.api.multiplayer_peer = null
	_refused(client, &"move", 1, 0, "there is no server")


func _refused(player: Player, name: StringName, value: Variant, peer: int, words: String) -> void:
	var code := player.protocol.send(name, value, peer)
	var message := player.protocol.get_error_message()
	_expect(code != OK and not message.is_empty() and words in message, "send(%s, %d): %d, %s" % [name, peer, code, message])


## Tests two protocols on one multiplayer object, and one without a path.
func part_prefixes() -> void:
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
