extends Node
## Packets of a small game, which shows them in the editor.

var codec := VariantCodec.new()

func _on_packet(peer: int, packet: PackedByteArray) -> void:
	VariantStream.tap(packet, "move from %d" % peer)
	if codec.decode(packet) == OK:
		get_node(str(peer)).position += codec.data.dir
