extends "engine_suite.gd"
## Tests writing to peers that are not ready: full, connecting, closed, or nonsense. The bytes wait or are
## refused, nothing is lost or sent twice, nothing blocks, and the engine has nothing to log.
## stream_interop_test.gd tests what arrives.

## The reason why this runs once: see run.gd.
const ONCE := "is about sockets"
## WebSockets of Godot 4.3 drop what their buffers cannot hold.
const NEEDS := {"*": "sockets", "test_a_full_websocket": "Godot 4.4", "test_a_full_websocket_of_a_client": "Godot 4.4", "test_a_websocket_that_counts_packets": "Godot 4.4"}
const Link := preload("stream/link.gd")
const Pair := preload("stream/pair.gd")
const Secure := preload("stream/secure.gd")

const PATIENCE_MSEC := 20000
const KIBIBYTES_60 := 60 << 10

var _links: Array[Link] = []


func clean_up() -> void:
	super()
	for link in _links:
		link.close()
	_links.clear()


## Tests peers in a handshake: some classes would log that they were asked.
func test_peers_that_shake_hands_have_nothing_yet() -> void:
	for is_stream: bool in [true, false]:
		var secure := Secure.new(is_stream)
		if secure.near == null:
			skip("this engine was built without it")
			continue
		check_same(secure.near.get_status(), 1, "it shakes hands")
		var peer: PacketPeer
		var reader := VariantReader.new()
		if is_stream:
			peer = PacketPeerStream.new()
			peer.stream_peer = secure.near
			check_error(reader.feed_peer(secure.near), ERR_CONNECTION_ERROR, "as a stream")
			check_same(reader.get_error_message(), "the peer is not connected yet", "what it says")
		else:
			peer = secure.near
		check_error(reader.feed_packet_peer(peer), OK, "packets")
		check_error(reader.next(), ERR_UNAVAILABLE, "nothing yet")


## Tests a WebSocket that gets far more than its buffer holds, while nothing polls.
func test_a_full_websocket() -> void:
	var pair := _websockets()
	if pair.is_empty():
		return
	var writer := VariantWriter.new()
	writer.max_pending_bytes = 2 << 20
	check_error(writer.open_packet_peer(pair[1].peer), OK, "open_packet_peer")
	var written := []
	var codes := {}
	for i in 200:
		var value := [i, _bytes(KIBIBYTES_60)]
		var code := writer.write(value)
		codes[code] = true
		if code == OK:
			written.append(value)
	check_same(codes.keys(), [OK, ERR_BUSY], "what write answered")
	check(written.size() > 30, "%d values taken" % written.size())
	check(writer.get_pending_bytes() > 2 << 20, "%d bytes wait" % writer.get_pending_bytes())
	check_error(writer.flush(), ERR_BUSY, "flush")
	check_error(writer.close(), ERR_BUSY, "close")
	_check_arrival(writer, written, pair[1], pair[0])
	check_error(writer.close(), OK, "close, when all is sent")


func test_a_websocket_that_counts_packets() -> void:
	var pair := _websockets()
	if pair.is_empty():
		return
	pair[1].peer.max_queued_packets = 4
	pair[1].peer.outbound_buffer_size = 64 << 20
	var writer := VariantWriter.new()
	writer.max_pending_bytes = 64 << 20
	writer.open_packet_peer(pair[1].peer)
	var written := []
	for i in 400:
		written.append([i, _bytes(KIBIBYTES_60)])
		check_error(writer.write(written[i]), OK, "write")
	check(writer.get_pending_bytes() > 0, "nothing waits")
	_check_arrival(writer, written, pair[1], pair[0])
	_drain(pair)
	check_error(writer.write(_bytes(16 << 20)), OK, "more than the system takes at once")
	check(pair[1].peer.get_current_outbound_buffered_amount() > 0, "the system took all of it")
	check_error(writer.write("behind"), OK, "behind it")
	check_same(writer.get_pending_bytes(), 0, "bytes that wait, now that packets are counted anew")


## Tests a WebSocket at its limit: the last byte of room is used, and one more waits.
func test_a_websocket_that_is_just_full() -> void:
	var pair := _websockets()
	if pair.is_empty():
		return
	var writer := VariantWriter.new()
	writer.open_packet_peer(pair[1].peer)
	var peer: PacketPeer = pair[1].peer
	for i in 1000:  # until the system takes no more
		if peer.get_current_outbound_buffered_amount() == 0:
			check_error(writer.write(_bytes(30000)), OK, "what fills the system's buffer")
	check_same(writer.get_pending_bytes(), 0, "bytes of that that wait")
	peer.outbound_buffer_size = peer.get_current_outbound_buffered_amount() + 4096
	check_error(writer.write(_bytes(4096 - 8)), OK, "as much as there is room for")
	check_same(writer.get_pending_bytes(), 0, "bytes of it that wait")
	check_error(writer.write(null), OK, "four bytes more")
	check_same(writer.get_pending_bytes(), 4, "bytes of them that wait")


func test_a_websocket_without_a_bound() -> void:
	var pair := _websockets()
	if pair.is_empty():
		return
	pair[1].peer.outbound_buffer_size = 0
	var writer := VariantWriter.new()
	writer.open_packet_peer(pair[1].peer)
	check_error(writer.write("not bound"), OK, writer.get_error_message())
	_check_arrival(writer, ["not bound"], pair[1], pair[0])


func test_a_packet_that_never_fits() -> void:
	var pair := _websockets()
	if pair.is_empty():
		return
	var writer := VariantWriter.new()
	writer.open_packet_peer(pair[1].peer)
	check_error(writer.write(_bytes(70000)), ERR_OUT_OF_MEMORY, "70 000 bytes")
	check(writer.get_error_message().contains("at most 65536"), writer.get_error_message())
	check_same([writer.get_pending_bytes(), writer.get_position()], [0, 0], "of it is left")
	check_error(writer.write(_bytes(65536 - 8)), OK, "as many as fit")
	check_error(writer.write("behind"), OK, "behind it")
	_check_arrival(writer, [_bytes(65536 - 8), "behind"], pair[1], pair[0])


## Tests peers that connect: values that are written meanwhile are sent afterwards.
func test_peers_that_connect() -> void:
	for kind: String in ["websocket", "enet", "packet_stream"]:
		if kind == "websocket" and not ClassDB.class_exists(Link.WEBSOCKET):
			continue
		var far := _link(kind)
		var near := _link(kind, far.port)
		var writer := VariantWriter.new()
		writer.max_pending_bytes = 1000
		check_error(writer.open_packet_peer(near.peer), OK, kind)
		var reader := VariantReader.new()
		check_error(reader.feed_packet_peer(near.peer), OK, kind + ": reading meanwhile")
		var written := []
		var code := OK
		while code == OK and written.size() < 1000:
			code = writer.write("value %d" % written.size())
			if code == OK:
				written.append("value %d" % written.size())
		check_error(code, ERR_BUSY, kind + ": more than may wait")
		check_error(writer.flush(), ERR_BUSY, kind + ": flush")
		_check_arrival(writer, written, near, far)


## Tests a full WebSocket whose other side ends: waiting bytes go on waiting, and no more are taken.
func test_a_full_websocket_that_ends() -> void:
	var pair := _websockets()
	if pair.is_empty():
		return
	var writer := VariantWriter.new()
	writer.max_pending_bytes = 32 << 20
	writer.open_packet_peer(pair[1].peer)
	for i in 300:
		check_error(writer.write([i, _bytes(KIBIBYTES_60)]), OK, "write")
	pair[0].close()
	var until := Time.get_ticks_msec() + PATIENCE_MSEC
	while pair[1].is_ready() and Time.get_ticks_msec() < until:
		pair[0].poll()
		pair[1].poll()
	var waiting := writer.get_pending_bytes()
	var position := writer.get_position()
	check(waiting > 0, "nothing waits")
	check_error(writer.write("more"), ERR_CONNECTION_ERROR, "write")
	check_error(writer.begin_array(), ERR_CONNECTION_ERROR, "begin_array")
	check_same([writer.get_pending_bytes(), writer.get_position(), writer.get_depth()], [waiting, position, 0], "after it")
	check_error(writer.close(), ERR_CONNECTION_ERROR, "close")
	check(not writer.is_open(), "it is still open")


func test_peers_of_an_enet_connection() -> void:
	# It is made by its name: engines for browsers can be built without it, and would not parse this.
	var near: RefCounted = ClassDB.instantiate(&"ENetConnection")
	var far: RefCounted = ClassDB.instantiate(&"ENetConnection")
	check_error(far.create_host_bound("127.0.0.1", 0), OK, "create_host_bound")
	check_error(near.create_host(), OK, "create_host")
	var peer: PacketPeer = near.connect_to_host("127.0.0.1", far.get_local_port())
	var writer := VariantWriter.new()
	writer.open_packet_peer(peer)
	check_error(writer.write("early"), OK, "while it connects")
	check_error(writer.flush(), ERR_BUSY, "flush meanwhile")
	var reader := VariantReader.new()
	var until := Time.get_ticks_msec() + PATIENCE_MSEC
	while reader.next() != OK and Time.get_ticks_msec() < until:
		near.service()
		writer.flush()
		var event: Array = far.service()
		if event[0] == ClassDB.class_get_integer_constant(&"ENetConnection", &"EVENT_RECEIVE"):
			check_error(reader.feed_packet_peer(event[1]), OK, "feed_packet_peer")
	check_same(reader.data, "early", "what arrives")
	peer.reset()
	check_error(writer.write("late"), ERR_CONNECTION_ERROR, "after the end")
	check_error(reader.feed_packet_peer(peer), ERR_CONNECTION_ERROR, "reading after the end")
	near.destroy()
	far.destroy()


## Tests a full WebSocket that is the peer inside a client's MultiplayerPeer.
func test_a_full_websocket_of_a_client() -> void:
	var name := &"WebSocketMultiplayerPeer"
	if not ClassDB.class_exists(name):
		skip("this engine was built without it")
		return
	var free := TCPServer.new()
	free.listen(0, "127.0.0.1")
	var port := free.get_local_port()
	free.stop()
	var server: MultiplayerPeer = ClassDB.instantiate(name)
	var client: MultiplayerPeer = ClassDB.instantiate(name)
	check_error(server.create_server(port, "127.0.0.1"), OK, "create_server")
	check_error(client.create_client("ws://127.0.0.1:%d" % port), OK, "create_client")
	var writer := VariantWriter.new()
	writer.max_pending_bytes = 32 << 20
	writer.open_packet_peer(client)
	check_error(writer.write("early"), OK, "while it connects")
	check_error(writer.flush(), ERR_BUSY, "flush meanwhile")
	var until := Time.get_ticks_msec() + PATIENCE_MSEC
	while writer.flush() != OK and Time.get_ticks_msec() < until:
		server.poll()
		client.poll()
	check_error(writer.write(_bytes(70000)), ERR_OUT_OF_MEMORY, "more than its buffer")
	for i in 300:
		check_error(writer.write([i, _bytes(KIBIBYTES_60)]), OK, "write")
	check(writer.get_pending_bytes() > 0, "nothing waits")
	var reader := VariantReader.new()
	var got := 0
	while got < 301 and Time.get_ticks_msec() < until:
		server.poll()
		client.poll()
		writer.flush()
		reader.feed_packet_peer(server)
		while reader.next() == OK:
			got += int(reader.data == "early" if got == 0 else reader.data[0] == got - 1)
	check_same([got, writer.get_pending_bytes()], [301, 0], "values that arrive, bytes that wait")
	var back := VariantWriter.new()
	back.open_packet_peer(server)
	check_error(back.write("to all"), OK, "a server's, whose room nobody tells")
	var at_client := VariantReader.new()
	while at_client.next() != OK and Time.get_ticks_msec() < until:
		server.poll()
		client.poll()
		at_client.feed_packet_peer(client)
	check_same(at_client.data, "to all", "what comes to the client")
	_check_a_closed_inside(writer, server, client)
	server.close()
	client.close()
	check_error(writer.write(1), ERR_CONNECTION_ERROR, "after the end")


## Checks a client whose inner peer has ended before the outer one noticed: nothing is handed over, and
## nothing lost.
func _check_a_closed_inside(writer: VariantWriter, server: MultiplayerPeer, client: MultiplayerPeer) -> void:
	var inside: PacketPeer = client.call(&"get_peer", 1)
	server.disconnect_peer(client.get_unique_id())
	var until := Time.get_ticks_msec() + PATIENCE_MSEC
	while inside.call(&"get_ready_state") < 2 and Time.get_ticks_msec() < until:
		server.poll()
		inside.call(&"poll")
	check_same(client.get_connection_status(), MultiplayerPeer.CONNECTION_CONNECTED, "what is around it")
	check_error(writer.write("late"), OK, "write meanwhile")
	check(writer.get_pending_bytes() > 0, "what is late is lost")


## Tests a full PacketPeerStream, where the engine's put_packet would block until the other end reads.
func test_a_full_packet_peer_stream() -> void:
	var pair := Pair.new()
	if not check(pair.error.is_empty(), pair.error):
		return
	var near := PacketPeerStream.new()
	var far := PacketPeerStream.new()
	near.output_buffer_max_size = 1 << 19
	far.input_buffer_max_size = 1 << 20
	near.stream_peer = pair.near
	far.stream_peer = pair.far
	var writer := VariantWriter.new()
	writer.max_pending_bytes = 1 << 20
	check_error(writer.open_packet_peer(near), OK, "open_packet_peer")
	var written := 0
	while written < 200 and writer.write([written, _bytes(500000)]) == OK:
		written += 1
	check(written > 2 and written < 200, "%d values before it is full" % written)
	check_error(writer.write(1), ERR_BUSY, "one more")
	var reader := VariantReader.new()
	var got := 0
	var until := Time.get_ticks_msec() + PATIENCE_MSEC
	while got < written and Time.get_ticks_msec() < until:
		pair.poll()
		writer.flush()
		reader.feed_packet_peer(far)
		while reader.next() == OK:
			got += int(reader.data[0] == got)
	check_same([got, writer.get_pending_bytes()], [written, 0], "values that arrive, bytes that wait")


func test_a_packet_peer_stream_and_its_bounds() -> void:
	var writer := VariantWriter.new()
	var near := PacketPeerStream.new()
	check_error(writer.open_packet_peer(near), ERR_UNCONFIGURED, "without a stream")
	check(writer.get_error_message().contains("stream_peer"), writer.get_error_message())
	check_error(VariantReader.new().feed_packet_peer(near), ERR_CONNECTION_ERROR, "reading it")
	near.stream_peer = StreamPeerBuffer.new()
	check_error(writer.open_packet_peer(near), OK, "with one")
	check_error(writer.write(_bytes(65533 - 8)), ERR_OUT_OF_MEMORY, "more than its buffer")
	check(writer.get_error_message().contains("at most 65532"), writer.get_error_message())
	check_error(writer.begin_array(), OK, "begin_array")
	check_error(writer.write(_bytes(70000)), OK, "a large element")
	check_error(writer.end(), ERR_OUT_OF_MEMORY, "end of the array")
	check_error(writer.write(_bytes(65532 - 8)), OK, "as much as fits")
	check_error(writer.write([2]), OK, "and another")
	check_error(writer.close(), OK, "close")
	var engine := StreamPeerBuffer.new()
	engine.put_var(_bytes(65532 - 8))
	engine.put_var([2])
	check_bytes(near.stream_peer.data_array, engine.data_array, "what was written")


## Tests a full StreamPeerTLS, which holds the bytes that it was offered and could not send: offered more, it
## would count the rest as sent.
func test_a_full_tls_stream() -> void:
	var pair := Secure.new(true)
	if pair.near == null:
		skip("this engine was built without it")
		return
	var writer := VariantWriter.new()
	writer.max_pending_bytes = 1 << 20
	writer.open_peer(pair.near, VariantReader.FRAMING_U32)
	check_error(writer.write([0, "early"]), OK, "while it shakes hands")
	check_error(writer.flush(), ERR_BUSY, "flush meanwhile")
	if not _shakes_hands(pair):
		return
	var written := 1
	while written < 100000 and writer.write([written, _bytes(1000)]) == OK:
		written += 1
	check(written < 100000, "it is never full")
	var reader := VariantReader.new()
	reader.framing = VariantReader.FRAMING_U32
	var got := 0
	var until := Time.get_ticks_msec() + PATIENCE_MSEC
	while got < written and Time.get_ticks_msec() < until and reader.get_status() != VariantReader.BROKEN:
		pair.poll()
		writer.flush()
		reader.feed_peer(pair.far)
		while reader.next() == OK:
			got += int(reader.data[0] == got)
	check_same([got, writer.get_pending_bytes()], [written, 0], "values that arrive, bytes that wait")


## Tests DTLS: the engine ends a connection over a packet that no record of DTLS holds.
func test_dtls() -> void:
	var pair := Secure.new(false)
	if pair.near == null:
		skip("this engine was built without it")
		return
	var writer := VariantWriter.new()
	writer.open_packet_peer(pair.near)
	check_error(writer.write("early"), OK, "while it shakes hands")
	check_error(writer.flush(), ERR_BUSY, "flush meanwhile")
	if not _shakes_hands(pair):
		return
	check_error(writer.write(_bytes(16384)), ERR_OUT_OF_MEMORY, "more than a record")
	check_error(writer.flush(), OK, "flush")
	var reader := VariantReader.new()
	var until := Time.get_ticks_msec() + PATIENCE_MSEC
	while reader.next() != OK and Time.get_ticks_msec() < until:
		pair.poll()
		check_error(reader.feed_packet_peer(pair.far), OK, "feed_packet_peer")
	check_same(reader.data, "early", "what arrives")
	pair.near.disconnect_from_peer()
	check_error(writer.write("late"), ERR_CONNECTION_ERROR, "after the end")
	check_error(reader.feed_packet_peer(pair.near), ERR_CONNECTION_ERROR, "reading after the end")


## Tests a peer of each class that was never connected: the error says so, and nothing is kept.
func test_peers_without_a_connection() -> void:
	for name: StringName in [Link.WEBSOCKET, &"WebSocketMultiplayerPeer", &"WebRTCMultiplayerPeer",
			&"ENetMultiplayerPeer", &"PacketPeerDTLS", &"PacketPeerUDP", &"StreamPeerTCP", &"StreamPeerTLS"]:
		var is_there := ClassDB.class_exists(name) and ClassDB.can_instantiate(name)
		var peer: Object = ClassDB.instantiate(name) if is_there else null
		if peer == null:
			continue
		var writer := VariantWriter.new()
		var reader := VariantReader.new()
		var is_stream := peer is StreamPeer
		check_error(writer.open_peer(peer) if is_stream else writer.open_packet_peer(peer), OK, name)
		# A socket for packets is opened by the first of them, if it knows where to.
		var want := ERR_UNCONFIGURED if name == &"PacketPeerUDP" else ERR_CONNECTION_ERROR
		check_error(writer.write(1), want, name + ": write")
		check(not writer.get_error_message().is_empty(), name + ": no message")
		check_same(writer.get_pending_bytes(), 8 if is_stream else 0, name + ": bytes that wait")
		check_error(reader.feed_peer(peer) if is_stream else reader.feed_packet_peer(peer), ERR_CONNECTION_ERROR,
				name + ": feed")
	var writer := VariantWriter.new()
	writer.open_peer(StreamPeerGZIP.new())
	check_error(writer.write(1), ERR_UNCONFIGURED, "a StreamPeerGZIP that was not started")


func _check_arrival(writer: VariantWriter, written: Array, from: Link, to: Link) -> void:
	var reader := VariantReader.new()
	reader.codec.limits = VariantLimits.save_file()
	var got := []
	var until := Time.get_ticks_msec() + PATIENCE_MSEC
	while got.size() < written.size() and Time.get_ticks_msec() < until:
		from.poll()
		to.poll()
		writer.flush()
		if to.peer != null:
			reader.feed_packet_peer(to.peer)
		while reader.next() == OK:
			got.append(reader.data)
	check_same(got, written, "what arrives, of %d" % written.size())
	check_same(writer.get_pending_bytes(), 0, "bytes that still wait")


## Waits until the engine's own buffer is empty.
func _drain(pair: Array[Link]) -> void:
	var until := Time.get_ticks_msec() + PATIENCE_MSEC
	while pair[1].peer.get_current_outbound_buffered_amount() > 0 and Time.get_ticks_msec() < until:
		pair[1].poll()
		pair[0].poll()


func _shakes_hands(pair: Secure) -> bool:
	var until := Time.get_ticks_msec() + PATIENCE_MSEC
	while not pair.is_ready() and Time.get_ticks_msec() < until:
		pair.poll()
	return check(pair.is_ready(), "no connection within %d ms" % PATIENCE_MSEC)


## Makes a connected server and client, with the engine's own buffers; nothing where the engine lacks
## WebSockets.
func _websockets() -> Array[Link]:
	if not ClassDB.class_exists(Link.WEBSOCKET):
		skip("this engine was built without it")
		return []
	var far := _link("websocket")
	var near := _link("websocket", far.port)
	if not _connect(near, far):
		return []
	near.peer.outbound_buffer_size = 1 << 16
	return [far, near]


func _link(kind: String, port := 0) -> Link:
	var link := Link.new(kind, port)
	_links.append(link)
	return link


func _connect(near: Link, far: Link) -> bool:
	var until := Time.get_ticks_msec() + PATIENCE_MSEC
	while Time.get_ticks_msec() < until:
		near.poll()
		far.poll()
		if near.is_ready() and far.is_ready():
			return true
	return fail("no connection within %d ms" % PATIENCE_MSEC)


static func _bytes(count: int) -> PackedByteArray:
	var bytes := PackedByteArray()
	bytes.resize(count)
	return bytes
