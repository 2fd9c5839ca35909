extends RefCounted
## Holds two ends of an encrypted connection on this machine, in one process: TLS over TCP, or DTLS over UDP.
## They may still be in the handshake. It knows nothing of values.

const Pair := preload("pair.gd")

## The StreamPeerTLS or PacketPeerDTLS; null in an engine without them.
var near: RefCounted
## The other end; with DTLS null until it is known.
var far: RefCounted
var _pair: Pair
var _udp: UDPServer
var _server: DTLSServer


func _init(is_stream: bool) -> void:
	# Without its module the engine logs that there is no Crypto; for peers it logs nothing.
	if ClassDB.instantiate(&"PacketPeerDTLS") == null:
		return
	var crypto := Crypto.new()
	var key := crypto.generate_rsa(2048) if crypto != null else null
	if key == null:
		return
	var certificate := crypto.generate_self_signed_certificate(key, "CN=localhost")
	if is_stream:
		_begin_stream(key, certificate)
	else:
		_begin_packets(key, certificate)


func poll() -> void:
	near.poll()
	if _udp != null:
		_udp.poll()
		while _udp.is_connection_available():
			var accepted := _server.take_connection(_udp.take_connection())
			if accepted.get_status() == PacketPeerDTLS.STATUS_HANDSHAKING:
				far = accepted
	if far != null:
		far.poll()


func is_ready() -> bool:
	return near.get_status() == 2 and far != null and far.get_status() == 2  # STATUS_CONNECTED of either class


func _begin_stream(key: CryptoKey, certificate: X509Certificate) -> void:
	_pair = Pair.new()
	near = StreamPeerTLS.new()
	far = StreamPeerTLS.new()
	far.accept_stream(_pair.far, TLSOptions.server(key, certificate))
	near.connect_to_stream(_pair.near, "localhost", TLSOptions.client_unsafe(certificate))


func _begin_packets(key: CryptoKey, certificate: X509Certificate) -> void:
	_server = DTLSServer.new()
	_server.setup(TLSOptions.server(key, certificate))
	_udp = UDPServer.new()
	_udp.listen(0, "127.0.0.1")
	var udp := PacketPeerUDP.new()
	udp.connect_to_host("127.0.0.1", _udp.get_local_port())
	near = PacketPeerDTLS.new()
	near.connect_to_peer(udp, "localhost", TLSOptions.client_unsafe(certificate))
