extends RefCounted
## Plays one of the attacks of attacks.gd as a hostile client: first as RPCs, then as raw packets, and leaves. A frame of a
## process of its own is a step, or whoever holds both sides steps it.

const Attacks := preload("attacks.gd")

var _api: SceneMultiplayer
var _net: Node
var _name: String
var _keys: int
var _pause: int
var _steps := 0
## Whether the connection has ended, or could not be made.
var is_over := false


class Hostile:
	extends Node

	## Has the declaration of the server's function, but for the type of its argument.
	@rpc("any_peer", "call_remote", "reliable")
	func receive(_move: Variant) -> void:
		pass


## `pause` are the steps between the last RPC and the raw packets, which may end the connection.
func _init(api: SceneMultiplayer, options: Dictionary, pause: int) -> void:
	_api = api
	_name = options.attack
	_keys = options.keys
	_pause = pause
	_net = Hostile.new()
	_net.name = Attacks.NODE
	var end := func() -> void: is_over = true
	api.server_disconnected.connect(end)
	api.connection_failed.connect(end)
	var peer := ENetMultiplayerPeer.new()
	is_over = peer.create_client("127.0.0.1", options.port) != OK
	api.multiplayer_peer = peer


## Returns the node whose function is called; it has to be in the tree below the root of the API.
func node() -> Node:
	return _net


func step() -> void:
	if is_over or not 1 in _api.get_peers():
		return
	_steps += 1
	if _steps == 1:
		for call in Attacks.calls(_name):
			_net.receive.rpc_id(1, Attacks.argument(_name, _keys))
	elif _steps == _pause:
		for call in Attacks.calls(_name):
			_api.send_bytes(Attacks.packet(_name, _keys), 1, MultiplayerPeer.TRANSFER_MODE_RELIABLE)
		# The connection ends once everything has arrived, however long that takes.
		(_api.multiplayer_peer as ENetMultiplayerPeer).get_peer(1).peer_disconnect_later()
