extends Control
## Draws the sign of VariantStream: the project's icon without its file.


func _draw() -> void:
	var unit := minf(size.x, size.y) / 16.0
	var ink := get_theme_color(&"accent", &"Demo")
	var wave := PackedVector2Array()
	for i in 33:
		var x := i / 32.0
		wave.append(Vector2(2.0 + x * 12.0, 5.0 - sin(x * TAU) * 1.9))
	var shaft := PackedVector2Array([Vector2(2, 11.5), Vector2(9, 11.5)])
	var tip := PackedVector2Array([Vector2(11.2, 9), Vector2(14, 11.5), Vector2(11.2, 14)])
	for line: PackedVector2Array in [wave, shaft, tip]:
		draw_polyline(Transform2D.IDENTITY.scaled(Vector2(unit, unit)) * line, ink, 1.5 * unit, true)


func _notification(what: int) -> void:
	if what == NOTIFICATION_THEME_CHANGED:
		queue_redraw()
