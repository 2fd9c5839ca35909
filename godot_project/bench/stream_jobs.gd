extends "res://bench/static_jobs.gd"
## Times a stream of packets, as put_var() frames them: VariantReader and VariantWriter against the engine's
## streams in memory. Nothing goes over a network.

const Values := preload("res://bench/values.gd")

var _packets: Array
var _framed: PackedByteArray


func _init(given: Variant) -> void:
	super(given)
	_packets = given
	_framed = _engine_written()


func size() -> int:
	return _framed.size()


func difference() -> String:
	if _ours_written() != _framed:
		return "bytes"
	var reader := _reader()
	for packet: Variant in _packets:
		if reader.next() != OK or var_to_bytes(reader.data) != var_to_bytes(packet):
			return "value: " + reader.get_error_message()
	return "" if reader.next() != OK else "more values than were written"


func engine_encode(times: int) -> int:
	return _timed(_engine_written, times)


func ours_encode(times: int) -> int:
	return _timed(_ours_written, times)


func engine_decode(times: int) -> int:
	return _timed(_engine_read, times)


func ours_decode(times: int) -> int:
	return _timed(_ours_read, times)


func _timed(work: Callable, times: int) -> int:
	var start := Time.get_ticks_usec()
	for i in times:
		work.call()
	return Time.get_ticks_usec() - start


func _engine_written() -> PackedByteArray:
	var stream := StreamPeerBuffer.new()
	for packet: Variant in _packets:
		stream.put_var(packet)
	return stream.data_array


func _ours_written() -> PackedByteArray:
	var writer := VariantWriter.new()
	writer.open_buffer(VariantReader.FRAMING_U32)
	for packet: Variant in _packets:
		writer.write(packet)
	return writer.get_buffer()


func _engine_read() -> void:
	var stream := StreamPeerBuffer.new()
	stream.data_array = _framed
	for i in _packets.size():
		stream.get_var()


func _ours_read() -> void:
	var reader := _reader()
	while reader.next() == OK:
		var _packet: Variant = reader.data


func _reader() -> VariantReader:
	var reader := VariantReader.new()
	reader.framing = VariantReader.FRAMING_U32
	reader.feed(_framed)
	return reader
