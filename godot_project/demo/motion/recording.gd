extends RefCounted
## Reads the recording of 250 rigid bodies, and says their states: what they cost alone, and over two sides of a protocol. It draws
## nothing.
##
## `bodies.states` has 450 states of Godot's physics, 30 a second: each behind its length in 16 bits, the first packed, the
## second as its difference from the first, all others as theirs from the two before.

const RATE := 30
const COUNT := 250
const PATH := "res://demo/motion/bodies.states"

## Others' figures for the scene that ours is a port of, in kB/s, as KinematicSoup's open benchmark of network frameworks tells them.
const TOLD := {
	"Netcode for GameObjects": 185, "Mirror": 117, "Photon Fusion 2": 107, "FishNet": 98, "PurrNet": 95, "Reactor": 10,
}

var packed: Array[PackedByteArray] = []
var _codec := VariantCodec.new()


## The schema of a state: places in steps of a centimetre, rotations in three numbers of 11 bits.
static func schema(most: int) -> VariantSchema:
	return VariantSchema.dict({
		"tick": VariantSchema.int(0, 0xFFFF_FFFF),
		"e": VariantSchema.array(VariantSchema.dict({
			"id": VariantSchema.int(0, most - 1),
			"p": VariantSchema.vector3().quantized(0.01, -64, 64),
			"r": VariantSchema.quaternion().bits(11),
		})).keyed("id").max_size(most),
	})


func _init() -> void:
	_codec.form = VariantCodec.FORM_PACKED
	_codec.tagging = VariantSchema.BARE
	_codec.schema = schema(256)
	var file := FileAccess.open(PATH, FileAccess.READ)
	while file != null and file.get_position() < file.get_length():
		var told := file.get_buffer(file.get_16())
		if not packed.is_empty():
			_codec.baseline = packed[0] if packed.size() == 1 else [packed[-1], packed[-2]]
			told = _codec.apply_delta(told)
		packed.append(told)
	_codec.baseline = PackedByteArray()


## The state of a tick, of so many bodies: beyond 250 the same again, some time later.
func state(tick: int, count := COUNT) -> Dictionary:
	var made := {"tick": tick, "e": []}
	var group := 0
	while count > 0:
		_codec.decode(packed[(tick + group * 97) % packed.size()])
		for body: Dictionary in _codec.data.e.slice(0, mini(count, COUNT)):
			body.id += group * COUNT
			made.e.append(body)
		count -= COUNT
		group += 1
	return made


## kB/s of the engine's own bytes.
func engine_kb() -> float:
	return _kb(func(tick: int) -> int: return var_to_bytes(state(tick)).size(), 0)


## kB/s of packed states, each in full.
func full_kb() -> float:
	return _kb(func(tick: int) -> int: return packed[tick].size(), 0)


## kB/s of differences from a state that is so many ticks old, and from another as long before it if there are to be two.
func delta_kb(age: int, is_double: bool) -> float:
	return _kb(func(tick: int) -> int:
		var value := state(tick)
		_codec.baseline = [packed[tick - age], packed[tick - 2 * age]] if is_double else packed[tick - age]
		var size := _codec.encode(value).size()
		_codec.baseline = PackedByteArray()
		return size, 2 * age)


func _kb(size: Callable, first: int) -> float:
	var sum := 0
	for tick in range(first, packed.size()):
		sum += size.call(tick)
	return float(sum) * RATE / (packed.size() - first) / 1000.0
