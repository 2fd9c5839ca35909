extends Node
## Receives the packets of a small game and taps them, so that the editor shows them.

var codec := VariantCodec.new()

func _on_packet(peer: int, packet: PackedByteArray) -> void:
	VariantStream.tap(packet, "move from %d" % peer)
	if codec.decode(packet) == OK:
		get_node(str(peer)).position += codec.data.dir
