extends RefCounted
## Packs a property that netfox sends, by a VariantSchema. Only `of()` needs netfox, so that a project without it has no error.
##
## [codeblock]
## const Packed := preload("res://addons/variant_stream/netfox/variant_schema_serializer.gd")
## synchronizer.set_schema({":position": Packed.of(VariantSchema.vector3().quantized(0.01, -512, 512), Vector3.ZERO)})
## [/codeblock]
## Values stand one behind the other in netfox's packets, with no length between them. Where one is refused and its schema does
## not always take as many bits, nothing behind it can be found: the rest of the packet is passed over.

## netfox's class of serializers, and the script that is made over it: a script that names a missing class is an error.
const BASE := "NetworkSchemaSerializer"
const OVER := "extends %s

## Packs, and counts what it refused.
var packer: RefCounted

func encode(value: Variant, buffer: StreamPeerBuffer) -> void:
	packer.encode(value, buffer)

func decode(buffer: StreamPeerBuffer) -> Variant:
	return packer.decode(buffer)
"

static var _scripts := {}

## How many values were refused, when they were sent and when they came.
var refused := 0
## The reason of the last refusal, as [method VariantCodec.get_error] has it.
var last_error := {}

var _codec := VariantCodec.new()
var _fallback: Variant
var _sent_instead := PackedByteArray()
## Bytes of every value, or -1 where they differ.
var _size := -1


## Returns a serializer for netfox that packs by `schema`; its `packer` is an object of this script. It is null in a project
## that has no netfox.
static func of(schema: VariantSchema, fallback: Variant, limits: VariantLimits = null) -> RefCounted:
	var is_base := func(known: Dictionary) -> bool: return known["class"] == BASE
	if not ProjectSettings.get_global_class_list().any(is_base):
		push_error("VariantSchemaSerializer: this project has no netfox with " + BASE)
		return null
	return over(BASE, schema, fallback, limits)


## Returns the same over another class: its name, or the path of its script in quotes.
static func over(base: String, schema: VariantSchema, fallback: Variant, limits: VariantLimits = null) -> RefCounted:
	if not _scripts.has(base):
		var script := GDScript.new()
		script.source_code = OVER % base
		if script.reload() != OK:
			return null
		_scripts[base] = script
	var serializer: RefCounted = _scripts[base].new()
	serializer.packer = new(schema, fallback, limits)
	return serializer


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
