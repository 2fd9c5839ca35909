extends SceneTree
## Acts as a hostile client: it plays one of the attacks of attacks.gd, first as RPCs, then as raw packets,
## and leaves.
##   … -s res://tests/enet/attacker.gd -- --port N --attack flood|text|empty [--keys 12000]
## attacked_server.gd starts it.

const Attacks := preload("attacks.gd")
const Options := preload("res://addons/variant_stream/ci/options.gd")

const PATIENCE_MSEC := 20_000
## The frames between the last RPC and the raw packets, which may end the connection.
const PAUSE := 30

var _options: Dictionary
var _net: Hostile
var _frames := 0


class Hostile:
	extends Node

	## Has the declaration of the server's function, but for the type of its argument.
	@rpc("any_peer", "call_remote", "reliable")
	func receive(_move: Variant) -> void:
		pass


func _initialize() -> void:
	Engine.max_fps = 60
	_options = Options.new(OS.get_cmdline_user_args(), {"port": 0, "attack": "text", "keys": Attacks.COLLIDING_KEYS}).values
	_net = Hostile.new()
	_net.name = Attacks.NODE
	root.add_child(_net)
	var peer := ENetMultiplayerPeer.new()
	if peer.create_client("127.0.0.1", _options.port) != OK:
		quit(1)
		return
	get_multiplayer().multiplayer_peer = peer
	get_multiplayer().server_disconnected.connect(quit)
	get_multiplayer().connection_failed.connect(quit.bind(1))


func _process(_delta: float) -> bool:
	if not 1 in get_multiplayer().get_peers():
		return Time.get_ticks_msec() > PATIENCE_MSEC
	_frames += 1
	if _frames == 1:
		for call in Attacks.calls(_options.attack):
			_net.receive.rpc_id(1, Attacks.argument(_options.attack, _options.keys))
	elif _frames == PAUSE:
		var api: SceneMultiplayer = get_multiplayer()
		for call in Attacks.calls(_options.attack):
			api.send_bytes(Attacks.packet(_options.attack, _options.keys), 1, MultiplayerPeer.TRANSFER_MODE_RELIABLE)
		# The connection ends once everything has arrived, however long that takes.
		(api.multiplayer_peer as ENetMultiplayerPeer).get_peer(1).peer_disconnect_later()
	return Time.get_ticks_msec() > PATIENCE_MSEC
