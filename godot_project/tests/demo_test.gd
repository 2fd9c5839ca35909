extends "suite.gd"
## Runs the example scenes of demo/, each in a process of its own without a window, and checks that they do
## what they say. The chat server has hostile guests meanwhile.

## The reason why run.gd skips this suite in a packed game.
const EDITOR_ONLY := "starts scripts of the checkout"
const ONCE := "is about scenes of the demo, each a process"

const EngineProcess := preload("load/engine_process.gd")
const PATIENCE_MSEC := 20000


func test_replay() -> void:
	var output := []
	var words := EngineProcess.scene_command("res://demo/replay/replay.tscn", ["--frames=40"])
	var code := OS.execute(words[0], words.slice(1), output, true)
	var said := str(output[0]).strip_edges()
	check(code == 0 and said == "recorded 40 frames, played 40, 0 differ", "it ended with %d: %s" % [code, said])


## The goals of the benchmark of motion: what its scene measures is what docs/STATES.md says.
func test_motion_costs_what_the_document_says() -> void:
	var output := []
	var words := EngineProcess.scene_command("res://demo/motion/motion.tscn", ["--measure"])
	var code := OS.execute(words[0], words.slice(1), output, true)
	var said := str(output[0])
	check(code == 0, "it ended with %d: %s" % [code, said])
	for line: String in [
		"var_to_bytes: 661.4",
		"packed in full: 73.3",
		"1 ticks old: from one state 32.3, from two 10.5",
		"3 ticks old: from one state 41.4, from two 11.4",
		"6 ticks old: from one state 47.9, from two 12.7",
		"66 ms each way: 12.5, with 5 % loss 12.7",
	]:
		check(line in said, "%s: %s" % [line, said])


func test_chat_with_hostile_guests() -> void:
	var port := _free_port()
	var words := EngineProcess.scene_command("res://demo/chat/server.tscn", ["--port=%d" % port, "--slowest=1"])
	var server := OS.create_process(words[0], words.slice(1))
	var giant := _guest(port, PackedByteArray([255, 255, 255, 127]))
	var garbage := _guest(port, PackedByteArray([4, 0, 0, 0, 99, 0, 0, 0]), 5)
	var stranger := _guest(port, PackedByteArray([4, 0, 0, 0, 0, 0, 0, 0]), 5)
	var loris := _guest(port, PackedByteArray([200, 0]))
	# These are the length of a message and its first word: as many bytes are missing as a new message's
	# length has.
	var worded := _guest(port, PackedByteArray([8, 0, 0, 0, 2, 0, 0, 0]))
	var silent := _guest(port, PackedByteArray())
	var half := _guest(port, PackedByteArray([200, 0, 0, 0, 27, 0]))
	half.disconnect_from_host()
	check(_ends(giant), "a frame of 2 GB: still connected")
	check(_ends(garbage), "five frames of garbage: still connected")
	check(_ends(stranger), "five messages of another kind: still connected")
	var output := []
	words = EngineProcess.scene_command("res://demo/chat/client.tscn", ["--port=%d" % port, "--name=Ann", "--say=hello"])
	var code := OS.execute(words[0], words.slice(1), output, true)
	check(code == 0 and str(output[0]).strip_edges() == "Ann: hello", "Ann ended with %d: %s" % [code, output])
	check(_ends(loris), "two bytes and then nothing: still connected")
	check(_ends(worded), "a length, a word and then nothing: still connected")
	silent.poll()
	check(silent.get_status() == StreamPeerTCP.STATUS_CONNECTED, "who says nothing has to go")
	check(OS.is_process_running(server), "the server is gone")
	OS.kill(server)


## Connects, once the server is up, and sends the bytes `times` times.
func _guest(port: int, bytes: PackedByteArray, times := 1) -> StreamPeerTCP:
	var until := Time.get_ticks_msec() + PATIENCE_MSEC
	while Time.get_ticks_msec() < until:
		var tcp := StreamPeerTCP.new()
		tcp.connect_to_host("127.0.0.1", port)
		while tcp.get_status() == StreamPeerTCP.STATUS_CONNECTING:
			tcp.poll()
			OS.delay_msec(1)
		if tcp.get_status() == StreamPeerTCP.STATUS_CONNECTED:
			for i in times:
				tcp.put_data(bytes)
			return tcp
		OS.delay_msec(20)
	fail("nobody listens")
	return StreamPeerTCP.new()


func _ends(tcp: StreamPeerTCP) -> bool:
	var until := Time.get_ticks_msec() + PATIENCE_MSEC
	while Time.get_ticks_msec() < until and tcp.get_status() == StreamPeerTCP.STATUS_CONNECTED:
		tcp.poll()
		if tcp.get_status() == StreamPeerTCP.STATUS_CONNECTED and tcp.get_available_bytes() > 0:
			tcp.get_partial_data(tcp.get_available_bytes())  # the end is behind what was sent
		OS.delay_msec(1)
	return tcp.get_status() != StreamPeerTCP.STATUS_CONNECTED


static func _free_port() -> int:
	var probe := TCPServer.new()
	probe.listen(0, "127.0.0.1")
	return probe.get_local_port()
