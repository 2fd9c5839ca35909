extends "engine_suite.gd"
## Tests a server that decodes under a schema, with a hostile client over ENet. Both are in enet/.

## The reason why run.gd skips this suite in a packed game.
const EDITOR_ONLY := "starts scripts of the checkout"

const DocBlocks := preload("doc_blocks.gd")
const EngineProcess := preload("load/engine_process.gd")


## Tests 4 000 packets and every answer; --long tests 20 000, and the time of a frame.
func test_a_server_under_a_hostile_client() -> void:
	var options := ["--packets=20000"] if long else ["--packets=4000", "--rate=4000", "--no-gate"]
	var words := EngineProcess.command("res://tests/enet/server.gd", options)
	var output := []
	var code := OS.execute(words[0], words.slice(1), output, true)
	var text := str(output[0]).strip_edges() if not output.is_empty() else ""
	check(code == 0 and text.ends_with("PASS"), "the server ended with %d:\n%s" % [code, text])


## Runs the script of docs/PACKETS.md on both sides: packets that fit come through, others disconnect their
## client, and nothing is logged before, while and after they connect.
func test_the_documented_script() -> void:
	var page := FileAccess.get_file_as_string(ProjectSettings.globalize_path("res://../docs/PACKETS.md"))
	var examples := DocBlocks.in_markdown(page).filter(
			func(block: Dictionary) -> bool: return block.text.contains("ENetMultiplayerPeer.new()"))
	check_same(examples.size(), 1, "examples with a peer")
	var script := GDScript.new()
	var example: String = examples[0].text.replace("use(codec.data)", "said.append(str(codec.data))")
	script.source_code = DocBlocks.source(example.replace("kick(sender)", "peer.disconnect_peer(sender)"))
	check_error(script.reload(), OK, "it compiles")
	var sides: Array[Node] = [script.new(), script.new()]
	var server := sides[0]
	var client := sides[1]
	for side in sides:
		side.codec.schema = VariantSchema.dict({"seq": VariantSchema.int(0, 9)})
		side._process(0.0)
	client.send({"seq": 1})
	var port := 20000 + OS.get_process_id() % 20000
	check_error(server.peer.create_server(port), OK, "the server is made")
	check_error(client.peer.create_client("127.0.0.1", port), OK, "the client is made")
	client.send({"seq": 2})
	check(_run_until(sides, func() -> bool: return not server.peer.host.get_peers().is_empty() and (
			client.peer.get_connection_status() == MultiplayerPeer.CONNECTION_CONNECTED)), "they do not connect")
	client.send({"seq": 3})
	client.send({"seq": 10})
	check(_run_until(sides, func() -> bool: return not server.said.is_empty()), "nothing comes through")
	check_same(server.said, PackedStringArray(["{ \"seq\": 3 }"]), "what comes through")
	client.peer.put_packet(PackedByteArray([99]))
	check(_run_until(sides, func() -> bool: return client.peer.get_connection_status() == MultiplayerPeer.CONNECTION_DISCONNECTED),
			"the client stays")
	client.send({"seq": 4})
	_run_until(sides, func() -> bool: return false, 20)
	check_same(server.said.size(), 1, "packets that came through")
	for side in sides:
		side.peer.close()
		side.free()


func _run_until(sides: Array[Node], holds: Callable, turns := 2000) -> bool:
	for turn in turns:
		for side in sides:
			side._process(0.0)
		if holds.call():
			return true
		OS.delay_msec(1)
	return false
