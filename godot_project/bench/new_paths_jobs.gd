extends "res://bench/static_jobs.gd"
## Times node paths that are new each time: more of them than the library caches.

const TURNS := 12

var _turns: Array[PackedByteArray] = []
var _turn := 0


func _init(given: Variant) -> void:
	super(given)
	for turn in TURNS:
		_turns.append(var_to_bytes(given.map(
				func(path: NodePath) -> NodePath: return NodePath(str(path).replace("level", "level_%d" % turn)))))


func engine_decode(times: int) -> int:
	_go_on()
	return super(times)


func ours_decode(times: int) -> int:
	_go_on()
	return super(times)


func _go_on() -> void:
	_turn = (_turn + 1) % TURNS
	bytes = _turns[_turn]
