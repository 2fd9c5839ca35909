extends RefCounted
## Defines one side of a game for the tests of peers' lives: a SceneMultiplayer, a protocol on it, and what both told.

var api := SceneMultiplayer.new()
var protocol: VariantProtocol
## The signals that came, each as an Array with its name in front.
var told: Array[Array] = []
## The messages that came: peer, name, value.
var got: Array[Array] = []
var _transport: String


func _init(transport: String, messages: Callable, options := {}) -> void:
	_transport = transport
	api.root_path = ^"/root"
	protocol = VariantProtocol.new()
	for name: StringName in messages.call(protocol):
		protocol.on(name, _note.bind(name))
	for name: StringName in [&"greeted", &"misbehaved", &"rejected", &"left", &"mismatched"]:
		if protocol.has_signal(name):
			protocol.connect(name, _hear.bind(name) if name == &"greeted" else _hear_two.bind(name))
	var code := protocol.attach(api, options)
	if code != OK:
		push_error(protocol.get_error_message())


func _note(peer: int, value: Variant, name: StringName) -> void:
	got.append([peer, name, value])


func _hear(peer: int, name: StringName) -> void:
	told.append([name, peer])


func _hear_two(peer: int, more: Variant, name: StringName) -> void:
	told.append([name, peer, more])


func host(port: int) -> Error:
	if _transport == "enet":
		var peer := ENetMultiplayerPeer.new()
		var code := peer.create_server(port)
		api.multiplayer_peer = peer if code == OK else null
		return code
	var peer := WebSocketMultiplayerPeer.new()
	var code := peer.create_server(port)
	api.multiplayer_peer = peer if code == OK else null
	return code


func join(port: int) -> Error:
	if _transport == "enet":
		var peer := ENetMultiplayerPeer.new()
		var code := peer.create_client("127.0.0.1", port)
		api.multiplayer_peer = peer if code == OK else null
		return code
	var peer := WebSocketMultiplayerPeer.new()
	var code := peer.create_client("ws://127.0.0.1:%d" % port)
	api.multiplayer_peer = peer if code == OK else null
	return code


func close() -> void:
	if api.multiplayer_peer != null:
		api.multiplayer_peer.close()


## Returns the signals of a name, without it.
func heard(name: StringName) -> Array:
	return told.filter(func(it: Array) -> bool: return it[0] == name).map(func(it: Array) -> Array: return it.slice(1))


func is_greeted(peer := 1) -> bool:
	return peer in protocol.get_peers()


func id() -> int:
	return api.get_unique_id()
