extends NetworkSchemaSerializer
## Packs a property that netfox sends, by a VariantSchema. Load it in a game that has netfox; nothing else loads it.
##
## [codeblock]
## const Packed := preload("res://addons/variant_stream/netfox/variant_schema_serializer.gd")
## synchronizer.set_schema({":position": Packed.new(VariantSchema.vector3().quantized(0.01, -512, 512), Vector3.ZERO)})
## [/codeblock]
## Values stand one behind the other in netfox's packets, with no length between them. Where one is refused and its schema does
## not always take as many bits, nothing behind it can be found: the rest of the packet is passed over.

## How many values were refused, when they were sent and when they came.
var refused := 0
## The reason of the last refusal, as [method VariantCodec.get_error] has it.
var last_error := {}

var _codec := VariantCodec.new()
var _fallback: Variant
var _sent_instead := PackedByteArray()
## Bytes of every value, or -1 where they differ.
var _size := -1


## [param fallback] is handed out in place of a value that was refused, and sent in place of one that does not fit.
func _init(schema: VariantSchema, fallback: Variant, limits: VariantLimits = null) -> void:
	_codec.schema = schema
	_codec.limits = limits if limits else VariantLimits.network()
	_codec.form = VariantCodec.FORM_PACKED
	_codec.tagging = VariantSchema.BARE
	_codec.strictness = VariantCodec.ENGINE  # other values follow
	_fallback = fallback
	_sent_instead = _codec.encode(fallback)
	if not _codec.get_error().is_empty():
		push_error("VariantSchemaSerializer: the fallback does not fit: " + _codec.get_error_message())
	var size := schema.get_packed_size()
	if size.get("is_fixed", false):
		_size = (int(size.max_bits) + 7) >> 3


func encode(value: Variant, buffer: StreamPeerBuffer) -> void:
	var bytes := _codec.encode(value)
	var error := _codec.get_error()
	if not error.is_empty():
		_note(error)
		bytes = _sent_instead
	if not bytes.is_empty():
		buffer.put_data(bytes)


func decode(buffer: StreamPeerBuffer) -> Variant:
	var at := buffer.get_position()
	if _codec.decode(buffer.data_array, at) == OK:
		buffer.seek(at + _codec.get_consumed())
		return _codec.data
	_note(_codec.get_error())
	buffer.seek(buffer.get_size() if _size < 0 else mini(at + _size, buffer.get_size()))
	return _fallback.duplicate(true) if _fallback is Array or _fallback is Dictionary else _fallback


func _note(error: Dictionary) -> void:
	refused += 1
	last_error = error
