extends RefCounted
## Times two ways to do the same work, round by round in turns. It knows nothing of the work.

const LEAST_ROUNDS := 5
const MOST_ROUNDS := 200
## The microseconds that a round should take at least, so that the clock's resolution does not matter.
const ROUND := 1500
## The steps of the clock that a round should take at least, where they are longer than a microsecond, as in
## browsers.
const STEPS := 30

## The microseconds for one comparison.
var budget := 250_000


## Compares `jobs`, which has engine_<what>(times) and ours_<what>(times); both return microseconds.
func compare(jobs: RefCounted, what: String) -> Dictionary:
	var engine := Callable(jobs, "engine_" + what)
	var ours := Callable(jobs, "ours_" + what)
	engine.call(1)
	var times := _times(ours)
	ours.call(times)
	var engine_times := PackedFloat64Array()
	var our_times := PackedFloat64Array()
	var ratios := PackedFloat64Array()
	var end := Time.get_ticks_usec() + budget
	while ratios.size() < LEAST_ROUNDS or (ratios.size() < MOST_ROUNDS and Time.get_ticks_usec() < end):
		# The side that begins a round changes too.
		var first: int = (engine if ratios.size() % 2 else ours).call(times)
		var second: int = (ours if ratios.size() % 2 else engine).call(times)
		var theirs: int = first if ratios.size() % 2 else second
		var mine: int = second if ratios.size() % 2 else first
		engine_times.append(float(theirs) / times)
		our_times.append(float(mine) / times)
		ratios.append(float(theirs) / maxi(1, mine))
	return _summary(engine_times, our_times, ratios)


## Returns how many calls make a round.
func _times(ours: Callable) -> int:
	var step := _step()
	if step == 1:
		return clampi(ROUND / maxi(1, mini(ours.call(1), ours.call(1))), 1, 2000)
	var least := maxi(ROUND, STEPS * step)
	var times := 1
	while mini(ours.call(times), ours.call(times)) < least and times < 1 << 20:
		times *= 2
	return times


## Returns the microseconds from one reading of the clock to the next different one, at least.
func _step() -> int:
	var least := ROUND
	for i in 5:
		var start := Time.get_ticks_usec()
		var now := start
		while now == start:
			now = Time.get_ticks_usec()
		least = mini(least, now - start)
	return least


func _summary(engine: PackedFloat64Array, ours: PackedFloat64Array, ratios: PackedFloat64Array) -> Dictionary:
	engine.sort()
	ours.sort()
	ratios.sort()
	var middle := ratios.size() / 2
	return {
		"engine_usec": engine[middle], "ours_usec": ours[middle], "ratio": ratios[middle],
		"engine_least_usec": engine[0], "ours_least_usec": ours[0],
		"ratio_of_minima": engine[0] / maxf(0.0001, ours[0]), "rounds": ratios.size(),
		"noise": (ratios[middle * 3 / 2] - ratios[middle / 2]) / ratios[middle],
	}
