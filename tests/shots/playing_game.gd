extends SceneTree
## Runs a game without a window, which the pictures' editor debugs: the server of a VariantProtocol with three clients in one
## process, one of which sends what it should not. It goes on until it is ended.

const Samples := preload("samples.gd")

const CLIENTS := 3
## Steps of the game in a second.
const RATE := 20

var _server := _protocol(VariantProtocol.ROLE_SERVER)
var _clients: Array[VariantProtocol] = []
var _step := 0


func _initialize() -> void:
	for peer in range(2, 2 + CLIENTS):
		var client := _protocol(VariantProtocol.ROLE_CLIENT)
		client.carrier = func(_to: int, packet: PackedByteArray, _mode: int) -> void: _server.receive(peer, packet)
		_server.connect_peer(peer)
		client.connect_peer(1)
		_clients.append(client)
	_server.policy = {"disconnect_at": 1e6}
	_server.carrier = func(peer: int, packet: PackedByteArray, _mode: int) -> void: _clients[peer - 2].receive(1, packet)
	create_timer(1.0 / RATE).timeout.connect(_play)


func _protocol(role: VariantProtocol.Role) -> VariantProtocol:
	var made := VariantProtocol.new()
	made.role = role
	made.add(&"move", Samples.move(), {"sender": VariantProtocol.CLIENT, "rate": 60})
	made.add(&"chat", VariantSchema.string().max_chars(80), {"sender": VariantProtocol.BOTH})
	made.add_state(&"world", Samples.world_schema())
	if not made.is_well_formed():
		push_error(str(made.get_build_errors()))
	return made


func _play() -> void:
	create_timer(1.0 / RATE).timeout.connect(_play)
	_step += 1
	var world := Samples.world()
	_server.send_state(&"world", world)
	for client in _clients:
		client.send(&"move", {"seq": _step, "dir": Vector2.from_angle(_step * 0.1), "act": "none"})
	if _step % 31 == 0:
		_clients[0].send(&"chat", "anybody at the old mill?")
	if _step % 23 == 0:
		_server.receive(4, PackedByteArray([1, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255]))
	if _step % 57 == 0:
		_server.receive(4, PackedByteArray([3, 1, 0, 0]))
	for client in _clients:
		client.tick()
	_server.tick()
