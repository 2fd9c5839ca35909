extends Node
## Serves the arena: it simulates, sends states, hears the players' moves, and throws out who misbehaves. There
## is no window.
##   godot --headless --path godot_project res://demo/arena/server.tscn -- --port=4455

const Messages := preload("messages.gd")
const World := preload("world.gd")

const MOST_CLIENTS := 16
## The states whose digests are kept, which clients may name.
const MOST_DIGESTS := 10 * Messages.RATE

signal thrown_out(peer: int, reasons: Dictionary)

var protocol := Messages.protocol()
var world := World.new()
## The ids of the players by their peers.
var players := {}
## How many states each peer has confirmed.
var confirmed := {}
## How many states looked otherwise to a client. It stays 0.
var desyncs := 0
var _peer := ENetMultiplayerPeer.new()
var _digests := {}
var _schema := Messages.world()
var _waited := 0.0


func _ready() -> void:
	var port := 4455
	for argument in OS.get_cmdline_user_args():
		if argument.begins_with("--port="):
			port = argument.get_slice("=", 1).to_int()
	_peer.set_bind_ip("127.0.0.1")
	if _peer.create_server(port, MOST_CLIENTS) != OK:
		push_error("port %d is taken" % port)
		get_tree().quit(1)
		return
	protocol.on(&"move", _on_move)
	protocol.on(&"seen", _on_seen)
	protocol.greeted.connect(_on_greeted)
	protocol.misbehaved.connect(_on_misbehaved)
	multiplayer.multiplayer_peer = _peer
	protocol.left.connect(_on_left)
	protocol.attach(multiplayer)


## Returns the port on which clients connect.
func port() -> int:
	return _peer.host.get_local_port()


## Returns the bytes sent since the last call, those of ENet included.
func bytes_sent() -> int:
	return int(_peer.host.pop_statistic(ENetConnection.HOST_TOTAL_SENT_DATA))


func _process(delta: float) -> void:
	_waited += delta
	if _waited >= 1.0 / Messages.RATE:
		_waited = fmod(_waited, 1.0 / Messages.RATE)
		world.step(1.0 / Messages.RATE)
		_send()


func _send() -> void:
	var state := world.state()
	if protocol.send_state(&"world", state) != OK:
		push_error(protocol.get_error_message())
		return
	# Clients get what packing leaves of the numbers, so that is what they can confirm.
	_digests[world.tick] = VariantStream.hash_of(_schema.unpack(_schema.pack(state)))
	_digests.erase(world.tick - MOST_DIGESTS)


func _on_greeted(peer: int) -> void:
	players[peer] = world.add_player()
	confirmed[peer] = 0


func _on_left(peer: int, _reason: int) -> void:
	if peer in players:
		world.remove(players[peer])
		players.erase(peer)


func _on_move(peer: int, move: Dictionary) -> void:
	if peer in players:
		world.steer(players[peer], move.dir)


func _on_seen(peer: int, seen: Dictionary) -> void:
	if not seen.tick in _digests:
		return
	confirmed[peer] += 1
	if _digests[seen.tick] != seen.digest:
		desyncs += 1


func _on_misbehaved(peer: int, _score: float) -> void:
	thrown_out.emit(peer, protocol.get_peer_stats(peer).reasons)
