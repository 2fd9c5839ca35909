extends RefCounted
## Joins a server and its one client in this process, by ENet through the loopback device. Packets are sent by
## `SceneMultiplayer.send_bytes()` and arrive by `peer_packet`, as docs/PACKETS.md shows. It reads no bytes.

const ADDRESS := "127.0.0.1"

var _server := SceneMultiplayer.new()
var _client := SceneMultiplayer.new()
var _arrived: Array[PackedByteArray] = []
## Packets that the client has received.
var _returned: Array[PackedByteArray] = []
## The number of packets of _arrived that were taken.
var _taken := 0


func _init() -> void:
	_server.server_relay = false
	_server.peer_packet.connect(_on_peer_packet)
	_client.peer_packet.connect(_on_returned)
	for side: SceneMultiplayer in [_server, _client]:
		side.root_path = ^"/root"
		side.multiplayer_peer = null


## Asks the system for a free port, and returns ERR_CANT_CREATE where it gives none.
func open() -> Error:
	var server_peer := ENetMultiplayerPeer.new()
	server_peer.set_bind_ip(ADDRESS)
	if server_peer.create_server(0, 1) != OK:
		return ERR_CANT_CREATE
	_server.multiplayer_peer = server_peer
	var client_peer := ENetMultiplayerPeer.new()
	var error := client_peer.create_client(ADDRESS, server_peer.host.get_local_port())
	if error == OK:
		_client.multiplayer_peer = client_peer
	return error


func close() -> void:
	for side: SceneMultiplayer in [_client, _server]:
		if side.multiplayer_peer != null:
			side.multiplayer_peer.close()


## Moves packets; it has to be called once a frame. The engine's errors are silenced meanwhile: it would log
## each call of an RPC that does not exist, and any client can make those.
func poll() -> void:
	Engine.print_error_messages = false
	_client.poll()
	_server.poll()
	Engine.print_error_messages = true


func is_up() -> bool:
	return MultiplayerPeer.TARGET_PEER_SERVER in _client.get_peers()


## Tells whether ENet has given up, as it does when a process stood still for long, for example on a machine
## that slept.
func is_lost() -> bool:
	var peer := _client.multiplayer_peer
	return peer == null or peer.get_connection_status() == MultiplayerPeer.CONNECTION_DISCONNECTED


## Sends a packet from the client to the server, in order.
func send(packet: PackedByteArray) -> Error:
	return _client.send_bytes(packet, MultiplayerPeer.TARGET_PEER_SERVER)


## Sends a packet from the server to the client, in order.
func send_back(packet: PackedByteArray) -> Error:
	return _server.send_bytes(packet)


## Takes all packets that the client has received.
func take_returned() -> Array[PackedByteArray]:
	var returned := _returned
	_returned = []
	return returned


## Returns how many packets the server has received and not taken.
func waiting() -> int:
	return _arrived.size() - _taken


func take() -> PackedByteArray:
	var packet := _arrived[_taken]
	_taken += 1
	if _taken == _arrived.size():
		_arrived.clear()
		_taken = 0
	return packet


func _on_peer_packet(_sender: int, packet: PackedByteArray) -> void:
	_arrived.append(packet)


func _on_returned(_sender: int, packet: PackedByteArray) -> void:
	_returned.append(packet)
