extends RefCounted
## Makes the packets of the ENet scene, with the answer due to each. It sends and receives nothing.

## The names of VariantCodec's kinds of errors, in the order in which packets are sent; empty for a good one.
const DUE: PackedStringArray = [
	"", "OUT_OF_RANGE", "INCOMPLETE", "TOO_MANY_BYTES", "",
	"MISSING_KEY", "NOT_IN_ENUM", "UNKNOWN_KEY", "", "WRONG_TYPE",
]
## The size that the server allows for one packet.
const MOST_BYTES := 1024


static func schema() -> VariantSchema:
	return VariantSchema.dict({
		"seq": VariantSchema.int(0, 0xFFFF_FFFF),
		"dir": VariantSchema.vector2().max_length(1.01),
		"act": VariantSchema.enum(["none", "jump", "fire"]),
		"items": VariantSchema.array(VariantSchema.dict({
			"id": VariantSchema.int(1, 4096),
			"count": VariantSchema.int(1, 99),
		})).max_size(16),
		"note?": VariantSchema.string().max_chars(64),
	})


## Returns the answer due to the packet of this number, as one of VariantCodec's kinds; 0 for accepted.
static func due(number: int) -> int:
	var name := DUE[number % DUE.size()]
	return 0 if name.is_empty() else ClassDB.class_get_integer_constant(&"VariantCodec", name)


static func packet(number: int) -> PackedByteArray:
	var value := {
		"seq": number, "dir": Vector2.from_angle(number), "act": ["none", "jump", "fire"][number % 3],
		"items": [{"id": 1 + number % 4096, "count": 1 + number % 99}],
	}
	match DUE[number % DUE.size()]:
		"OUT_OF_RANGE":
			value.items[0].count = 100 + number
		"INCOMPLETE":
			return var_to_bytes(value).slice(0, -4)
		"TOO_MANY_BYTES":
			value.note = "x".repeat(MOST_BYTES)
		"MISSING_KEY":
			value.erase("dir")
		"NOT_IN_ENUM":
			value.act = "fly"
		"UNKNOWN_KEY":
			value.is_admin = true
		"WRONG_TYPE":
			value.items = "all of them"
	return var_to_bytes(value)
