extends VBoxContainer
## Implements the tab "Speed": the engine's functions and ours at the same work, a slice of each frame. The
## bars settle over time. workloads.gd has the work and lane.gd times it.

const Lane := preload("lane.gd")
const Workloads := preload("workloads.gd")

## The microseconds of a frame that are given to timing. A round that has begun is ended, so a slice may be a
## round longer.
const SLICE_USEC := 4000

var lanes: Array[Lane] = []
var _next := 0
var _slice_usec := 0


func _ready() -> void:
	%Pause.toggled.connect(func(is_paused: bool) -> void: %Pause.text = "Go on" if is_paused else "Pause")
	%Again.pressed.connect(begin)
	begin()


func begin() -> void:
	lanes = []
	_next = 0
	for workload in Workloads.all():
		for way: Lane.Way in [Lane.Way.ENCODE, Lane.Way.DECODE]:
			lanes.append(Lane.new(workload.name, workload.value, way))
	%Encoding.show_lanes(_of(Lane.Way.ENCODE))
	%Decoding.show_lanes(_of(Lane.Way.DECODE))
	var equal := lanes.filter(func(lane: Lane) -> bool: return lane.is_equal).size()
	%Equal.text = "%d of %d" % [equal, lanes.size()]


func _process(_delta: float) -> void:
	if not is_visible_in_tree() or %Pause.button_pressed:
		return
	var started := Time.get_ticks_usec()
	_slice_usec = 0
	while _slice_usec < SLICE_USEC:
		lanes[_next % lanes.size()].run()
		_next += 1
		_slice_usec = Time.get_ticks_usec() - started
	%EncodeMean.text = _mean(Lane.Way.ENCODE)
	%DecodeMean.text = _mean(Lane.Way.DECODE)
	%Rounds.text = str(_next / lanes.size())
	%Slice.text = "%.1f ms" % (_slice_usec / 1000.0)


func _of(way: Lane.Way) -> Array[Lane]:
	return lanes.filter(func(lane: Lane) -> bool: return lane.way == way)


## Returns the geometric mean of the ratios, which is symmetric in the two sides.
func _mean(way: Lane.Way) -> String:
	var sum := 0.0
	var count := 0
	for lane in _of(way):
		if lane.ratio() > 0.0:
			sum += log(lane.ratio())
			count += 1
	return "%.1f×" % exp(sum / count) if count > 0 else "-"
