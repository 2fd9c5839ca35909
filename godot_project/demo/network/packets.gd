extends RefCounted
## Makes the packets that the client sends: honest moves, and twelve kinds of hostile ones, four of each
## group. Each hostile kind has the kind of error with which it has to be refused.

enum Group { HONEST, MALFORMED, OVER_LIMITS, BREAKS_SCHEMA }

const GROUP_NAMES: PackedStringArray = ["Accepted", "Malformed", "Over a limit", "Breaks the schema"]
const GROUP_COLORS: PackedStringArray = ["accent", "bad", "warn", "odd"]

## Describes a hostile kind of packet.
class Hostile:
	var group: Group
	## The error due, a `VariantCodec.ErrorKind`.
	var code: int
	## The function here that makes the bytes, by name: a Callable would hold this object, which holds it.
	var maker: StringName
	var arguments: Array

	func _init(of: Group, expected: int, made_by: StringName, with: Array = []) -> void:
		group = of
		code = expected
		maker = made_by
		arguments = with


var hostile: Array[Hostile] = [
	Hostile.new(Group.MALFORMED, VariantCodec.INCOMPLETE, &"_cut_short"),
	Hostile.new(Group.MALFORMED, VariantCodec.UNKNOWN_TYPE, &"_unknown_type"),
	Hostile.new(Group.MALFORMED, VariantCodec.INVALID_UTF8, &"_no_text"),
	Hostile.new(Group.MALFORMED, VariantCodec.TRAILING_BYTES, &"_with_a_tail"),
	Hostile.new(Group.OVER_LIMITS, VariantCodec.TOO_MANY_BYTES, &"_with", ["say", "spam ".repeat(500)]),
	Hostile.new(Group.OVER_LIMITS, VariantCodec.TOO_MANY_ENTRIES, &"_two_billion_entries"),
	Hostile.new(Group.OVER_LIMITS, VariantCodec.STRING_TOO_LONG, &"_with", ["say", "spam ".repeat(60)]),
	Hostile.new(Group.OVER_LIMITS, VariantCodec.TYPE_NOT_ALLOWED, &"_object"),
	Hostile.new(Group.BREAKS_SCHEMA, VariantCodec.WRONG_TYPE, &"_with", ["seq", "first"]),
	Hostile.new(Group.BREAKS_SCHEMA, VariantCodec.OUT_OF_RANGE, &"_with", ["items", [{"id": 5, "count": 250}]]),
	Hostile.new(Group.BREAKS_SCHEMA, VariantCodec.NOT_FINITE, &"_with", ["at", Vector2(NAN, 0)]),
	Hostile.new(Group.BREAKS_SCHEMA, VariantCodec.UNKNOWN_KEY, &"_with", ["admin", true]),
]
var _seq := 0
var _random := RandomNumberGenerator.new()


func _init() -> void:
	_random.seed = 20240


## Returns the schema of the only packet of this game.
static func schema() -> VariantSchema:
	return VariantSchema.dict({
		"seq": VariantSchema.int(0, 0xFFFF_FFFF),
		"at": VariantSchema.vector2().within(Rect2(-1, -1, 2, 2)),
		"act": VariantSchema.enum(["none", "jump", "fire"]),
		"items": VariantSchema.array(VariantSchema.dict({
			"id": VariantSchema.int(1, 4096),
			"count": VariantSchema.int(1, 99),
		})).max_size(16),
		"say": VariantSchema.string().max_chars(64).optional(""),
	})


static func limits() -> VariantLimits:
	var tight := VariantLimits.network()
	tight.max_bytes = 2048
	tight.max_string_bytes = 256
	return tight


func honest() -> PackedByteArray:
	_seq += 1
	return _honest()


## Draws a hostile kind, or null for an honest packet. `share` is from 0 to 1.
func draw(share: float) -> Hostile:
	return hostile[_random.randi_range(0, hostile.size() - 1)] if _random.randf() < share else null


func make(kind: Hostile) -> PackedByteArray:
	return callv(kind.maker, kind.arguments)


static func group_of(code: int) -> Group:
	if code == 0:
		return Group.HONEST
	if code >= VariantCodec.WRONG_TYPE:
		return Group.BREAKS_SCHEMA
	return Group.OVER_LIMITS if code >= VariantCodec.TOO_MANY_BYTES else Group.MALFORMED


func _move() -> Dictionary:
	var angle := _seq * 0.02
	return {
		"seq": _seq, "at": Vector2(cos(angle), sin(angle * 2.0)), "act": ["none", "jump", "fire"][_seq % 3],
		"items": [{"id": 5, "count": 1 + _seq % 99}],
	}


func _honest() -> PackedByteArray:
	return VariantStream.encode(_move())


func _with(key: String, value: Variant) -> PackedByteArray:
	return VariantStream.encode(_move().merged({key: value}, true))


func _cut_short() -> PackedByteArray:
	return _honest().slice(0, -6)


func _with_a_tail() -> PackedByteArray:
	return _honest() + PackedByteArray([0, 0, 0, 0])


func _unknown_type() -> PackedByteArray:
	var bytes := _honest()
	bytes.encode_u32(0, 99)
	return bytes


## Makes a packet whose count asks for gigabytes.
func _two_billion_entries() -> PackedByteArray:
	var bytes := _honest()
	bytes.encode_u32(4, 0x7FFF_FFFF)
	return bytes


## Makes a packet with 0xFF in a text, which is never valid.
func _no_text() -> PackedByteArray:
	var bytes := _with("act", "\u0001\u0001\u0001\u0001")
	bytes[bytes.find(1, 68)] = 0xFF
	return bytes


## Makes a packet with an object of class and properties: a reader that builds it runs the sender's code.
func _object() -> PackedByteArray:
	return var_to_bytes_with_objects(_move().merged({"say": RefCounted.new()}, true))
