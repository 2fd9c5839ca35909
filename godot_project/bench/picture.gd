extends RefCounted
## Draws shapes for charts as SVG, in colors that follow the reader's light or dark page. It knows no numbers.

const STYLE := """<style>
	text { font: 12px system-ui, -apple-system, "Segoe UI", Helvetica, Arial, sans-serif; fill: #1f2328; }
	.title { font-size: 16px; font-weight: 600; }
	.dim { fill: #59636e; }
	.number { font-size: 11px; font-variant-numeric: tabular-nums; }
	.grid { stroke: #d1d9e0; stroke-width: 1; }
	.one { stroke: #59636e; stroke-width: 1.5; }
	.encode { fill: #0969da; }
	.decode { fill: #8250df; }
	.slower { opacity: .45; }
	.line { fill: none; stroke-width: 2.5; stroke-linejoin: round; }
	.line.encode { fill: none; stroke: #0969da; }
	.line.decode { fill: none; stroke: #8250df; }
	.theirs { stroke-dasharray: 3 4; opacity: .8; }
	@media (prefers-color-scheme: dark) {
		text { fill: #f0f6fc; }
		.dim { fill: #9198a1; }
		.grid { stroke: #3d444d; }
		.one { stroke: #9198a1; }
		.encode { fill: #4493f8; }
		.decode { fill: #ab7df8; }
		.line.encode { stroke: #4493f8; }
		.line.decode { stroke: #ab7df8; }
	}
</style>"""

var _parts := PackedStringArray()


## Returns the whole picture; `label` is for screen readers.
func svg(width: int, height: int, label: String) -> String:
	var head := "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\" role=\"img\" aria-label=\"%s\">" % [
		width, height, width, height, label.xml_escape(true)]
	return "\n".join(PackedStringArray([head, STYLE]) + _parts) + "\n</svg>\n"


func text(x: float, y: float, words: String, style := "", anchor := "start") -> void:
	_parts.append("<text x=\"%.1f\" y=\"%.1f\" class=\"%s\" text-anchor=\"%s\">%s</text>" % [
		x, y, style, anchor, words.xml_escape()])


func line(from: Vector2, to: Vector2, style: String) -> void:
	_parts.append("<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" class=\"%s\"/>" % [from.x, from.y, to.x, to.y, style])


func bar(place: Rect2, style: String) -> void:
	_parts.append("<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" rx=\"2\" class=\"%s\"/>" % [
		place.position.x, place.position.y, place.size.x, place.size.y, style])


func path(points: PackedVector2Array, style: String) -> void:
	var steps := PackedStringArray()
	for point in points:
		steps.append("%.1f,%.1f" % [point.x, point.y])
	_parts.append("<polyline points=\"%s\" class=\"%s\"/>" % [" ".join(steps), style])
