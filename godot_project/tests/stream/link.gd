extends RefCounted
## Opens one end of a connection on this machine, of any of the engine's kinds. It is the server when it is
## given no port, else the client. It sends and reads nothing.

const KINDS: PackedStringArray = ["tcp", "tcp_big_endian", "packet_stream", "udp", "enet", "websocket"]
## The class names, because engines can be built without them, and the other kinds are tried there all the
## same.
const WEBSOCKET := &"WebSocketPeer"
const ENET := &"ENetMultiplayerPeer"
const STATE_OPEN := 1  # of a WebSocketPeer

var kind: String
## The StreamPeer or PacketPeer for the values; null until the other end is there.
var peer: Object
var port := 0
var _server: TCPServer
var _tcp: StreamPeerTCP


func _init(kind_name: String, to_port := 0) -> void:
	kind = kind_name
	if to_port > 0:
		_connect(to_port)
	else:
		_serve()


## Tells whether this kind only knows its other end once that has sent something.
func connects_first() -> bool:
	return kind == "udp" or kind == "enet"


func poll() -> void:
	if _server != null and _tcp == null and _server.is_connection_available():
		_tcp = _server.take_connection()
		_over(_tcp)
	if _tcp != null and kind != "websocket":
		_tcp.poll()
		if _tcp.get_status() == StreamPeerTCP.STATUS_CONNECTED:
			_tcp.set_no_delay(true)  # put_var sends a length by itself, and the rest would wait for its receipt
	if peer is MultiplayerPeer or _is_websocket():
		peer.poll()


func is_ready() -> bool:
	match kind:
		"udp":
			return true
		"enet":
			return peer.get_connection_status() == MultiplayerPeer.CONNECTION_CONNECTED
		"websocket":
			return peer != null and peer.get_ready_state() == STATE_OPEN
	return _tcp != null and _tcp.get_status() == StreamPeerTCP.STATUS_CONNECTED


func has_some() -> bool:
	return peer.get_available_bytes() > 0 if peer is StreamPeer else peer.get_available_packet_count() > 0


func close() -> void:
	if peer is MultiplayerPeer or _is_websocket():
		peer.close()
	if _tcp != null:
		_tcp.disconnect_from_host()


func _is_websocket() -> bool:
	return kind == "websocket" and peer != null


func _serve() -> void:
	match kind:
		"udp":
			peer = PacketPeerUDP.new()
			peer.bind(0, "127.0.0.1")
			port = peer.get_local_port()
		"enet":
			peer = ClassDB.instantiate(ENET)
			port = 20000 + OS.get_process_id() % 20000
			while peer.create_server(port, 1) != OK and port < 60000:
				port += 1
		_:
			_server = TCPServer.new()
			_server.listen(0, "127.0.0.1")
			port = _server.get_local_port()


func _connect(to_port: int) -> void:
	match kind:
		"udp":
			peer = PacketPeerUDP.new()
			peer.connect_to_host("127.0.0.1", to_port)
		"enet":
			peer = ClassDB.instantiate(ENET)
			peer.create_client("127.0.0.1", to_port)
		"websocket":
			peer = ClassDB.instantiate(WEBSOCKET)
			peer.inbound_buffer_size = 1 << 20
			peer.outbound_buffer_size = 1 << 20
			peer.connect_to_url("ws://127.0.0.1:%d" % to_port)
		_:
			_tcp = StreamPeerTCP.new()
			_tcp.connect_to_host("127.0.0.1", to_port)
			_over(_tcp)


func _over(tcp: StreamPeerTCP) -> void:
	match kind:
		"tcp":
			peer = tcp
		"tcp_big_endian":
			peer = tcp
			tcp.big_endian = true
		"packet_stream":
			peer = PacketPeerStream.new()
			peer.input_buffer_max_size = 1 << 20
			peer.output_buffer_max_size = 1 << 20
			peer.stream_peer = tcp
		"websocket":
			peer = ClassDB.instantiate(WEBSOCKET)
			peer.inbound_buffer_size = 1 << 20
			peer.outbound_buffer_size = 1 << 20
			peer.accept_stream(tcp)
