extends RefCounted
## Joins two ENet peers of this process through the loopback device: a server and its one client. It moves
## bytes and reads none.

const ADDRESS := "127.0.0.1"

var _server := ENetMultiplayerPeer.new()
var _client := ENetMultiplayerPeer.new()


## Asks the system for a free port, and returns ERR_CANT_CREATE where it gives none.
func open() -> Error:
	_server.set_bind_ip(ADDRESS)
	if _server.create_server(0, 1) != OK:
		return ERR_CANT_CREATE
	return _client.create_client(ADDRESS, _server.host.get_local_port())


func close() -> void:
	_client.close()
	_server.close()


## Moves packets; it has to be called once a frame.
func poll() -> void:
	for peer: ENetMultiplayerPeer in [_client, _server]:
		if peer.get_connection_status() != MultiplayerPeer.CONNECTION_DISCONNECTED:
			peer.poll()


func is_up() -> bool:
	return _client.get_connection_status() == MultiplayerPeer.CONNECTION_CONNECTED


## Tells whether ENet has given up, as it does when a process stood still for long, for example on a machine
## that slept.
func is_lost() -> bool:
	return _client.get_connection_status() == MultiplayerPeer.CONNECTION_DISCONNECTED


## Sends a packet from the client to the server, in order.
func send(packet: PackedByteArray) -> Error:
	_client.set_target_peer(MultiplayerPeer.TARGET_PEER_SERVER)
	return _client.put_packet(packet)


## Returns how many packets the server has received and not taken.
func waiting() -> int:
	return _server.get_available_packet_count()


func take() -> PackedByteArray:
	return _server.get_packet()
