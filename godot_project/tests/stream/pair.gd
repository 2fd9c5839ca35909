extends RefCounted
## Holds two ends of a TCP connection on this machine, in one process. It knows nothing of values.

const PATIENCE_MSEC := 5000

var near := StreamPeerTCP.new()
var far: StreamPeerTCP
## The fault, or empty.
var error := ""


func _init() -> void:
	var server := TCPServer.new()
	if server.listen(0, "127.0.0.1") != OK or near.connect_to_host("127.0.0.1", server.get_local_port()) != OK:
		error = "no port to listen on"
		return
	var until := Time.get_ticks_msec() + PATIENCE_MSEC
	while Time.get_ticks_msec() < until and (far == null or near.get_status() != StreamPeerTCP.STATUS_CONNECTED):
		near.poll()
		if far == null and server.is_connection_available():
			far = server.take_connection()
		OS.delay_usec(100)
	if far == null:
		error = "no connection within %d ms" % PATIENCE_MSEC


func poll() -> void:
	near.poll()
	far.poll()
