extends Node
## Runs a chat client: it says one thing, prints what it receives, and leaves when it has received its own
## message.
##   godot --headless --path godot_project res://demo/chat/client.tscn -- --port=4433 --name=Ann --say=hello

const PATIENCE := 10.0

var _tcp := StreamPeerTCP.new()
var _reader := VariantReader.new()
var _writer := VariantWriter.new()
var _options := {"port": "4433", "name": "Ann", "say": "hello"}
var _has_said := false
var _waited := 0.0


func _ready() -> void:
	for argument in OS.get_cmdline_user_args():
		_options[argument.get_slice("=", 0).trim_prefix("--")] = argument.get_slice("=", 1)
	_reader.framing = VariantReader.FRAMING_U32
	_reader.codec.limits = VariantLimits.network()
	_reader.value_received.connect(_on_message)
	_reader.broken.connect(func(error: Dictionary) -> void: _leave("the server makes no sense: " + error.message))
	_tcp.connect_to_host("127.0.0.1", _options.port.to_int())


func _process(delta: float) -> void:
	_tcp.poll()
	_waited += delta
	if _waited > PATIENCE:
		_leave("nobody answers")
	if _tcp.get_status() != StreamPeerTCP.STATUS_CONNECTED:
		return
	if not _has_said:
		_has_said = true
		_writer.open_peer(_tcp, VariantReader.FRAMING_U32)
		_writer.write({"name": _options.name, "text": _options.say})
	_writer.flush()
	_reader.feed_peer(_tcp)
	_reader.poll()


func _on_message(message: Variant) -> void:
	if message is Dictionary:
		print("%s: %s" % [message.get("name"), message.get("text")])
		if message.get("name") == _options.name:
			_leave("")


func _leave(why: String) -> void:
	if not why.is_empty():
		print(why)
	get_tree().quit(0 if why.is_empty() else 1)
