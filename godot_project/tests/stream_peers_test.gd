extends "engine_suite.gd"
## Peers that are not ready: full, connecting, closed, or nonsense. What is written to them waits or is refused, nothing is
## lost or sent twice, nothing waits for them, and the engine has nothing to log. Who reads what is
## stream_interop_test.gd's.

const Secure := preload("stream/secure.gd")

const PATIENCE_MSEC := 20000


## A StreamPeerTLS holds what it was offered and could not send: offered more, it would count the rest as sent.
func test_a_full_tls_stream() -> void:
	var pair := Secure.new(true)
	if not _shakes_hands(pair):
		return
	var writer := VariantWriter.new()
	writer.max_pending_bytes = 1 << 20
	writer.open_peer(pair.near, VariantReader.FRAMING_U32)
	var written := 0
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


func _shakes_hands(pair: Secure) -> bool:
	if pair.near == null:
		check(true, "this engine was built without it")
		return false
	var until := Time.get_ticks_msec() + PATIENCE_MSEC
	while not pair.is_ready() and Time.get_ticks_msec() < until:
		pair.poll()
	return check(pair.is_ready(), "no connection within %d ms" % PATIENCE_MSEC)


static func _bytes(count: int) -> PackedByteArray:
	var bytes := PackedByteArray()
	bytes.resize(count)
	return bytes
