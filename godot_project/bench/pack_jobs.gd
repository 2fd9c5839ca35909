extends "res://bench/static_jobs.gd"
## Times packing by a schema and unpacking, against the engine's functions, which check nothing. The packed bytes have to be
## as small as docs/PACKING.md says.

const PackValues := preload("res://bench/pack_values.gd")

var codec := VariantCodec.new()
var packed: PackedByteArray


func _init(given: Variant) -> void:
	super(given)
	codec.schema = PackValues.schema(given, is_rounded())
	codec.form = VariantCodec.FORM_PACKED
	codec.tagging = VariantSchema.BARE
	codec.limits = VariantLimits.network()
	packed = codec.encode(given)


func is_rounded() -> bool:
	return true


func size() -> int:
	return packed.size()


func difference() -> String:
	var most := PackValues.most_bytes(value, is_rounded())
	if packed.is_empty() or packed.size() > most:
		return "size: %d bytes, at most %d. %s" % [packed.size(), most, codec.get_error_message()]
	codec.decode(packed)
	return "" if codec.encode(codec.data) == packed else "value"


func ours_encode(times: int) -> int:
	var given: Variant = value
	var answer: PackedByteArray
	var start := Time.get_ticks_usec()
	for i in times:
		answer = codec.encode(given)
	return Time.get_ticks_usec() - start


func ours_decode(times: int) -> int:
	var given := packed
	var answer: Variant
	var start := Time.get_ticks_usec()
	for i in times:
		codec.decode(given)
		answer = codec.data
	return Time.get_ticks_usec() - start
