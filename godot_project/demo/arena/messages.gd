extends RefCounted
## Declares the arena's messages. The server and the clients load this one file, so that they cannot differ.

## States a second.
const RATE := 20
const MOST_ENTITIES := 64
## Half the length of the arena's sides, in metres.
const REACH := 128.0
const HEIGHT := 32.0
## How many times as fast as the clock the arena is played, as rates go by the clock. A rehearsal that is stepped sets more.
static var pace := 1

const ACTS: Array[String] = ["stand", "walk", "hit"]


static func protocol() -> VariantProtocol:
	var made := VariantProtocol.new()
	made.add(&"move", move(), {
		"sender": VariantProtocol.CLIENT, "rate": 2 * RATE * pace, "burst": RATE, "mode": VariantProtocol.UNRELIABLE_ORDERED})
	made.add(&"seen", seen(), {
		"sender": VariantProtocol.CLIENT, "rate": 2 * RATE * pace, "burst": 2 * RATE, "mode": VariantProtocol.UNRELIABLE})
	made.add(&"over", VariantSchema.bool(), {"sender": VariantProtocol.SERVER})
	made.add_state(&"world", world())
	assert(made.is_well_formed(), str(made.get_build_errors()))
	return made


## The direction in which a player wants to go.
static func move() -> VariantSchema:
	return VariantSchema.dict({"dir": VariantSchema.vector2().quantized(0.01, -1, 1).max_length(1.02)})


## The digest of a state that a client has, by which the server finds out whether both see the same.
static func seen() -> VariantSchema:
	return VariantSchema.dict({"tick": VariantSchema.int(0, 0xFFFF_FFFF), "digest": VariantSchema.int()})


static func world() -> VariantSchema:
	return VariantSchema.dict({
		"tick": VariantSchema.int(0, 0xFFFF_FFFF),
		"entities": VariantSchema.array(VariantSchema.dict({
			"id": VariantSchema.int(0, 65_535),
			"pos": VariantSchema.vector3().within(AABB(Vector3(-REACH, 0, -REACH), Vector3(2 * REACH, HEIGHT, 2 * REACH))).quantized(0.05),
			"vel": VariantSchema.vector3().quantized(0.1, -10, 10),
			"rot": VariantSchema.quaternion().bits(10),
			"hp": VariantSchema.int(0, 100),
			"act": VariantSchema.enum(ACTS).room_for(8),
		})).keyed("id").max_size(MOST_ENTITIES),
	})
