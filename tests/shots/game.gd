extends Node
## What the pictures show in the script editor: a game that taps its packets and its save.

static var MOVE := VariantSchema.from_json(FileAccess.get_file_as_string("res://shots/move.vschema.json"))

var codec := VariantCodec.new()


func _ready() -> void:
	codec.schema = MOVE
	codec.limits = VariantLimits.network()


func _on_packet(peer: int, packet: PackedByteArray) -> void:
	VariantStream.tap(packet, "move from %d" % peer)
	if codec.decode(packet) == OK:
		move(peer, codec.data)
	else:
		push_warning(codec.get_error_message())


func move(peer: int, data: Dictionary) -> void:
	get_node(str(peer)).position += data.dir
