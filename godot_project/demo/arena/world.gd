extends RefCounted
## Simulates the arena: bots that walk, hit each other and are replaced when they fall, and players that go
## where they are told. It knows nothing of the network.

const Messages := preload("messages.gd")

const BOTS := 47
const SPEED := 5.0
const HIT_RANGE := 4.0

var tick := 0
## Entities by their ids.
var entities := {}
var _random := RandomNumberGenerator.new()
var _next_id := 1


## Holds one bot or player.
class Entity:
	var pos := Vector3.ZERO
	var vel := Vector3.ZERO
	var rot := Quaternion.IDENTITY
	var hp := 100
	var act := "stand"
	## The tick in which a bot decides again; -1 for players.
	var decides_at := -1


func _init(start := 7) -> void:
	_random.seed = start
	for bot in BOTS:
		_add_bot()


## Adds a player and returns its id.
func add_player() -> int:
	return _add(Entity.new())


func remove(id: int) -> void:
	entities.erase(id)


## Sets the direction in which a player goes.
func steer(id: int, dir: Vector2) -> void:
	if id in entities:
		_go(entities[id], dir)


func step(delta: float) -> void:
	tick += 1
	for id: int in entities.keys():
		var entity: Entity = entities[id]
		if entity.decides_at == tick:
			_decide(entity)
		var edge := Vector3(Messages.REACH, 0, Messages.REACH)
		entity.pos = (entity.pos + entity.vel * delta).clamp(-edge, edge)
		if entity.hp == 0 and entity.decides_at >= 0:
			entities.erase(id)
			_add_bot()


## Returns the state as the schema of the messages wants it.
func state() -> Dictionary:
	var listed := []
	for id: int in entities:
		var entity: Entity = entities[id]
		listed.append({
			"id": id, "pos": entity.pos, "vel": entity.vel, "rot": entity.rot, "hp": entity.hp, "act": entity.act})
	return {"tick": tick, "entities": listed}


func _add(entity: Entity) -> int:
	var id := _next_id
	_next_id = _next_id % 65_535 + 1
	entity.pos = Vector3(_random.randf_range(-1, 1), 0, _random.randf_range(-1, 1)) * Messages.REACH * 0.9
	entities[id] = entity
	return id


func _add_bot() -> void:
	var bot := Entity.new()
	bot.decides_at = tick + _random.randi_range(1, 2 * Messages.RATE)
	_add(bot)


## Lets a bot stand, walk on or hit who is near.
func _decide(bot: Entity) -> void:
	bot.decides_at = tick + _random.randi_range(Messages.RATE, 3 * Messages.RATE)
	if _random.randf() < 0.5:
		_go(bot, Vector2.ZERO)
	else:
		_go(bot, Vector2.from_angle(_random.randf_range(-PI, PI)))
	for other: Entity in entities.values():
		if other != bot and other.pos.distance_to(bot.pos) < HIT_RANGE:
			other.hp = maxi(other.hp - 25, 0)
			bot.act = "hit"
			break


func _go(entity: Entity, dir: Vector2) -> void:
	entity.vel = Vector3(dir.x, 0, dir.y) * SPEED
	entity.act = "stand" if dir.is_zero_approx() else "walk"
	if not dir.is_zero_approx():
		entity.rot = Quaternion(Vector3.UP, -dir.angle())
