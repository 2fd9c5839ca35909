extends RefCounted
## Packs a property that netfox sends, by a VariantSchema. Only `of()` needs netfox, so that a project without it has no error.
##
## [codeblock]
## const Packed := preload("res://addons/variant_stream/netfox/variant_schema_serializer.gd")
## var place := VariantSchema.vector3().quantized(0.01, -512, 512).clamped()
## synchronizer.set_schema({":position": Packed.of(place, Vector3.ZERO), ":rotation_degrees:y": Packed.degrees(8)})
## [/codeblock]
## netfox writes the values of a node one behind the other, with no length between them. Where one is refused and its schema does
## not always take as many bits, nothing behind it can be found: the rest of that node's values is passed over.

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
## The most bytes of a value, or -1 where there is no bound.
var _most := -1
## Whether the game has degrees where the schema has radians.
var _is_in_degrees := false
var _has_warned := false


## Returns a serializer for netfox that packs by `schema`; its `packer` is an object of this script. It is null in a project
## that has no netfox, and for a `fallback` that does not fit the schema.
static func of(schema: VariantSchema, fallback: Variant, limits: VariantLimits = null) -> RefCounted:
	return over(BASE, schema, fallback, limits) if _has_netfox() else null


## Returns one for an angle in degrees, in so many bits, as netfox's `degrees8()`: -90 arrives as 270.
static func degrees(bits: int, fallback := 0.0) -> RefCounted:
	return degrees_over(BASE, bits, fallback) if _has_netfox() else null


## Returns the same as `of()` over another class: its name, or the path of its script in quotes.
static func over(base: String, schema: VariantSchema, fallback: Variant, limits: VariantLimits = null) -> RefCounted:
	var packer: RefCounted = new(schema, fallback, limits)
	if not packer._codec.get_error().is_empty():
		push_error("VariantSchemaSerializer: the fallback does not fit the schema: " + packer._codec.get_error_message())
		return null
	if not _scripts.has(base):
		var script := GDScript.new()
		script.source_code = OVER % base
		if script.reload() != OK:
			return null
		_scripts[base] = script
	var serializer: RefCounted = _scripts[base].new()
	serializer.packer = packer
	return serializer


static func degrees_over(base: String, bits: int, fallback := 0.0) -> RefCounted:
	var serializer := over(base, VariantSchema.angle(bits), deg_to_rad(fallback))
	if serializer != null:
		serializer.packer._is_in_degrees = true
	return serializer


static func _has_netfox() -> bool:
	var is_base := func(known: Dictionary) -> bool: return known["class"] == BASE
	if ProjectSettings.get_global_class_list().any(is_base):
		return true
	push_error("VariantSchemaSerializer: this project has no netfox with " + BASE)
	return false


## [param fallback] is handed out in place of a value that was refused, and sent in place of one that does not fit.
func _init(schema: VariantSchema, fallback: Variant, limits: VariantLimits = null) -> void:
	_codec.schema = schema
	_codec.limits = limits if limits else VariantLimits.network()
	_codec.form = VariantCodec.FORM_PACKED
	_codec.tagging = VariantSchema.BARE
	_codec.strictness = VariantCodec.ENGINE  # other values follow
	_fallback = fallback
	_sent_instead = _codec.encode(fallback)
	var size := schema.get_packed_size()
	_most = _bytes_of(size.get("max_bits", -1))
	_size = _most if size.get("is_fixed", false) else -1


func encode(value: Variant, buffer: StreamPeerBuffer) -> void:
	var bytes := _codec.encode(deg_to_rad(value) if _is_in_degrees and (value is float or value is int) else value)
	var error := _codec.get_error()
	if not error.is_empty():
		_note(error)
		_warn()
		bytes = _sent_instead
	if not bytes.is_empty():
		buffer.put_data(bytes)


func decode(buffer: StreamPeerBuffer) -> Variant:
	var at := buffer.get_position()
	var left := buffer.get_size() - at
	# Only what the value can have: netfox's buffer has the values of a whole node.
	var bytes: PackedByteArray = buffer.get_partial_data(left if _most < 0 else mini(left, _most))[1]
	if _codec.decode(bytes) == OK:
		buffer.seek(at + _codec.get_consumed())
		return _in_game(_codec.data)
	_note(_codec.get_error())
	buffer.seek(buffer.get_size() if _size < 0 else mini(at + _size, buffer.get_size()))
	return _in_game(_fallback.duplicate(true) if _fallback is Array or _fallback is Dictionary else _fallback)


func _in_game(value: Variant) -> Variant:
	return fposmod(rad_to_deg(value), 360.0) if _is_in_degrees else value


func _note(error: Dictionary) -> void:
	refused += 1
	last_error = error


## Warns once of a value that was not sent, since a game has one in each tick. Values that others sent are only counted.
func _warn() -> void:
	if _has_warned:
		return
	_has_warned = true
	var advice := " Make the range wider, or write .clamped() to send the nearest value."
	var is_range: bool = last_error.code == VariantCodec.OUT_OF_RANGE
	push_warning("VariantSchemaSerializer: the fallback is sent in place of a value that the schema refuses: %s.%s This is said once; packer.refused counts." % [
			last_error.message, advice if is_range else ""])


static func _bytes_of(bits: int) -> int:
	return (bits + 7) >> 3 if bits >= 0 else -1
