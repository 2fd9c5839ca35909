extends "res://bench/pack_jobs.gd"
## Times a tick as the difference from one three ticks before: making it, and applying it and building the value.

## The most bytes of the difference: 2.8 % of the engine's.
const MOST := 232

var _base: PackedByteArray
var _delta: PackedByteArray


func _init(given: Variant) -> void:
	super(given)
	_base = schema.pack(PackValues.crowd(0), VariantSchema.BARE)
	_delta = schema.pack_delta(_base, given, VariantSchema.BARE)


func size() -> int:
	return _delta.size()


func difference() -> String:
	if _delta.size() > MOST:
		return "size: %d bytes, at most %d" % [_delta.size(), MOST]
	return "" if schema.apply_delta(_base, _delta, VariantSchema.BARE) == packed else "value"


func ours_encode(times: int) -> int:
	var given: Variant = value
	var answer: PackedByteArray
	var start := Time.get_ticks_usec()
	for i in times:
		answer = schema.pack_delta(_base, given, VariantSchema.BARE)
	return Time.get_ticks_usec() - start


func ours_decode(times: int) -> int:
	var given := _delta
	var answer: Variant
	var start := Time.get_ticks_usec()
	for i in times:
		answer = schema.unpack(schema.apply_delta(_base, given, VariantSchema.BARE), null, VariantSchema.BARE)
	return Time.get_ticks_usec() - start
