extends "res://bench/pack_jobs.gd"
## Times a tick as the difference from one three ticks before: making it, and applying it and building the value.

## The most bytes of the difference: 2.8 % of the engine's.
const MOST := 232

var _delta: PackedByteArray
## Reads what the difference makes.
var _whole := VariantCodec.new()


func _init(given: Variant) -> void:
	super(given)
	_whole.schema = codec.schema
	_whole.form = codec.form
	_whole.tagging = codec.tagging
	codec.baseline = codec.encode(PackValues.crowd(0))
	_delta = codec.encode(given)


func size() -> int:
	return _delta.size()


func difference() -> String:
	if _delta.size() > MOST:
		return "size: %d bytes, at most %d" % [_delta.size(), MOST]
	return "" if codec.apply_delta(_delta) == packed else "value"


func ours_encode(times: int) -> int:
	var given: Variant = value
	var answer: PackedByteArray
	var start := Time.get_ticks_usec()
	for i in times:
		answer = codec.encode(given)
	return Time.get_ticks_usec() - start


func ours_decode(times: int) -> int:
	var given := _delta
	var answer: Variant
	var start := Time.get_ticks_usec()
	for i in times:
		_whole.decode(codec.apply_delta(given))
		answer = _whole.data
	return Time.get_ticks_usec() - start
