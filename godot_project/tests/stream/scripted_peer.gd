extends MultiplayerPeerExtension
## A peer that a script makes up: it says and gives what it is told to.

var status := MultiplayerPeer.CONNECTION_CONNECTED
var count := 0
## What each packet is.
var packet := PackedByteArray()
## What sending answers.
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
