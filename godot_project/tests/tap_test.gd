extends "suite.gd"
## Tests VariantStream.tap, and what codecs, readers and protocols show: silent without a debugger, and messages with one.
## The test is the debugger: it listens where the editor would, and reads the engine's protocol with a VariantReader.

## The reason why run.gd skips this suite in a packed game.
const EDITOR_ONLY := "starts scripts of the checkout"
const ONCE := "is about sockets and the debugger"

const EngineProcess := preload("load/engine_process.gd")
const PATIENCE_MSEC := 20000

var _refusals := []
var _accepted := []
var _messages := []
var _traffic := []


func test_silent_without_a_debugger() -> void:
	for argument: Variant in [PackedByteArray([1, 2]), null, "text", 5, []]:
		VariantStream.tap(argument, "label")
		VariantStream.tap(PackedByteArray(), argument)
	check(not EngineDebugger.is_active(), "this test runs under a debugger")


func test_arrives_at_the_debugger() -> void:
	var server := TCPServer.new()
	check_error(server.listen(0, "127.0.0.1"), OK, "listen")
	var words := EngineProcess.command("res://tests/inspector/tapper.gd", [])
	words.insert(words.find("-s"), "tcp://127.0.0.1:%d" % server.get_local_port())
	words.insert(words.find("-s") - 1, "--remote-debug")
	var game := OS.create_process(words[0], words.slice(1))
	var taps := _taps(server)
	OS.kill(game)
	check_same(taps.map(func(tap: Array) -> Variant: return tap[0]),
			["save", "nothing", "", "x".repeat(120), "large"], "labels")
	if taps.size() == 5:
		check_bytes(taps[0][2], var_to_bytes({"hp": 80}), "bytes")
		check_same(taps.map(func(tap: Array) -> Variant: return tap[1]), [28, 0, 8, 1, 5 << 20], "sizes")
		check_same(taps[4][2].size(), 4 << 20, "what is shown of many")
	check(_accepted.size() >= 10 and _accepted.size() <= 20, "%d of 30 that were accepted are shown" % _accepted.size())
	for accepted: Array in _accepted.slice(0, 1):
		check_same(accepted, ["VariantCodec", 28, var_to_bytes({"hp": 80})], "what a codec accepted")
	check(_refusals.size() >= 50 and _refusals.size() <= 150, "%d refusals of 302 are shown" % _refusals.size())
	check_same(_refusals.slice(0, 3), [
		["VariantReader", 28, var_to_bytes({"hp": 102}), "hp: expected int 0..100, got int 102 (byte 20)"],
		["VariantReader", 6, PackedByteArray([4, 0, 0, 0, 9, 0]), "(root): String is truncated: 4 bytes needed, 2 left (byte 4)"],
		["VariantCodec", 28, var_to_bytes({"hp": 101}), "hp: expected int 0..100, got int 101 (byte 20)"],
	], "refusals")
	_check_messages()


## Checks what a protocol showed of three messages, and its counts.
func _check_messages() -> void:
	var hit := var_to_bytes({"damage": 5})
	check_same(_messages, [
		["hit", false, 7, 2, 32, hit, ""],
		["hit", false, 7, 2, 2, PackedByteArray([1, 255]), "hit.damage: expected int 1..99, got bits of something else (bit 0)"],
		["hit", true, 1, 2, 32, hit, ""],
	], "messages")
	check_same(_traffic, [[{"hit": PackedInt64Array([1, 2, 0, 0, 1])}], [{"hit": PackedInt64Array([0, 0, 1, 2, 0])}]], "counts")


## Returns the taps that the game sent until it ended, or until all of them had come.
func _taps(server: TCPServer) -> Array:
	var taps := []
	var lists := {"tap": taps, "refused": _refusals, "accepted": _accepted, "message": _messages, "traffic": _traffic}
	var reader := VariantReader.new()
	reader.framing = VariantReader.FRAMING_U32
	reader.codec.limits = VariantLimits.engine()
	var tcp: StreamPeerTCP
	var until := Time.get_ticks_msec() + PATIENCE_MSEC
	while taps.size() < 5 and Time.get_ticks_msec() < until:
		if tcp == null:
			tcp = server.take_connection() if server.is_connection_available() else null
		else:
			tcp.poll()
			reader.feed_peer(tcp)
			while reader.next() == OK:
				var kind: String = str(reader.data[0]).trim_prefix("variant_stream:") if reader.data is Array else ""
				if kind in lists:
					lists[kind].append(reader.data[2] if reader.data.size() == 3 else reader.data[1])
		OS.delay_msec(2)
	return taps
