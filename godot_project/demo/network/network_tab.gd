extends HBoxContainer
## Implements the tab "Network": a client sends good and hostile moves over ENet, and a server judges them.
## The slider sets the share of hostile ones. Every verdict is compared with the one that the packet was made
## for.

const ErrorNames := preload("res://demo/parts/error_names.gd")
const Gate := preload("gate.gd")
const Link := preload("link.gd")
const Packets := preload("packets.gd")
const World := preload("world.gd")

const SAMPLE_SECONDS := 0.2
## The most packets that are sent and not yet judged: more would only fill memory.
const MOST_UNDERWAY := 2000
## The longest time of a frame, in seconds, for which packets are sent.
const LONGEST_FRAME := 0.1

var gate := Gate.new()
## The state that the server sends, in the form of the switches.
var world := World.new()
## The number of packets whose verdict was not the one they were made for. It stays 0.
var wrong_verdicts := 0
var sent_honest := 0
## The number of hostile packets by kind of error.
var sent_hostile := {}
var _link := Link.new()
var _packets := Packets.new()
## The verdicts due to the packets that are under way; they arrive in the order in which they were sent.
var _expected := PackedInt32Array()
var _judged := 0
var _has_port := false
var _owed := 0.0
var _since_sample := 0.0
var _before := {}


func _ready() -> void:
	gate.judged.connect(_on_judged)
	%Hostile.value_changed.connect(_on_settings_changed)
	%Rate.value_changed.connect(_on_settings_changed)
	%Pause.toggled.connect(func(is_paused: bool) -> void: %Pause.text = "Go on" if is_paused else "Pause")
	%Packed.toggled.connect(_on_packed_toggled)
	%Delta.toggled.connect(_on_delta_toggled)
	_prepare_charts()
	_on_settings_changed(0)
	_connect_anew()
	_before = _totals()


func _exit_tree() -> void:
	_link.close()


func _process(delta: float) -> void:
	_link.poll()
	if _link.is_lost() and _has_port:
		_connect_anew()
	var is_live: bool = is_visible_in_tree() and not %Pause.button_pressed
	if is_live and _link.is_up():
		_send(minf(delta, LONGEST_FRAME))
		world.play(minf(delta, LONGEST_FRAME), _link)
	for packet in _link.take_returned():
		world.take(packet)
	gate.serve(_link)
	_since_sample += delta
	if is_live and _since_sample >= SAMPLE_SECONDS:
		_sample(_since_sample)
		_since_sample = 0.0


## Returns how many packets are sent and not judged.
func underway() -> int:
	return _expected.size() - _judged


## Connects anew. Packets that are under way are lost, and so are the verdicts due to them.
func _connect_anew() -> void:
	_link.close()
	_link = Link.new()
	_expected.clear()
	_judged = 0
	world.forget()
	_has_port = _link.open() == OK
	if not _has_port:
		%Last.text = "The system gives no port to listen on."


func _send(seconds: float) -> void:
	_owed += %Rate.value * seconds
	while _owed >= 1.0 and underway() < MOST_UNDERWAY:
		_owed -= 1.0
		var hostile := _packets.draw(%Hostile.value / 100.0)
		var packet: PackedByteArray = _packets.honest() if hostile == null else _packets.make(hostile)
		if _link.send(packet) != OK:
			return
		_expected.append(0 if hostile == null else hostile.code)
		if hostile == null:
			sent_honest += 1
		else:
			sent_hostile[hostile.code] = sent_hostile.get(hostile.code, 0) + 1
	_owed = minf(_owed, 1.0)


func _on_judged(code: int, move: Variant) -> void:
	wrong_verdicts += int(_expected[_judged] != code)
	_judged += 1
	if _judged == _expected.size() or _judged > MOST_UNDERWAY:
		_expected = _expected.slice(_judged)
		_judged = 0
	%Traffic.show_packet(Packets.group_of(code), move)


## A delta is packed, too.
func _on_packed_toggled(is_packed: bool) -> void:
	if not is_packed:
		%Delta.set_pressed_no_signal(false)
	_choose_form()


func _on_delta_toggled(is_delta: bool) -> void:
	if is_delta:
		%Packed.set_pressed_no_signal(true)
	_choose_form()


func _choose_form() -> void:
	world.form = World.Form.DELTA if %Delta.button_pressed else World.Form.PACKED if %Packed.button_pressed else World.Form.VARIANT
	_show_world(PackedFloat32Array())


func _prepare_charts() -> void:
	%Verdicts.title = "Packets a second"
	%Verdicts.is_stacked = true
	%Verdicts.colors = Packets.GROUP_COLORS
	%Bytes.title = "Bytes a second"
	%Bytes.colors = PackedStringArray(["info"])
	%Time.title = "Decoding a packet"
	%Time.unit = " µs"
	%Time.colors = PackedStringArray(["info"])
	var names := PackedStringArray()
	var colors := PackedStringArray()
	for hostile in _packets.hostile:
		names.append(ErrorNames.name_of(hostile.code))
		colors.append(Packets.GROUP_COLORS[hostile.group])
	%Reasons.set_rows(names, colors)


func _on_settings_changed(_value: float) -> void:
	%HostileText.text = "%d %%" % %Hostile.value
	%RateText.text = "%d a second" % %Rate.value


## Returns the counters so far, those by group first.
func _totals() -> Dictionary:
	var groups := PackedFloat32Array([gate.accepted, 0, 0, 0])
	for code: int in gate.rejected:
		groups[Packets.group_of(code)] += gate.rejected[code]
	return {"groups": groups, "bytes": gate.bytes, "world": world.bytes.duplicate()}


func _sample(seconds: float) -> void:
	var now := _totals()
	var rates := PackedFloat32Array()
	for i in 4:
		rates.append((now.groups[i] - _before.groups[i]) / seconds)
	%Verdicts.add(rates)
	%Bytes.add(PackedFloat32Array([(now.bytes - _before.bytes) / seconds]))
	var states := PackedFloat32Array()
	for form in 3:
		states.append((now.world[form] - _before.world[form]) / seconds)
	_show_world(states)
	var usec := gate.take_usec()
	%Time.add(PackedFloat32Array([usec]))
	_before = now
	_show_figures(usec)


func _show_figures(usec: float) -> void:
	%Accepted.text = _grouped(gate.accepted)
	%Rejected.text = _grouped(gate.rejected_in_all())
	%Wrong.text = _grouped(wrong_verdicts)
	%Average.text = "%.1f µs" % usec
	%Budget.text = "%.1f ms" % (gate.spent_usec / 1000.0)
	%Frames.text = "%d" % Engine.get_frames_per_second()
	%Last.text = gate.last_refusal
	%Traffic.server_note = "%s moves" % _grouped(gate.accepted)
	var counts := PackedInt32Array()
	for hostile in _packets.hostile:
		counts.append(gate.rejected.get(hostile.code, 0))
	%Reasons.show_counts(counts)


## Shows the bytes a second of each form, where they are known, and which is sent.
func _show_world(rates: PackedFloat32Array) -> void:
	var figures: Array[Label] = [%PlainRate, %PackedRate, %DeltaRate]
	for form in 3:
		figures[form].theme_type_variation = &"AccentFigure" if form == world.form else &"Figure"
		if not rates.is_empty():
			figures[form].text = _grouped(roundi(rates[form]))
	%WorldNote.text = "%s states arrived, %s wrong" % [_grouped(world.arrived), _grouped(world.wrong)]


## Formats 1234567 as 1 234 567.
static func _grouped(number: int) -> String:
	var digits := str(number)
	for at in range(digits.length() - 3, 0, -3):
		digits = digits.insert(at, " ")
	return digits
