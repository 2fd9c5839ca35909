extends "res://bench/static_jobs.gd"
## Node paths that nobody has seen lately, each time others: more of them than the library keeps.

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
