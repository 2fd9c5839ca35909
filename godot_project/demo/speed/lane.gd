extends RefCounted
## Times one workload in one direction: it runs the engine's function and ours in turns and keeps their times.
## Nothing is timed before both have given the same bytes. It draws nothing.

enum Way { ENCODE, DECODE }

## The microseconds, about, that each of the two runs for in a round.
const ROUND_USEC := 400
const MOST_ROUNDS := 41

var name: String
var way: Way
var size: int
## Whether ours and the engine's gave the same; if not, nothing is timed.
var is_equal := false
var rounds := 0
var _value: Variant
var _bytes: PackedByteArray
var _calls := 1
var _engine := PackedFloat64Array()
var _ours := PackedFloat64Array()


func _init(called: String, value: Variant, to: Way) -> void:
	name = called
	way = to
	_value = value
	_bytes = var_to_bytes(value)
	size = _bytes.size()
	# Bytes are compared in both directions, so that the values are really equal and not only by ==.
	if way == Way.ENCODE:
		is_equal = VariantStream.encode(value) == _bytes
	else:
		is_equal = var_to_bytes(VariantStream.decode(_bytes)) == _bytes


## Runs both for a short time; the side that begins changes from round to round.
func run() -> void:
	if not is_equal:
		return
	var engine := 0.0
	var ours := 0.0
	if rounds % 2 == 0:
		engine = _time(false)
		ours = _time(true)
	else:
		ours = _time(true)
		engine = _time(false)
	rounds += 1
	if rounds == 1:
		# The first round is the slow one; it only tells how many calls make a round.
		_calls = maxi(1, roundi(ROUND_USEC / maxf(0.1, engine)))
		return
	_keep(_engine, engine)
	_keep(_ours, ours)


## Returns the engine's microseconds for a call, the median of the last rounds; 0 before the second round.
func engine_usec() -> float:
	return _middle(_engine)


func ours_usec() -> float:
	return _middle(_ours)


## Returns the engine's time divided by ours; 0 before anything is measured.
func ratio() -> float:
	return 0.0 if _ours.is_empty() else engine_usec() / ours_usec()


func _time(is_ours: bool) -> float:
	var started := Time.get_ticks_usec()
	if way == Way.ENCODE and is_ours:
		for i in _calls:
			VariantStream.encode(_value)
	elif way == Way.ENCODE:
		for i in _calls:
			var_to_bytes(_value)
	elif is_ours:
		for i in _calls:
			VariantStream.decode(_bytes)
	else:
		for i in _calls:
			bytes_to_var(_bytes)
	return maxf(0.001, float(Time.get_ticks_usec() - started) / _calls)


static func _keep(times: PackedFloat64Array, time: float) -> void:
	times.append(time)
	if times.size() > MOST_ROUNDS:
		times.remove_at(0)


static func _middle(times: PackedFloat64Array) -> float:
	if times.is_empty():
		return 0.0
	var sorted := times.duplicate()
	sorted.sort()
	return sorted[sorted.size() / 2]
