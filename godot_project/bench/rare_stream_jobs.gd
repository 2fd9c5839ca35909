extends "res://bench/rare_jobs.gd"
## Times a framed value without a fast path through a VariantReader, against the engine's decoding alone.

var _framed := PackedByteArray([0, 0, 0, 0])


func _init(given: Variant) -> void:
	super(given)
	_framed.encode_u32(0, bytes.size())
	_framed.append_array(bytes)


func ours_decode(times: int) -> int:
	var start := Time.get_ticks_usec()
	for i in times:
		var reader := VariantReader.new()
		reader.codec.limits = codec.limits
		reader.framing = VariantReader.FRAMING_U32
		reader.feed(_framed)
		reader.next()
	return Time.get_ticks_usec() - start
