extends "res://bench/static_jobs.gd"
## Times packing by a schema and unpacking, against the engine's functions, which check nothing. The packed bytes have to be
## as small as docs/PACKING.md says.

const PackValues := preload("res://bench/pack_values.gd")

var schema: VariantSchema
var packed: PackedByteArray


func _init(given: Variant) -> void:
	super(given)
	schema = PackValues.schema(given, is_rounded())
	packed = schema.pack(given, VariantSchema.BARE)


func is_rounded() -> bool:
	return true


func size() -> int:
	return packed.size()


func difference() -> String:
	var most := PackValues.most_bytes(value, is_rounded())
	if packed.is_empty() or packed.size() > most:
		return "size: %d bytes, at most %d. %s" % [packed.size(), most, schema.get_error_message()]
	var back: Variant = schema.unpack(packed, null, VariantSchema.BARE)
	return "" if schema.pack(back, VariantSchema.BARE) == packed else "value"


func ours_encode(times: int) -> int:
	var given: Variant = value
	var answer: PackedByteArray
	var start := Time.get_ticks_usec()
	for i in times:
		answer = schema.pack(given, VariantSchema.BARE)
	return Time.get_ticks_usec() - start


func ours_decode(times: int) -> int:
	var given := packed
	var answer: Variant
	var start := Time.get_ticks_usec()
	for i in times:
		answer = schema.unpack(given, null, VariantSchema.BARE)
	return Time.get_ticks_usec() - start
