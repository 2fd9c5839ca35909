extends "res://bench/static_jobs.gd"
## Times 250 bodies packed as their difference from two states, three and six ticks old, against one from the newer of them in the
## form without columns, which is that of a keyed array that is not right below the root.

const Recording := preload("res://demo/motion/recording.gd")
const TICK := 12
const AGE := 3
## The most bytes of the difference: 11.8 kB/s.
const MOST := 400

var _codec := VariantCodec.new()
var _plain := VariantCodec.new()
var _below: Dictionary
var _packed: PackedByteArray


func _init(given: Variant) -> void:
	super(given)
	var recording := Recording.new()
	_below = {"all": given}
	for codec: VariantCodec in [_codec, _plain]:
		codec.form = VariantCodec.FORM_PACKED
		codec.tagging = VariantSchema.BARE
		codec.limits = VariantLimits.network()
	_codec.schema = Recording.schema(256)
	_plain.schema = VariantSchema.dict({"all": _codec.schema})
	_packed = _codec.encode(given)
	var newer := recording.state(TICK - AGE)
	_codec.baseline = [_codec.encode(newer), _codec.encode(recording.state(TICK - 2 * AGE))]
	_plain.baseline = _plain.encode({"all": newer})


static func bodies() -> Dictionary:
	return Recording.new().state(TICK)


func size() -> int:
	return _codec.encode(value).size()


func difference() -> String:
	var told := _codec.encode(value)
	if told.is_empty() or told.size() > MOST:
		return "size: %d bytes, at most %d. %s" % [told.size(), MOST, _codec.get_error_message()]
	if _plain.encode(_below).size() < told.size():
		return "the form without columns is shorter"
	return "" if _codec.apply_delta(told) == _packed else "value"


func engine_encode(times: int) -> int:
	return _time(_plain, _below, times)


func ours_encode(times: int) -> int:
	return _time(_codec, value, times)


func _time(codec: VariantCodec, given: Dictionary, times: int) -> int:
	var answer: PackedByteArray
	var start := Time.get_ticks_usec()
	for i in times:
		answer = codec.encode(given)
	return Time.get_ticks_usec() - start
