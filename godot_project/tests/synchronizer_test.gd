extends "engine_suite.gd"
## Tests a client with authority over a MultiplayerSynchronizer. The setter of docs/MIGRATING.md decides which
## of its values are accepted.

## The reason why run.gd skips this suite in a packed game.
const EDITOR_ONLY := "reads the documents of the checkout"
const ONCE := "is about sockets"

const DocBlocks := preload("doc_blocks.gd")

const NAME := "Hero"


func test_what_a_client_with_authority_sends() -> void:
	check_same(_received("position", [Vector2(3, 4), Vector2(NAN, INF)]), [Vector2(3, 4), Vector2(NAN, INF)],
			"the engine takes it all")
	check_same(_received("sent_position", [Vector2(3, 4), Vector2(NAN, INF), Vector2(1e6, 0), Vector2(5, 4)]),
			[Vector2(3, 4), Vector2(3, 4), Vector2(3, 4), Vector2(5, 4)], "the documented setter takes what is right")


## Returns the position on the server after each value that the client gives the replicated property.
func _received(property: String, values: Array) -> Array:
	var script := GDScript.new()
	script.source_code = _documented()
	check_error(script.reload(), OK, "it compiles")
	var heroes: Array[Node2D] = [_hero(script, property), _hero(script, property)]
	var server: SceneMultiplayer = heroes[0].multiplayer
	var client: SceneMultiplayer = heroes[1].multiplayer
	var peers: Array[ENetMultiplayerPeer] = [ENetMultiplayerPeer.new(), ENetMultiplayerPeer.new()]
	var port := 20000 + (OS.get_process_id() + 11) % 20000
	check_error(peers[0].create_server(port), OK, "the server is made")
	check_error(peers[1].create_client("127.0.0.1", port), OK, "the client is made")
	server.multiplayer_peer = peers[0]
	client.multiplayer_peer = peers[1]
	for hero in heroes:
		hero.get_child(0).set_multiplayer_authority(client.get_unique_id())
	check(_poll_until([server, client], func() -> bool: return 1 in client.get_peers()), "they do not connect")
	var received := []
	for value: Vector2 in values:
		heroes[1].set(property, value)
		_poll_until([server, client], func() -> bool: return false, 60)
		received.append(heroes[0].position)
	for peer in peers:
		peer.close()
	for hero in heroes:
		DocBlocks.strike(hero.get_parent())
	return received


func _documented() -> String:
	var page := FileAccess.get_file_as_string(ProjectSettings.globalize_path("res://../docs/MIGRATING.md"))
	var examples := DocBlocks.in_markdown(page).filter(
			func(block: Dictionary) -> bool: return block.text.contains("sent_position"))
	check_same(examples.size(), 1, "examples with sent_position")
	var text: String = examples[0].text
	return DocBlocks.source(text.left(text.find("func _ready()")))


func _hero(script: GDScript, property: String) -> Node2D:
	var hero: Node2D = script.new()
	hero.name = NAME
	var synchronizer := MultiplayerSynchronizer.new()
	synchronizer.name = "Synchronizer"
	var config := SceneReplicationConfig.new()
	config.add_property(NodePath(".:" + property))
	synchronizer.replication_config = config
	hero.add_child(synchronizer)
	DocBlocks.stage(hero)
	return hero


func _poll_until(apis: Array[SceneMultiplayer], holds: Callable, turns := 2000) -> bool:
	for turn in turns:
		for api in apis:
			api.poll()
		if holds.call():
			return true
		OS.delay_msec(1)
	return false
