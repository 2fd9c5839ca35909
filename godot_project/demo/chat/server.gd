extends Node
## Runs a chat server that anybody may connect to and no client can bring down. Each client's bytes are
## decoded by a reader of its own, under limits, and a client that breaks the rules is disconnected. There is
## no window.
##   godot --headless --path godot_project res://demo/chat/server.tscn -- --port=4433

const MOST_CLIENTS := 64
## The number of wrong messages after which a client is disconnected.
const PATIENCE := 3
## The seconds in which a message has to become whole, once it has begun.
var _slowest := 5.0
var _server := TCPServer.new()
var _clients: Array[Client] = []


## Holds a connection with its reader and its writer.
class Client:
	var tcp: StreamPeerTCP
	var reader := VariantReader.new()
	var writer := VariantWriter.new()
	var wrong := 0
	var waiting := 0.0
	var is_gone := false

	func _init(connection: StreamPeerTCP) -> void:
		tcp = connection
		reader.framing = VariantReader.FRAMING_U32
		reader.codec.limits = VariantLimits.network()
		reader.codec.limits.max_bytes = 4096
		reader.time_budget_usec = 500
		writer.max_pending_bytes = 1 << 16
		writer.open_peer(tcp, VariantReader.FRAMING_U32)


func _ready() -> void:
	var port := 4433
	for argument in OS.get_cmdline_user_args():
		if argument.begins_with("--port="):
			port = argument.get_slice("=", 1).to_int()
		if argument.begins_with("--slowest="):
			_slowest = argument.get_slice("=", 1).to_float()
	if _server.listen(port, "127.0.0.1") != OK:
		push_error("port %d is taken" % port)
		get_tree().quit(1)


func _process(delta: float) -> void:
	while _server.is_connection_available():
		var tcp := _server.take_connection()
		if _clients.size() < MOST_CLIENTS:
			_clients.append(Client.new(tcp))
	for client in _clients:
		_listen(client, delta)
	for client in _clients:
		if client.is_gone:
			client.tcp.disconnect_from_host()
	_clients = _clients.filter(func(client: Client) -> bool: return not client.is_gone)


## Reads the messages of this client, as far as the budget goes.
func _listen(client: Client, delta: float) -> void:
	client.tcp.poll()
	if client.reader.feed_peer(client.tcp) != OK:
		client.is_gone = true  # disconnected
		return
	while true:
		if client.reader.next() == OK:
			client.waiting = 0.0
			_hear(client, client.reader.data)
			continue
		match client.reader.get_status():
			VariantReader.REJECTED:
				_warn(client)
			VariantReader.BROKEN:
				client.is_gone = true
				return
			_:
				break
	# A message that comes one byte an hour delays only its sender, and not for ever. A client that says
	# nothing may stay.
	client.waiting = client.waiting + delta if client.reader.has_partial_value() else 0.0
	client.is_gone = client.is_gone or client.waiting > _slowest
	client.writer.flush()


func _hear(client: Client, message: Variant) -> void:
	if message is Dictionary and message.get("name") is String and message.get("text") is String:
		_tell_all({"name": message.name.left(20), "text": message.text.left(200)})
	else:
		_warn(client)


func _warn(client: Client) -> void:
	client.wrong += 1
	client.is_gone = client.is_gone or client.wrong > PATIENCE


## Sends a message to all clients. A client that does not read cannot make messages pile up here: it is
## disconnected.
func _tell_all(message: Dictionary) -> void:
	for client in _clients:
		if client.writer.write(message) != OK:
			client.is_gone = true
