extends "engine_suite.gd"
## Tests faults of a file, a peer or a job, which are not faults of bytes: they have kinds of their own beside
## the Error code.

const NEEDS := {"test_a_cancelled_job": "threads"}
const PATH := "user://failures_test.bin"
const ErrorExamples := preload("error_examples.gd")


func clean_up() -> void:
	super()
	if FileAccess.file_exists(PATH):
		DirAccess.remove_absolute(PATH)


func test_files() -> void:
	_store(var_to_bytes(5))
	var closed := FileAccess.open(PATH, FileAccess.READ)
	closed.close()
	for given: Array in [
		["user://no/such/file", ERR_FILE_NOT_FOUND, ERR_FILE_BAD_PATH], ["user://", ERR_FILE_CANT_OPEN, ERR_FILE_CANT_WRITE],
		["", _open_error(""), ERR_FILE_BAD_PATH], [closed, ERR_UNCONFIGURED, ERR_UNCONFIGURED],
	]:
		var reader := VariantReader.new()
		_check(reader, reader.open_file(given[0]), VariantCodec.FILE_FAILED, given[1], "read %s" % [given[0]])
		_check(reader, reader.next(), VariantCodec.FILE_FAILED, given[1], "read on %s" % [given[0]])
		var writer := VariantWriter.new()
		_check(writer, writer.open_file(given[0]), VariantCodec.FILE_FAILED, given[2], "write %s" % [given[0]])
		if given[0] is String:
			var load := VariantStream.load_file_async(given[0])
			_check(load, load.wait(), VariantCodec.FILE_FAILED, given[1], "load %s" % [given[0]])
			var save := VariantStream.save_file_async(given[0], 5)
			_check(save, save.wait(), VariantCodec.FILE_FAILED, given[2], "save %s" % [given[0]])
	var writer := VariantWriter.new()
	writer.open_file(FileAccess.open(PATH, FileAccess.READ))
	_check(writer, writer.write("x".repeat(100_000)), VariantCodec.FILE_FAILED, ERR_FILE_CANT_WRITE, "a file to read")
	var reader := VariantReader.new()
	reader.open_file(FileAccess.open(PATH, FileAccess.WRITE))
	# On Windows, and before Godot 4.4, the engine takes such a file for empty.
	if not OS.has_feature("windows") and Engine.get_version_info().hex >= 0x040400:
		_check(reader, reader.next(), VariantCodec.FILE_FAILED, ERR_FILE_CANT_READ, "a file to write")


## Returns the engine's error for a path, which differs between systems.
func _open_error(path: String) -> Error:
	FileAccess.open(path, FileAccess.READ)
	return FileAccess.get_open_error()


## Tests files with wrong bytes: the kind of error is that of the bytes.
func test_files_of_wrong_bytes() -> void:
	for case: Array in [
		[PackedByteArray(), VariantCodec.INCOMPLETE, ERR_FILE_EOF],
		[var_to_bytes([5]) + var_to_bytes(5), VariantCodec.TRAILING_BYTES, ERR_INVALID_DATA],
	]:
		_store(case[0])
		var load := VariantStream.load_file_async(PATH)
		_check(load, load.wait(), case[1], case[2], "%d bytes" % case[0].size())


func test_a_cancelled_job() -> void:
	check_same(ErrorExamples.provoke("CANCELLED").code, VariantCodec.CANCELLED, "its kind")


func test_peers() -> void:
	var reader := VariantReader.new()
	_check(reader, reader.feed_peer(StreamPeerTCP.new()), VariantCodec.PEER_FAILED, ERR_CONNECTION_ERROR, "a stream")
	_check(reader, reader.feed_packet_peer(PacketPeerUDP.new()), VariantCodec.PEER_FAILED, ERR_CONNECTION_ERROR, "packets")
	var writer := VariantWriter.new()
	_check(writer, writer.open_packet_peer(PacketPeerStream.new()), VariantCodec.PEER_FAILED, ERR_UNCONFIGURED, "no stream")
	writer.open_peer(StreamPeerTCP.new())
	_check(writer, writer.write(5), VariantCodec.PEER_FAILED, ERR_CONNECTION_ERROR, "a writer's")
	writer.open_packet_peer(_stream_of(StreamPeerBuffer.new(), 1024))
	_check(writer, writer.write("x".repeat(5000)), VariantCodec.PEER_FAILED, ERR_OUT_OF_MEMORY, "a packet too large")


## Tests wrong arguments and calls out of order: they keep their own kinds.
func test_arguments_and_calls_out_of_turn() -> void:
	var reader := VariantReader.new()
	_check(reader, reader.open_file(5), VariantCodec.INVALID_ARGUMENT, ERR_INVALID_PARAMETER, "a number for a file")
	reader.clear()
	_check(reader, reader.call("feed_peer", 5), VariantCodec.INVALID_ARGUMENT, ERR_INVALID_PARAMETER, "a number for a peer")
	_check(reader, reader.leave(), VariantCodec.INVALID_ARGUMENT, ERR_DOES_NOT_EXIST, "leave()")
	var writer := VariantWriter.new()
	_check(writer, writer.write(5), VariantCodec.INVALID_ARGUMENT, ERR_UNCONFIGURED, "nothing is open")


func _check(told: Object, code: int, kind: int, error: Error, what: String) -> void:
	check_error(code, error, what)
	check_same(told.call("get_error").get("code"), kind, "kind: %s: %s" % [what, told.call("get_error_message")])


static func _store(bytes: PackedByteArray) -> void:
	FileAccess.open(PATH, FileAccess.WRITE).store_buffer(bytes)


static func _stream_of(stream: StreamPeer, most: int) -> PacketPeerStream:
	var peer := PacketPeerStream.new()
	peer.stream_peer = stream
	peer.output_buffer_max_size = most
	return peer
