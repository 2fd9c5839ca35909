extends RefCounted
## Lists the three attacks on a receiver of packets: their names, what each sends, and how often. It sends
## nothing itself.

## The attacks in the order in which they are played.
const NAMES: PackedStringArray = ["flood", "text", "empty"]
## The kinds of VariantCodec's errors by which a receiver of raw packets may refuse each.
const REFUSALS := {"flood": "TOO_MANY_ENTRIES", "text": "WRONG_TYPE", "empty": "INCOMPLETE"}
const COLLIDING_KEYS := 12_000
const CALLS := 1000
## The name of the receiver in the server's tree, and of the attacker in its own: RPCs find their node by
## path.
const NODE := "Net"


## Returns the argument of the RPC.
static func argument(name: String, keys: int) -> Variant:
	match name:
		"flood":
			return colliding_keys(keys)
		"text":
			return "text"
	return PackedByteArray()


## Returns the bytes for a receiver that takes raw packets. SceneMultiplayer sends no empty packet, so "empty"
## sends one byte.
static func packet(name: String, keys: int) -> PackedByteArray:
	return PackedByteArray([0]) if name == "empty" else var_to_bytes(argument(name, keys))


static func calls(name: String) -> int:
	return 1 if name == "flood" else CALLS


## Makes keys of one hash: the engine's is `hash * 33 + letter`, so "b1" and "aR" have equal ones.
static func colliding_keys(count: int) -> Dictionary:
	var keys := {}
	for number in count:
		var key := ""
		for bit in 14:
			key += "b1" if number >> bit & 1 else "aR"
		keys[key] = null
	return keys
