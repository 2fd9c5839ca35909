extends RefCounted
## Has the players of processes.gd in this process instead: they and the network are stepped, so that no clock is
## waited for. Their connections are real ones.

const Client := preload("res://demo/arena/client.gd")
const HostilePlay := preload("hostile_play.gd")
const PoorNetwork := preload("poor_network.gd")

var _tree: SceneTree
var _port: int
var _network: PoorNetwork
var _msec := 0.0
var _clients: Array[Client] = []
var _reports: Array = []
var _hostile: HostilePlay
var _places: Array[Node] = []


func _init(tree: SceneTree, options: Dictionary, port: int) -> void:
	_tree = tree
	_port = port
	_network = PoorNetwork.new({"to": port, "loss": options.loss, "delay": 40, "jitter": 30})
	var relayed := _network.listen(0)
	for number: int in options.clients:
		var client := Client.new()
		client.port = port if number == 0 else relayed
		client.rejoins = options.rejoins if number == 0 else 0
		client.seconds = options.seconds
		_reports.append(null)
		client.ended.connect(func(report: Dictionary, _code: int) -> void: _reports[number] = report)
		_place("Client%d" % number).add_child(client)
		client.set_process(false)
		_clients.append(client)


func let_hostile_in() -> void:
	_hostile = HostilePlay.new(_api(_place("Hostile")), _port)


func step(delta: float) -> void:
	_msec += delta * 1000.0
	_network.step(_msec)
	for number in _clients.size():
		if _reports[number] == null:
			_clients[number].protocol.tick()
			_clients[number]._process(delta)
	if _hostile != null:
		_hostile.protocol.tick()
		_hostile.step(delta)


func are_there() -> bool:
	return null in _reports


func is_hostile_there() -> bool:
	return not _hostile.is_over


func reports() -> Array:
	return _reports


func close() -> void:
	for place in _places:
		_api(place).multiplayer_peer.close()
		var path := place.get_path()
		_tree.root.remove_child(place)
		place.free()
		_tree.set_multiplayer(null, path)


## Makes a place in the tree with a network of its own.
func _place(name: String) -> Node:
	var place := Node.new()
	place.name = name
	_tree.root.add_child(place)
	_tree.set_multiplayer(SceneMultiplayer.new(), place.get_path())
	_places.append(place)
	return place


func _api(place: Node) -> SceneMultiplayer:
	return _tree.get_multiplayer(place.get_path())
