extends Control
## Draws the traffic: packets fly from the player to the server's gate and pass, or break into pieces there.
## At the server the ship moves on that the accepted moves steer. It shows verdicts and makes none.

const Icons := preload("res://demo/theme/icons.gd")
const Packets := preload("packets.gd")

const MOST := 240
const FLIGHT := 0.9
const FALL := 0.7
const GATE := 0.7
const TRAIL := 90

var server_note := ""
var _packets: Array[Flying] = []
var _ship := PackedVector2Array()
var _random := RandomNumberGenerator.new()
## A picture instead of a circle, because hundreds of one picture are drawn in one call.
var _dot := Icons.dot(Color.WHITE)


class Flying:
	var group: int
	var lane: float
	var age := 0.0
	var speed: float
	var spin: Vector2


func show_packet(group: int, move: Variant) -> void:
	if move != null:
		_ship.append(move.at)
		if _ship.size() > TRAIL:
			_ship = _ship.slice(_ship.size() - TRAIL)
	if _packets.size() >= MOST:
		return
	var packet := Flying.new()
	packet.group = group
	packet.lane = _random.randf_range(-1.0, 1.0)
	packet.speed = _random.randf_range(0.85, 1.2)
	packet.spin = Vector2(_random.randf_range(-1.0, -0.2), _random.randf_range(-1.0, 1.0))
	_packets.append(packet)


func _process(delta: float) -> void:
	for packet in _packets:
		packet.age += delta * packet.speed
	_packets = _packets.filter(func(packet: Flying) -> bool: return packet.age < FLIGHT + FALL)
	queue_redraw()


func _draw() -> void:
	var middle := size.y * 0.5
	var from := Vector2(40, middle - 8)
	var gate := size.x * GATE
	var home := Rect2(gate + 66, 2, size.x - gate - 66, size.y - 4)
	_draw_lane(from, gate, home)
	for packet in _packets:
		_draw_packet(packet, from, gate, home.position.x)
	_draw_gate(gate)
	_draw_player(from)
	_draw_server(home)


func _draw_lane(from: Vector2, gate: float, home: Rect2) -> void:
	var ink := Color(_color(&"outline"), 0.55)
	for i in range(-1, 2):
		var y := from.y + i * size.y * 0.27
		draw_dashed_line(Vector2(from.x, lerpf(from.y, y, 0.4)), Vector2(gate, y), ink, 1.0, 6.0, true, true)
	draw_dashed_line(Vector2(gate, from.y), Vector2(home.position.x, from.y), ink, 1.0, 6.0, true, true)


func _draw_packet(packet: Flying, from: Vector2, gate: float, to: float) -> void:
	var ink := _color(Packets.GROUP_COLORS[packet.group])
	var at_gate := Vector2(gate, from.y + packet.lane * size.y * 0.27)
	var way := packet.age / FLIGHT
	if way < 1.0:
		var spread := lerpf(from.y, at_gate.y, minf(1.0, way * 2.5))
		_draw_dot(Vector2(lerpf(from.x, gate, way), spread), 4.0, ink)
		return
	var rest := (packet.age - FLIGHT) / FALL
	if packet.group == Packets.Group.HONEST:
		ink.a = 1.0 - smoothstep(0.4, 0.6, rest)
		_draw_dot(at_gate.lerp(Vector2(to, from.y), minf(1.0, rest * 2.0)), 4.0, ink)
		return
	ink.a = 1.0 - rest
	for i in 3:
		var off := packet.spin.rotated((i - 1) * 0.7) * rest * 60.0
		_draw_dot(at_gate + off + Vector2(-4, rest * rest * 30.0), 2.4 * (1.0 - rest * 0.5), ink)


## Draws a dot; the picture has a third of its width around it.
func _draw_dot(at: Vector2, radius: float, ink: Color) -> void:
	var reach := Vector2.ONE * radius * 1.5
	draw_texture_rect(_dot, Rect2(at - reach, reach * 2.0), false, ink)


func _draw_gate(gate: float) -> void:
	var ink := _color(&"accent")
	draw_line(Vector2(gate, 2), Vector2(gate, size.y - 24), Color(ink, 0.25), 7.0)
	draw_line(Vector2(gate, 2), Vector2(gate, size.y - 24), ink, 2.0)
	_write("limits and schema", Vector2(gate - 60, size.y - 6), 120, &"muted")


func _draw_player(at: Vector2) -> void:
	draw_circle(at, 27, _color(&"raised"), true, -1.0, true)
	draw_arc(at, 27, 0, TAU, 48, _color(&"info"), 2.0, true)
	var body := PackedVector2Array([Vector2(-8, -9), Vector2(12, 0), Vector2(-8, 9), Vector2(-4, 0)])
	draw_colored_polygon(Transform2D(0.0, at) * body, _color(&"info"))
	_write("client", at + Vector2(-40, 46), 80, &"muted")


func _draw_server(home: Rect2) -> void:
	var box := StyleBoxFlat.new()
	box.bg_color = _color(&"inset")
	box.set_corner_radius_all(8)
	box.set_border_width_all(1)
	box.border_color = _color(&"outline")
	draw_style_box(box, home)
	var middle := home.get_center() + Vector2(0, -7)
	var reach := Vector2(home.size.x * 0.4, home.size.y * 0.32)
	var ink := _color(&"accent")
	for i in _ship.size() - 1:
		var faded := Color(ink, 0.6 * i / _ship.size())
		draw_line(middle + _ship[i] * reach, middle + _ship[i + 1] * reach, faded, 2.0, true)
	if not _ship.is_empty():
		draw_circle(middle + _ship[-1] * reach, 5.0, ink, true, -1.0, true)
	_write("server: " + server_note, Vector2(home.position.x, home.end.y - 9), home.size.x, &"muted")


func _write(text: String, at: Vector2, width: float, color: StringName) -> void:
	draw_string(get_theme_default_font(), at, text, HORIZONTAL_ALIGNMENT_CENTER, width, 12, _color(color))


func _color(name: StringName) -> Color:
	return get_theme_color(name, &"Demo")
