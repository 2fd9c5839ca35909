extends Control
## 250 rigid bodies over a network, as a client has them, with what they cost in kB/s: over both sides, and as differences from one
## state and from two, beside what others tell of theirs. `-- --measure` prints the figures of docs/STATES.md and ends.

const Recording := preload("recording.gd")
const TwoSides := preload("two_sides.gd")
## The width of what stands beside the bodies.
const PANEL := 460
## Metres from the middle to the edges.
const REACH := 36.0

var _recording := Recording.new()
var _sides: TwoSides
var _tick := 0
var _left := 0.0
var _count := Recording.COUNT
var _text: Label
## Packs states alone, as old as acknowledgements make them here: the packed ones of late, and the bytes of differences.
var _codec := VariantCodec.new()
var _packed: Array[PackedByteArray] = []
var _from_one := PackedInt32Array()
var _from_two := PackedInt32Array()


func _ready() -> void:
	if "--measure" in OS.get_cmdline_user_args():
		_measure()
		get_tree().quit()
		return
	var panel := PanelContainer.new()
	var margin := MarginContainer.new()
	var rows := VBoxContainer.new()
	for side: String in ["left", "top", "right", "bottom"]:
		margin.add_theme_constant_override("margin_" + side, 16)
	margin.custom_minimum_size = Vector2(PANEL, 0)
	panel.set_anchors_and_offsets_preset(Control.PRESET_LEFT_WIDE)
	add_child(panel)
	panel.add_child(margin)
	margin.add_child(rows)
	_slider(rows, "bodies", 50, 1000, 50, Recording.COUNT, func(value: float) -> void: _begin(int(value)))
	_slider(rows, "ticks on the way", 0, 12, 1, 2, func(value: float) -> void: _sides.delay = int(value))
	_slider(rows, "loss in percent", 0, 30, 1, 0, func(value: float) -> void: _sides.loss = int(value))
	_text = Label.new()
	rows.add_child(_text)
	_begin(_count)


func _slider(rows: Control, title: String, least: float, most: float, step: float, value: float, changed: Callable) -> void:
	var label := Label.new()
	var slider := HSlider.new()
	slider.min_value = least
	slider.max_value = most
	slider.step = step
	slider.value = value
	label.text = "%s: %d" % [title, value]
	slider.value_changed.connect(func(now: float) -> void:
		label.text = "%s: %d" % [title, now]
		changed.call(now))
	rows.add_child(label)
	rows.add_child(slider)


func _begin(count: int) -> void:
	_count = count
	_codec.form = VariantCodec.FORM_PACKED
	_codec.tagging = VariantSchema.BARE
	_codec.schema = Recording.schema(1000)
	_packed.clear()
	_from_one.clear()
	_from_two.clear()
	var before := _sides
	_sides = TwoSides.new(1000)
	if before != null:
		_sides.delay = before.delay
		_sides.loss = before.loss
		before.close()


func _process(delta: float) -> void:
	if _sides == null:
		return
	_left += delta * Recording.RATE
	while _left >= 1.0:
		_left = minf(_left - 1.0, 4.0)
		var state := _recording.state(_tick, _count)
		_sides.step(state)
		_pack_alone(state)
		_tick += 1
		var engine := var_to_bytes(state).size() * Recording.RATE / 1000.0
		_text.text = "\n%.1f kB/s over both sides, heads counted\n%.0f kB/s as Variants\nparts are %d states apart\n\n" % [
			_sides.kb(Recording.RATE), engine, _sides.spread()]
		_text.text += "differences alone, %d ticks old:\nfrom one state: %.1f kB/s\nfrom two: %.1f kB/s\n\n" % [
			_age(), _mean(_from_one), _mean(_from_two)]
		_text.text += "others, as KinematicSoup's benchmark tells, of 250:\n"
		for name: String in Recording.TOLD:
			_text.text += "%s: %d kB/s\n" % [name, Recording.TOLD[name]]
	queue_redraw()


## The ticks until an acknowledgement is back.
func _age() -> int:
	return 2 * _sides.delay + 1


## Packs a state as its difference from one before, and from two.
func _pack_alone(state: Dictionary) -> void:
	var age := _age()
	if _packed.size() >= 2 * age:
		_codec.baseline = _packed[-age]
		_from_one.append(_codec.encode(state).size())
		_codec.baseline = [_packed[-age], _packed[-2 * age]]
		_from_two.append(_codec.encode(state).size())
	_codec.baseline = PackedByteArray()
	_packed.append(_codec.encode(state))
	_packed = _packed.slice(-64)


## The kB/s of the last second.
func _mean(sizes: PackedInt32Array) -> float:
	var last := sizes.slice(-Recording.RATE)
	var sum := 0
	for size in last:
		sum += size
	return float(sum) * Recording.RATE / maxi(1, last.size()) / 1000.0


func _draw() -> void:
	if _sides == null or _sides.world.is_empty():
		return
	var room := Vector2(size.x - PANEL, size.y)
	var middle := Vector2(PANEL, 0) + room / 2.0
	var scale_factor := minf(room.x, room.y) / (2.0 * REACH)
	for body: Dictionary in _sides.world.e:
		var place: Vector3 = body.p
		var turned: Quaternion = body.r
		var axis := turned * Vector3.RIGHT
		var at := middle + Vector2(place.x, -place.y) * scale_factor
		draw_line(at, at + Vector2(axis.x, -axis.y) * 8.0, Color.from_hsv(body.id / 250.0, 0.6, 0.9), 3.0)


func _exit_tree() -> void:
	if _sides != null:
		_sides.close()


## The mean of all ticks behind the first second, over two sides.
func _over_two_sides(loss: int) -> float:
	var sides := TwoSides.new(256)
	sides.loss = loss
	for tick in _recording.packed.size():
		sides.step(_recording.state(tick))
	sides.close()
	return sides.kb(_recording.packed.size() - Recording.RATE)


func _measure() -> void:
	print("250 bodies, 30 states a second, in kB/s:")
	print("var_to_bytes: %.1f" % _recording.engine_kb())
	print("packed in full: %.1f" % _recording.full_kb())
	for age: int in [1, 3, 6]:
		var row := [age, _recording.delta_kb(age, false), _recording.delta_kb(age, true)]
		print("differences, %d ticks old: from one state %.1f, from two %.1f" % row)
	print("two VariantProtocols, heads counted, 66 ms each way: %.1f, with 5 %% loss %.1f" % [_over_two_sides(0), _over_two_sides(5)])
	for name: String in Recording.TOLD:
		print("%s (told in KinematicSoup's benchmark): %d" % [name, Recording.TOLD[name]])
