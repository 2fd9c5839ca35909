extends "engine_suite.gd"
## Tests what a reader takes from peers that are at their end, flood it, or answer nonsense. It is bounded,
## never waits, and gives the engine nothing to log. stream_peers_test.gd has peers that are only written to.

## The reason why this runs once: see run.gd.
const ONCE := "is about sockets"
const NEEDS := {"*": "sockets"}
const Link := preload("stream/link.gd")
const Pair := preload("stream/pair.gd")
const ScriptedPeer := preload("stream/scripted_peer.gd")
const ScriptedStream := preload("stream/scripted_stream.gd")

const PATIENCE_MSEC := 20000


## Tests more packets before the end than the engine's buffer holds: all of them are read.
func test_packets_that_came_before_the_end() -> void:
	var pair := Pair.new()
	if not check(pair.error.is_empty(), pair.error):
		return
	var near := PacketPeerStream.new()
	near.stream_peer = pair.near
	var far := PacketPeerStream.new()
	far.stream_peer = pair.far
	var writer := VariantWriter.new()
	writer.open_packet_peer(near)
	for i in 40:
		check_error(writer.write([i, _bytes(5000)]), OK, "write")
	var reader := VariantReader.new()
	var got := 0
	var code := OK
	var until := Time.get_ticks_msec() + PATIENCE_MSEC
	while writer.close() == ERR_BUSY and Time.get_ticks_msec() < until:
		reader.feed_packet_peer(far)
	pair.near.disconnect_from_host()
	while code == OK and Time.get_ticks_msec() < until:
		code = reader.feed_packet_peer(far)
		while reader.next() == OK:
			got += int(reader.data[0] == got)
	check_same(got, 40, "packets")
	check_error(code, ERR_CONNECTION_ERROR, "behind them")
	check_error(reader.feed_packet_peer(far), ERR_CONNECTION_ERROR, "once more")
	check(reader.get_error_message().contains("not connected"), reader.get_error_message())


func test_bytes_that_came_before_the_end() -> void:
	var pair := Pair.new()
	if not check(pair.error.is_empty(), pair.error):
		return
	var writer := VariantWriter.new()
	writer.open_peer(pair.near, VariantReader.FRAMING_U32)
	writer.write("last words")
	pair.near.disconnect_from_host()
	var reader := VariantReader.new()
	reader.framing = VariantReader.FRAMING_U32
	var until := Time.get_ticks_msec() + PATIENCE_MSEC
	while reader.next() != OK and Time.get_ticks_msec() < until:
		pair.far.poll()
		check_error(reader.feed_peer(pair.far), OK, "feed_peer")
	check_same(reader.data, "last words", "what came")
	while pair.far.get_status() == StreamPeerTCP.STATUS_CONNECTED and Time.get_ticks_msec() < until:
		pair.far.poll()
	check_error(reader.feed_peer(pair.far), ERR_CONNECTION_ERROR, "behind it")


## Tests that a call takes a bounded number of packets, whatever the peer has.
func test_a_flood_of_packets() -> void:
	var peer := ScriptedPeer.new()
	peer.count = 1 << 30
	for size: int in [100000, 4]:
		var reader := VariantReader.new()
		peer.packet = _bytes(size)
		peer.taken = 0
		check_error(reader.feed_packet_peer(peer), OK, "feed_packet_peer")
		var taken := peer.taken
		check(taken > 10 and taken * size < 1200000, "%d packets of %d bytes" % [taken, size])
		check_error(reader.feed_packet_peer(peer), OK, "another time")
		check_same(peer.taken, taken, "packets after another time")


func test_a_packet_larger_than_the_limit() -> void:
	var peer := ScriptedPeer.new()
	var reader := VariantReader.new()
	reader.codec.limits = VariantLimits.network()
	for packet: PackedByteArray in [_bytes(reader.codec.limits.max_bytes + 1), var_to_bytes("next")]:
		peer.count = 1
		peer.packet = packet
		check_error(reader.feed_packet_peer(peer), OK, "feed_packet_peer")
		if packet.size() > 100:
			check_error(reader.next(), ERR_OUT_OF_MEMORY, "the large one")
			check_same(reader.get_status(), VariantReader.REJECTED, "status")
			check_error(reader.next(), ERR_UNAVAILABLE, "what is left of it")
	check_error(reader.next(), OK, "the next one")
	check_same(reader.data, "next", "the next one")


## Tests packets that are announced and not there, and impossible counts.
func test_a_peer_that_answers_nonsense() -> void:
	var peer := ScriptedPeer.new()
	var reader := VariantReader.new()
	for count: int in [1 << 30, -1, -(1 << 30)]:
		peer.count = count
		check_error(reader.feed_packet_peer(peer), OK, "%d packets, none of them there" % count)
		check_error(reader.next(), ERR_UNAVAILABLE, "next")
		check_same(reader.get_status(), VariantReader.NEED_MORE, "status")
	var writer := VariantWriter.new()
	writer.open_packet_peer(peer)
	for case: Array in [[ERR_BUSY, OK, 8], [ERR_OUT_OF_MEMORY, OK, 16], [12345, FAILED, 8], [OK, OK, 0]]:
		peer.answer = case[0]
		check_error(writer.write(1), case[1], "put_packet answers %d" % case[0])
		check_same(writer.get_pending_bytes(), case[2], "bytes that wait")
	check_same(peer.sent.size(), 2, "packets sent")
	peer.set("status", 77)
	check_error(writer.write(1), ERR_CONNECTION_ERROR, "a status of 77")
	peer.count = 0
	check_error(reader.feed_packet_peer(peer), ERR_CONNECTION_ERROR, "reading at a status of 77")


func test_a_stream_that_answers_nonsense() -> void:
	var stream := ScriptedStream.new()
	var reader := VariantReader.new()
	check_error(reader.feed_peer(stream), OK, "nothing there")
	stream.there = -1
	check_error(reader.feed_peer(stream), OK, "-1 bytes there")
	for given: Array in [[], [OK], ["x", 5], [OK, 5], [OK, _bytes(200)], [77, _bytes(1)], [ERR_BUG, _bytes(1)]]:
		stream.there = 100
		stream.given = given
		check_error(reader.feed_peer(stream), ERR_BUG if given.has(ERR_BUG) else FAILED, "it gives %s" % [given])
		check(not reader.get_error_message().is_empty(), "no message")
	stream.there = 1 << 62
	stream.given = [OK, _bytes(1 << 16)]
	check_error(reader.feed_peer(stream), OK, "more than there is memory")
	for taken: Array in [[], [OK], ["x", 5], [OK, "text"], [77, 5]]:
		var writer := VariantWriter.new()
		writer.open_peer(stream)
		stream.taken = taken
		check_error(writer.write(1), FAILED, "it takes %s" % [taken])
	for case: Array in [[[OK, -5], 8], [[OK, 0], 8], [[OK, 3], 5], [[OK, 100], 0], [[ERR_BUSY, 5], 8]]:
		var writer := VariantWriter.new()
		writer.open_peer(stream)
		stream.taken = case[0]
		check_error(writer.write(1), OK, "it takes %s" % [case[0]])
		check_same(writer.get_pending_bytes(), case[1], "bytes that wait")


## Tests a peer without other references: it lives as long as the object that talks to it.
func test_a_peer_that_is_let_go() -> void:
	var far := PacketPeerUDP.new()
	far.bind(0, "127.0.0.1")
	var near := PacketPeerUDP.new()
	near.connect_to_host("127.0.0.1", far.get_local_port())
	var writer := VariantWriter.new()
	writer.open_packet_peer(near)
	near = null
	check_error(writer.write("hello"), OK, "write")
	var reader := VariantReader.new()
	var until := Time.get_ticks_msec() + PATIENCE_MSEC
	while reader.next() != OK and Time.get_ticks_msec() < until:
		check_error(reader.feed_packet_peer(far), OK, "feed_packet_peer")
	check_same(reader.data, "hello", "what came")
	far.close()
	check_error(reader.feed_packet_peer(far), ERR_CONNECTION_ERROR, "a closed socket")
	far = null
	check_error(reader.feed_packet_peer(far), ERR_INVALID_PARAMETER, "no peer")


static func _bytes(count: int) -> PackedByteArray:
	var bytes := PackedByteArray()
	bytes.resize(count)
	return bytes
