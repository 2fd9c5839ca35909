extends RefCounted
## Wraps the library under test for the conformance run: ENGINE strictness, engine limits, one reused codec. SAFE is asked in
## every way in, by codecs that are new and by one that has refused bytes before.
## It is the only file of the run that names the library's classes (late_subject.gd where none can), and
## judges nothing.

var _codec := VariantCodec.new()
var _full := VariantCodec.new()


func _init() -> void:
	for codec: VariantCodec in [_codec, _full]:
		codec.strictness = VariantCodec.ENGINE
		codec.limits = VariantLimits.engine()
	_full.full_objects = true


func version() -> String:
	return VariantStream.get_version()


func fallbacks() -> PackedStringArray:
	return VariantStream.get_fallbacks()


## Writes as VariantStream.encode() does, which warns of instance ids that nobody asked for: limits that allow objects ask.
func encode(value: Variant) -> PackedByteArray:
	return _codec.encode(value)


func encode_with_objects(value: Variant) -> PackedByteArray:
	return _full.encode(value)


func encoded_size(value: Variant) -> int:
	return VariantStream.encoded_size(value)


func decode(bytes: PackedByteArray) -> int:
	return _codec.decode(bytes)


func decode_with_objects(bytes: PackedByteArray) -> int:
	return _full.decode(bytes)


func validate(bytes: PackedByteArray) -> int:
	return _codec.validate(bytes)


## Returns the value of the last decode(); validate() may forget it.
func data() -> Variant:
	return _codec.data


func consumed() -> int:
	return _codec.get_consumed()


func error_message() -> String:
	return _codec.get_error_message()


## Tells whether SAFE strictness takes these bytes.
func takes(bytes: PackedByteArray) -> bool:
	return _safe(VariantLimits.engine()).validate(bytes) == OK


## Returns the verdict of SAFE strictness on these bytes, in every way that they can come in.
func verdicts(bytes: PackedByteArray) -> Dictionary:
	var all: Dictionary = {}
	for limits: VariantLimits in [VariantLimits.engine(), _wide(VariantLimits.save_file())]:
		var name := "engine()" if all.is_empty() else "save_file()"
		all["decode() under %s" % name] = _safe(limits).decode(bytes)
		all["validate() under %s" % name] = _safe(limits).validate(bytes)
		all["decode_into() under %s" % name] = _safe(limits).decode_into({}, bytes)
		var used := _safe(limits)
		for time in 3:
			used.decode(PackedByteArray([99]))
		all["decode() under %s, after refusals" % name] = used.decode(bytes)
		for time in 9:
			used.decode(PackedByteArray([28, 0, 0, 0, 0, 0, 0, 0]))
		all["decode() under %s, after values" % name] = used.decode(bytes)
		used.schema = VariantSchema.any()
		all["decode() under %s, with a schema" % name] = used.decode(bytes)
		all["validate() under %s, with a schema" % name] = used.validate(bytes)
		var reader := VariantReader.new()
		reader.codec.limits = limits
		reader.feed(bytes)
		all["a reader under %s" % name] = reader.next()
	var plain := _wide(VariantLimits.save_file())
	plain.allowed_types &= ~(1 << TYPE_OBJECT)
	all["decode() without objects"] = _safe(plain).decode(bytes)
	return all


## Tells whether a save takes this value, and gives it back.
func saves(value: Variant) -> bool:
	var save := VariantSave.new()
	save.limits = VariantLimits.engine()
	var bytes := save.to_bytes(value)
	return not bytes.is_empty() and save.from_bytes(bytes) == OK and encode(save.data) == encode(value)


static func _safe(limits: VariantLimits) -> VariantCodec:
	var codec := VariantCodec.new()
	codec.limits = limits
	return codec


## Lets every type in, as a key too.
static func _wide(limits: VariantLimits) -> VariantLimits:
	limits.allowed_types = VariantLimits.engine().allowed_types
	limits.allowed_key_types = VariantLimits.engine().allowed_key_types
	limits.live_references = true
	return limits
