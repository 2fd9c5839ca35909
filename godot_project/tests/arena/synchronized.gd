extends RefCounted
## Sends the arena's entities by the engine's MultiplayerSynchronizer to one client of this process, and counts
## the bytes: what the arena's own traffic is compared with.

const Messages := preload("res://demo/arena/messages.gd")
const World := preload("res://demo/arena/world.gd")

const PROPERTIES: PackedStringArray = ["pos", "vel", "rot", "hp", "act"]

var _sides: Array[Node] = []
var _apis: Array[SceneMultiplayer] = []
var _peers: Array[ENetMultiplayerPeer] = [ENetMultiplayerPeer.new(), ENetMultiplayerPeer.new()]


## Holds what a MultiplayerSynchronizer keeps in step.
class Figure:
	extends Node

	var pos := Vector3.ZERO
	var vel := Vector3.ZERO
	var rot := Quaternion.IDENTITY
	var hp := 100
	var act := 0


## Makes a server and a client, each with a node for every entity. `mode` is how the properties are sent:
## always, or when they change.
func _init(tree: SceneTree, mode: SceneReplicationConfig.ReplicationMode) -> void:
	for side in 2:
		var place := Node.new()
		tree.root.add_child(place)
		var api := SceneMultiplayer.new()
		tree.set_multiplayer(api, place.get_path())
		_sides.append(place)
		_apis.append(api)
	_peers[0].set_bind_ip("127.0.0.1")
	_peers[0].create_server(0)
	_peers[1].create_client("127.0.0.1", _peers[0].host.get_local_port())
	for side in 2:
		_apis[side].multiplayer_peer = _peers[side]
		for slot in Messages.MOST_ENTITIES:
			_sides[side].add_child(_figure(slot, mode))


func _figure(slot: int, mode: SceneReplicationConfig.ReplicationMode) -> Figure:
	var figure := Figure.new()
	figure.name = "Figure%d" % slot
	var config := SceneReplicationConfig.new()
	for property in PROPERTIES:
		var path := NodePath(".:" + property)
		config.add_property(path)
		config.property_set_replication_mode(path, mode)
	var synchronizer := MultiplayerSynchronizer.new()
	synchronizer.name = "Synchronizer"
	synchronizer.replication_config = config
	synchronizer.replication_interval = 1.0 / Messages.RATE
	synchronizer.delta_interval = 1.0 / Messages.RATE
	# Slots without an entity send nothing.
	synchronizer.public_visibility = false
	figure.add_child(synchronizer)
	return figure


## Lets both sides work. The tree does not once a VariantProtocol polls.
func poll() -> void:
	for api in _apis:
		api.poll()


## Shows the world in the server's nodes. An entity keeps its slot by its place in the list.
func show(world: World) -> void:
	var slot := 0
	for entity: World.Entity in world.entities.values():
		var figure: Figure = _sides[0].get_child(slot)
		figure.pos = entity.pos
		figure.vel = entity.vel
		figure.rot = entity.rot
		figure.hp = entity.hp
		figure.act = Messages.ACTS.find(entity.act)
		slot += 1
	for other in Messages.MOST_ENTITIES:
		var synchronizer: MultiplayerSynchronizer = _sides[0].get_child(other).get_child(0)
		if synchronizer.public_visibility != (other < slot):
			synchronizer.public_visibility = other < slot


## Returns whether the client's nodes hold what the server's hold, but for what is under way.
func is_followed() -> bool:
	var followed := 0
	for slot in World.BOTS:
		var figures: Array[Figure] = [_sides[0].get_child(slot), _sides[1].get_child(slot)]
		followed += int(figures[0].pos.distance_to(figures[1].pos) < World.SPEED)
	return followed > World.BOTS / 2


func is_up() -> bool:
	return 1 in _apis[1].get_peers()


## Returns the bytes that the server sent since the last call, those of ENet included.
func bytes_sent() -> int:
	return int(_peers[0].host.pop_statistic(ENetConnection.HOST_TOTAL_SENT_DATA))


func close() -> void:
	for side in 2:
		_peers[side].close()
		var path := _sides[side].get_path()
		var tree := _sides[side].get_tree()
		_sides[side].free()
		tree.set_multiplayer(null, path)
