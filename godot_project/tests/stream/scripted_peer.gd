extends MultiplayerPeerExtension
## Implements a peer in script: it reports and gives what a test sets.

var status := MultiplayerPeer.CONNECTION_CONNECTED
var count := 0
## The content of each packet.
var packet := PackedByteArray()
## The answer to a sent packet.
var answer := OK
var taken := 0
var sent: Array[PackedByteArray] = []


func _get_connection_status() -> MultiplayerPeer.ConnectionStatus:
	return status


func _get_available_packet_count() -> int:
	return count


func _get_packet_script() -> PackedByteArray:
	taken += 1
	return packet


func _put_packet_script(buffer: PackedByteArray) -> Error:
	if answer == OK:
		sent.append(buffer)
	return answer
