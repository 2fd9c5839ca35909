@tool
extends RefCounted
## Packed bytes, read by a schema: which they are, and where each value lies in them, bit by bit. Shows nothing.

const LAYER := "packed"
## The bytes of the tag in front of the bits, by VariantSchema.Tagging.
const TAG_BYTES := {VariantSchema.TAGGED: 2, VariantSchema.BARE: 0, VariantSchema.TAGGED_LONG: 9}
## Larger inputs are not tried: packed bytes are packets.
const MOST_BYTES := 1 << 20

## The packed bytes; empty where there are none.
var bytes := PackedByteArray()
## The value in them, as the engine writes it.
var made := PackedByteArray()
var tagging := VariantSchema.TAGGED
## Why bytes that were packed by the schema cannot be read, as an error of VariantSchema.
var error := {}
## Three numbers for each value: the byte in `made` where it begins, its first bit, and the bit behind its last one.
var _places := PackedInt64Array()


## Returns what these bytes are by a schema. Bytes without a tag count as packed only where they are no value otherwise.
static func of(given: PackedByteArray, schema: VariantSchema, limits: VariantLimits) -> RefCounted:
	var packed := new()
	if not can_pack(schema) or given.is_empty() or given.size() > MOST_BYTES:
		return packed
	for form: int in [VariantSchema.TAGGED, VariantSchema.TAGGED_LONG, VariantSchema.BARE]:
		if form == VariantSchema.BARE and _is_of_the_engine(given):
			continue
		var found := schema.get_packed_places(given, form, limits)
		if not found.is_empty():
			packed.bytes = given
			packed.made = found.bytes
			packed._places = found.places
			packed.tagging = form
			return packed
		var code: int = schema.get_error().code
		if form == VariantSchema.TAGGED and code != VariantCodec.SCHEMA_MISMATCH and code != VariantCodec.INCOMPLETE:
			packed.error = schema.get_error()
			return packed
	return packed


## Tells whether there is a schema that can pack. It asks none that contradicts itself, which would complain.
static func can_pack(schema: VariantSchema) -> bool:
	return schema != null and schema.is_well_formed() and schema.is_packable()


static func _is_of_the_engine(given: PackedByteArray) -> bool:
	var is_framed := VariantOutline.guess_framing(given) != VariantReader.FRAMING_NONE
	return is_framed or not VariantStream.guess_dialect(given).is_empty()


func is_packed() -> bool:
	return not bytes.is_empty()


## Returns the first bit and the bit behind the last one of the value at a byte of `made`.
func bits_of(at: int) -> Vector2i:
	for i in range(0, _places.size(), 3):
		if _places[i] == at:
			return Vector2i(_places[i + 1], _places[i + 2])
	return Vector2i.ZERO


## Returns the byte of `made` with the smallest value that has a bit in a packed byte; 0, the outermost value, for the tag.
func byte_under(packed_byte: int) -> int:
	var best := 0
	var least := bytes.size() * 8 + 1
	for i in range(0, _places.size(), 3):
		var start := _places[i + 1]
		var end := _places[i + 2]
		if start < (packed_byte + 1) * 8 and end > packed_byte * 8 and end - start < least:
			best = _places[i]
			least = end - start
	return best


## Adds to a size report what each place takes in bits: as much as stands there itself, as its bytes are counted. The bytes of
## all are those of these packed bytes, or what pack() would make.
func measure(sizes: Dictionary, schema: VariantSchema, value: Variant, limits: VariantLimits) -> Dictionary:
	if sizes.is_empty() or not can_pack(schema):
		return sizes
	var report := schema.pack_report(value, limits)
	if report.is_empty():
		return sizes
	var own := {}
	for path: String in report.places:
		own[path] = own.get(path, 0) + report.places[path].bits
		var parent := _parent(path)
		if path != "(root)" and report.places.has(parent):
			own[parent] = own.get(parent, 0) - report.places[path].bits
	var both := sizes.duplicate()
	both.bits = own
	both.total_bits = report.bits
	both.tag_bytes = TAG_BYTES[tagging]
	both.packed_bytes = ((int(report.bits) + 7) >> 3) + int(both.tag_bytes)
	return both


static func _parent(path: String) -> String:
	var cut := path.trim_suffix("[]")
	if cut == path:
		var dot := path.rfind(".")
		cut = path.substr(0, maxi(dot, 0))
	return cut if not cut.is_empty() else "(root)"
