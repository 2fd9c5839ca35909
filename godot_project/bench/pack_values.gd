extends RefCounted
## Makes the packets that docs/PACKING.md gives sizes of, and their schemas: numbers rounded, and lossless. It times nothing.

const ENTITIES := 50


static func move() -> Dictionary:
	return {
		"seq": 123456, "dir": Vector2(0.6, -0.8), "aim": 1.234567891, "act": "jump",
		"items": [{"id": 5, "count": 25}],
	}


## Makes the same crowd each time; half of them stand still from tick to tick.
static func crowd(tick: int) -> Dictionary:
	var list := []
	var random := RandomNumberGenerator.new()
	random.seed = 7
	for at in ENTITIES:
		var place := Vector3(random.randf_range(-500, 500), random.randf_range(-60, 180), random.randf_range(-500, 500))
		var turn := Quaternion.from_euler(Vector3(random.randf(), random.randf_range(-PI, PI), random.randf()))
		var speed := Vector3(random.randf_range(-20, 20), random.randf_range(-20, 20), random.randf_range(-20, 20))
		if at % 2 == 0:
			place += speed * 0.05 * tick
			turn = turn * Quaternion(Vector3.UP, 0.02 * tick)
		list.append({
			"id": at * 37, "pos": place, "vel": speed, "rot": turn.normalized(), "hp": random.randi_range(0, 100),
			"state": ["idle", "run", "jump"][random.randi_range(0, 2)],
		})
	return {"tick": 70 + tick, "entities": list}


static func inventory() -> Dictionary:
	var slots := []
	var random := RandomNumberGenerator.new()
	random.seed = 7
	for slot in 30:
		slots.append({
			"slot": slot, "item": random.randi_range(1, 4096), "count": random.randi_range(1, 99),
			"durability": random.randf(), "bound": random.randi_range(0, 1) == 1,
		})
	return {"slots": slots}


## The schema of such a value.
static func schema(value: Dictionary, is_rounded: bool) -> VariantSchema:
	if value.has("seq"):
		return _move(is_rounded)
	return _crowd(is_rounded) if value.has("tick") else _inventory()


## The most bytes that it may become.
static func most_bytes(value: Dictionary, is_rounded: bool) -> int:
	if value.has("seq"):
		return 13 if is_rounded else 25
	if value.has("tick"):
		return 830 if is_rounded else 2150
	return 129


static func _move(is_rounded: bool) -> VariantSchema:
	var dir := VariantSchema.vector2().max_length(1.01)
	return VariantSchema.dict({
		"seq": VariantSchema.int(0, 0xFFFF_FFFF),
		"dir": dir.quantized(0.005, -1.01, 1.01) if is_rounded else dir,
		"aim": VariantSchema.angle(13) if is_rounded else VariantSchema.float(),
		"act": VariantSchema.enum(["none", "jump", "fire"]),
		"items": VariantSchema.array(VariantSchema.dict({
			"id": VariantSchema.int(1, 4096), "count": VariantSchema.int(1, 99),
		})).max_size(16),
		"note": VariantSchema.string().max_chars(64).optional(""),
	})


static func _crowd(is_rounded: bool) -> VariantSchema:
	var pos := VariantSchema.vector3().within(AABB(Vector3(-512, -64, -512), Vector3(1024, 256, 1024)))
	var vel := VariantSchema.vector3()
	var rot := VariantSchema.quaternion()
	return VariantSchema.dict({
		"tick": VariantSchema.int(0, 0xFFFF_FFFF),
		"entities": VariantSchema.array(VariantSchema.dict({
			"id": VariantSchema.int(0, 65535),
			"pos": pos.quantized(0.01) if is_rounded else pos,
			"vel": vel.quantized(0.05, -20, 20) if is_rounded else vel,
			"rot": rot.bits(10) if is_rounded else rot,
			"hp": VariantSchema.int(0, 100),
			"state": VariantSchema.enum(["idle", "run", "jump"]).room_for(8),
		})).keyed("id").max_size(200),
	})


static func _inventory() -> VariantSchema:
	return VariantSchema.dict({
		"slots": VariantSchema.array(VariantSchema.dict({
			"slot": VariantSchema.int(0, 39), "item": VariantSchema.int(1, 4096), "count": VariantSchema.int(1, 99),
			"durability": VariantSchema.float(0.0, 1.0).bits(10), "bound": VariantSchema.bool(),
		})).keyed("slot").max_size(40),
	})
