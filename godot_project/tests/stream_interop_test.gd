extends "engine_suite.gd"
## Tests our writer with the engine's get_var, and the engine's put_var with our reader, over every kind of
## peer. The engine runs in a process of its own (stream/echo.gd). reader_test.gd and writer_test.gd have
## files.

## The reason why run.gd skips this suite in a packed game.
const EDITOR_ONLY := "starts scripts of the checkout"
const ONCE := "is about sockets and processes"

const EngineProcess := preload("load/engine_process.gd")
const Link := preload("stream/link.gd")
const ValueGenerator := preload("res://addons/variant_stream/ci/value_generator.gd")

const PATIENCE_MSEC := 20000
const LARGEST := 20000


func test_tcp() -> void:
	_exchange("tcp", VariantReader.FRAMING_U32)


func test_tcp_in_big_endian() -> void:
	_exchange("tcp_big_endian", VariantReader.FRAMING_U32_BE)


func test_packet_peer_stream() -> void:
	_exchange("packet_stream", VariantReader.FRAMING_NONE)


func test_udp() -> void:
	_exchange("udp", VariantReader.FRAMING_NONE)


func test_enet() -> void:
	_exchange("enet", VariantReader.FRAMING_NONE)


func test_websocket() -> void:
	if not ClassDB.class_exists(Link.WEBSOCKET):
		skip("this engine was built without it")
		return
	_exchange("websocket", VariantReader.FRAMING_NONE)


## Sends every value and waits for it to come back before the next one, since UDP may lose packets that are
## sent in a burst.
func _exchange(kind: String, framing: int) -> void:
	var link := Link.new(kind)
	var words := EngineProcess.command("res://tests/stream/echo.gd", [kind, str(link.port)])
	var pid := OS.create_process(words[0], words.slice(1))
	check(pid > 0, "no process")
	if check(_until(link.is_ready, link), kind + ": nobody connects"):
		var reader := VariantReader.new()
		reader.framing = framing
		reader.codec.strictness = VariantCodec.ENGINE
		reader.codec.limits = VariantLimits.engine()
		var writer := VariantWriter.new()
		writer.codec.limits = VariantLimits.engine()
		if link.connects_first():
			check(_until(_receives.bind(link, reader), link) and reader.data == "hello", "no hello")
			if kind == "udp":
				link.peer.set_dest_address("127.0.0.1", link.peer.get_packet_port())
		var opened := writer.open_peer(link.peer, framing) if link.peer is StreamPeer else (
				writer.open_packet_peer(link.peer))
		check_error(opened, OK, "open")
		_send_all(kind, link, reader, writer)
	link.close()
	OS.kill(pid)


func _send_all(kind: String, link: Link, reader: VariantReader, writer: VariantWriter) -> void:
	var values := _exchanged()
	values.append("bye")
	var right := 0
	for value: Variant in values:
		check_error(writer.write(value), OK, "write")
		var came := _until(_receives.bind(link, reader, writer), link)
		# Values are compared as bytes, because the engine cannot print a very deep value without an error.
		if not check(came, "%s: a value does not come back: %s" % [kind, reader.get_error()]):
			print(var_to_bytes(value).hex_encode())
			return
		right += int(var_to_bytes(reader.data) == var_to_bytes(bytes_to_var(var_to_bytes(value))))
	check_same(right, values.size(), kind + ": values that came back as they went")


func _receives(link: Link, reader: VariantReader, writer: VariantWriter = null) -> bool:
	if writer != null:
		writer.flush()
	if link.peer is StreamPeer:
		reader.feed_peer(link.peer)
	else:
		reader.feed_packet_peer(link.peer)
	return reader.next() == OK


func _until(condition: Callable, link: Link) -> bool:
	var until := Time.get_ticks_msec() + PATIENCE_MSEC
	while Time.get_ticks_msec() < until:
		link.poll()
		if condition.call():
			return true
		OS.delay_usec(50)
	return false


## Makes values that an engine reads and writes back unchanged.
func _exchanged() -> Array:
	var generator := ValueGenerator.new()
	var values := []
	for case in (3000 if long else 400):
		var value: Variant = generator.make(7, case)
		var bytes := PackedByteArray() if generator.has_objects else var_to_bytes(value)
		if not bytes.is_empty() and bytes.size() < LARGEST and var_to_bytes(bytes_to_var(bytes)) == bytes:
			values.append(value)
	generator.free_live()
	check(values.size() > 200, "%d values" % values.size())
	return values
