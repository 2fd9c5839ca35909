extends RefCounted
## Plays the state that the server sends to its client, many times a second: fifty entities, half of which move. It counts
## the bytes of each state in all three forms, sends one of them, and compares what arrives with what was sent.

enum Form { VARIANT, PACKED, DELTA }

const COUNT := 50
const STATES_A_SECOND := 20
const AREA := AABB(Vector3(-512, -64, -512), Vector3(1024, 256, 1024))

## The form in which states are sent.
var form := Form.VARIANT
## Bytes of all states so far, by form, whichever of them was sent.
var bytes := PackedInt64Array([0, 0, 0])
var sent := 0
var arrived := 0
## The number of states that came out as others than were sent. It stays 0.
var wrong := 0
## The state that the client has.
var seen := {}
var _schema := schema()
var _sender := VariantCodec.new()
var _receiver := VariantCodec.new()
## The packed state that the client has told it has.
var _baseline := PackedByteArray()
## The packed states that are under way, and the form in which they were sent.
var _underway: Array[Array] = []
var _tick := 0
var _owed := 0.0


func _init() -> void:
	_sender.schema = _schema
	_sender.form = VariantCodec.FORM_PACKED
	_receiver.schema = _schema
	_receiver.limits = VariantLimits.network()


static func schema() -> VariantSchema:
	return VariantSchema.dict({
		"tick": VariantSchema.int(0, 0xFFFF_FFFF),
		"entities": VariantSchema.array(VariantSchema.dict({
			"id": VariantSchema.int(0, 65535),
			"pos": VariantSchema.vector3().within(AREA).quantized(0.01),
			"vel": VariantSchema.vector3().quantized(0.05, -20, 20),
			"rot": VariantSchema.quaternion().bits(10),
			"hp": VariantSchema.int(0, 100),
			"state": VariantSchema.enum(["idle", "run", "jump"]).room_for(8),
		})).keyed("id").max_size(200),
	})


## Sends what is due after so many seconds. `link` has send_back().
func play(seconds: float, link: RefCounted) -> void:
	_owed = minf(_owed + seconds * STATES_A_SECOND, 2.0)
	while _owed >= 1.0:
		_owed -= 1.0
		_tick += 1
		_send(state_of(_tick), link)


## Takes a packet as the client.
func take(packet: PackedByteArray) -> void:
	var expected: Array = _underway.pop_front()
	var due: PackedByteArray = expected[0]
	_receiver.form = VariantCodec.FORM_VARIANT if expected[1] == Form.VARIANT else VariantCodec.FORM_PACKED
	_receiver.baseline = _baseline if expected[1] == Form.DELTA else PackedByteArray()
	arrived += 1
	if _receiver.decode_into(seen, packet) != OK or _schema.pack(seen) != due:
		wrong += 1
		return
	_baseline = due


## Begins anew: the client has no state, and nothing is under way.
func forget() -> void:
	_underway.clear()
	_baseline = PackedByteArray()
	seen = {}


## Makes the state of a tick: every other entity walks in a circle of its own.
static func state_of(tick: int) -> Dictionary:
	var entities := []
	for at in COUNT:
		var turn := at * 0.7 + (tick * 0.03 if at % 2 == 0 else 0.0)
		var reach := 20.0 + at * 8.0
		var is_walking := at % 2 == 0
		entities.append({
			"id": at * 31, "pos": Vector3(cos(turn) * reach, 0.0, sin(turn) * reach),
			"vel": Vector3(-sin(turn), 0, cos(turn)) * (5.0 if is_walking else 0.0),
			"rot": Quaternion(Vector3.UP, turn), "hp": 100 - at, "state": "run" if is_walking else "idle",
		})
	return {"tick": tick, "entities": entities}


func _send(state: Dictionary, link: RefCounted) -> void:
	var plain := VariantStream.encode(state)
	var packed := _schema.pack(state)
	# In full, as long as the client has none.
	_sender.baseline = _baseline
	var delta := _sender.encode(state)
	for each: Array in [[Form.VARIANT, plain], [Form.PACKED, packed], [Form.DELTA, delta]]:
		bytes[each[0]] += each[1].size()
	if not _underway.is_empty():
		return  # one at a time, so that both sides have the same baseline
	var packet: PackedByteArray = [plain, packed, delta][form]
	if link.send_back(packet) == OK:
		sent += 1
		_underway.append([packed, form])
