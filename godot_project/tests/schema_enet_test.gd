extends "engine_suite.gd"
## Tests a server that decodes under a schema, with a hostile client over ENet. Both are in enet/.

## The reason why run.gd skips this suite in a packed game.
const EDITOR_ONLY := "starts scripts of the checkout"
const ONCE := "is about sockets and processes"

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


## Runs the receiver of docs/PACKETS.md in a process of its own under the three attacks, step by step; then a VariantProtocol, and
## an RPC that anybody may call, which they have to hurt. With --long, the attackers are processes and frames take their time.
func test_three_attacks_on_the_documented_receiver() -> void:
	for receiver: String in ["documented", "protocol", "rpc"]:
		var words := EngineProcess.command("res://tests/enet/attacked_server.gd", ["--receiver=" + receiver] + ([] if long else ["--keys=8000", "--stepped"]))
		var output := []
		var code := OS.execute(words[0], words.slice(1), output)
		var text := str(output[0]).strip_edges() if not output.is_empty() else ""
		check(code == 0 and text.ends_with("PASS"), "%s: the server ended with %d:\n%s" % [receiver, code, text])


## Tests that the table of docs/PACKETS.md is what the command beside it prints.
func test_bytes_on_the_wire() -> void:
	var words := EngineProcess.command("res://tests/enet/wire_size.gd", [])
	var output := []
	var code := OS.execute(words[0], words.slice(1), output)
	var rows := str(output[0]).split("\n", false)
	check(code == 0 and rows.size() == 7, "it ended with %d: %s" % [code, output])
	var page := FileAccess.get_file_as_string(ProjectSettings.globalize_path("res://../docs/PACKETS.md"))
	check(page.contains("| Sent as | Bytes |\n|---|--:|\n" + "\n".join(rows) + "\n\n"), "the page has another table than\n%s" % output[0])


## Runs the script of docs/PACKETS.md as server and as client, and a hostile client: packets that fit come
## through, others disconnect their sender, and packets of the hostile client to the other client are not
## accepted, with the engine's relay or without.
func test_the_documented_receiver_on_both_sides() -> void:
	for relay: bool in [false, true]:
		_play_both_sides(relay)


func _play_both_sides(relay: bool) -> void:
	var script := _example("peer_packet.connect(", {"use(codec.data)": "said.append(str(codec.data))"})
	var sides: Array[Node] = [_on_stage(script), _on_stage(script)]
	var server: SceneMultiplayer = sides[0].multiplayer
	var client: SceneMultiplayer = sides[1].multiplayer
	var hostile := SceneMultiplayer.new()
	check(not server.server_relay and not client.server_relay, "the script leaves the relay on")
	_connect_all([server, client, hostile], relay)
	var meet := func() -> bool:
		hostile.poll()
		return client.get_peers().size() == 1 + int(relay) and server.get_peers().size() == 2 and not hostile.get_peers().is_empty()
	var pass_time := func() -> bool:
		hostile.poll()
		return false
	check(_run_until(sides, meet), "they do not connect")
	sides[1].send({"seq": 3, "dir": Vector2.RIGHT, "act": "jump"})
	sides[1].send({"seq": 4, "dir": Vector2(7, 0), "act": "jump"})
	var move := var_to_bytes({"seq": 5, "dir": Vector2.RIGHT, "act": "jump"})
	hostile.multiplayer_peer.set_target_peer(1)
	hostile.multiplayer_peer.put_packet(_relayed(client.get_unique_id(), move))
	_run_until(sides, pass_time, 40)
	check_same(sides[0].said, PackedStringArray([str({"seq": 3, "dir": Vector2.RIGHT, "act": "jump"})]), "what comes through")
	check_same(sides[1].said.size(), 0, "moves of another client that are taken")
	hostile.send_bytes(PackedByteArray([99]), 1)
	hostile.send_bytes(move, 1)
	_run_until(sides, pass_time, 40)
	check_same(server.get_peers(), PackedInt32Array([client.get_unique_id()]), "peers that stay")
	check_same(sides[0].said.size(), 1, "moves that are taken")
	check_same(sides[0].refused, {VariantCodec.INCOMPLETE: 1}, "what is refused")
	for api: SceneMultiplayer in [hostile, client, server]:
		api.multiplayer_peer.close()
	for side in sides:
		DocBlocks.strike(side.get_parent())


## Connects the peers; the first one serves the others.
func _connect_all(apis: Array[SceneMultiplayer], relay: bool) -> void:
	var port := 20000 + (OS.get_process_id() + 7) % 20000
	for api in apis:
		var peer := ENetMultiplayerPeer.new()
		var is_first := api == apis[0]
		check_error(peer.create_server(port) if is_first else peer.create_client("127.0.0.1", port), OK, "the peer is made")
		api.server_relay = relay
		api.multiplayer_peer = peer


## Makes a command of SceneMultiplayer that asks to pass a raw packet on to `target`.
func _relayed(target: int, packet: PackedByteArray) -> PackedByteArray:
	var command := PackedByteArray([7, 3, 0, 0, 0, 0, 3])
	command.encode_s32(2, target)
	return command + packet


## Runs the script of docs/PACKETS.md with a peer of its own on both sides: packets that fit come through,
## others disconnect their client, and nothing is logged before the peers are made, while they connect, and
## afterwards.
func test_the_documented_script() -> void:
	var script := _example("ENetMultiplayerPeer.new()", {
		"use(codec.data)": "said.append(str(codec.data))", "kick(sender)": "peer.disconnect_peer(sender)"})
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


## Compiles the one example of the page that has this text, with a game's own parts filled in.
func _example(text: String, parts: Dictionary) -> GDScript:
	var page := FileAccess.get_file_as_string(ProjectSettings.globalize_path("res://../docs/PACKETS.md"))
	var examples := DocBlocks.in_markdown(page).filter(
			func(block: Dictionary) -> bool: return block.text.contains(text))
	check_same(examples.size(), 1, "examples with " + text)
	var example: String = examples[0].text
	for part: String in parts:
		check(example.contains(part), "the example has no " + part)
		example = example.replace(part, parts[part])
	var script := GDScript.new()
	script.source_code = DocBlocks.source(example)
	check_error(script.reload(), OK, "it compiles")
	return script


func _on_stage(script: GDScript) -> Node:
	var node: Node = script.new()
	DocBlocks.stage(node)
	return node


func _run_until(sides: Array[Node], holds: Callable, turns := 2000) -> bool:
	for turn in turns:
		for side in sides:
			side._process(0.0)
		if holds.call():
			return true
		OS.delay_msec(1)
	return false
