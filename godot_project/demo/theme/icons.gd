extends RefCounted
## Draws the small pictures of the theme as SVG in a palette's colours, so that nothing has to be imported.
## They are made larger than they are shown, so that they stay sharp at twice the size, with mipmaps for the
## other sizes.

const SHARPNESS := 4.0


static func down(ink: Color) -> Texture2D:
	return _picture(12, 12, _stroke("m2.5 4.5 3.5 3.5 3.5-3.5", ink))


static func up(ink: Color) -> Texture2D:
	return _picture(12, 12, _stroke("m2.5 7.5 3.5-3.5 3.5 3.5", ink))


static func up_down(ink: Color) -> Texture2D:
	return _picture(12, 20, _stroke("m2.5 7.5 3.5-3.5 3.5 3.5m-7 5 3.5 3.5 3.5-3.5", ink))


static func grabber(fill: Color, ring: Color) -> Texture2D:
	return _picture(18, 18, '<circle cx="9" cy="9" r="7" fill="#%s" stroke="#%s" stroke-width="3"/>' % [
		fill.to_html(false), ring.to_html(false)])


static func dot(fill: Color) -> Texture2D:
	return _picture(12, 12, '<circle cx="6" cy="6" r="4" fill="#%s" fill-opacity="%.2f"/>' % [
		fill.to_html(false), fill.a])


static func checked(fill: Color, ink: Color) -> Texture2D:
	var box := '<rect x="1" y="1" width="16" height="16" rx="4" fill="#%s"/>' % fill.to_html(false)
	return _picture(18, 18, box + _stroke("m5 9.2 2.8 2.8 5.2-5.6", ink))


static func unchecked(ring: Color) -> Texture2D:
	return _picture(18, 18, '<rect x="2" y="2" width="14" height="14" rx="3" fill="none" stroke="#%s"' % (
			ring.to_html(false)) + ' stroke-width="2"/>')


static func _stroke(path: String, ink: Color) -> String:
	return ('<path d="%s" fill="none" stroke="#%s" stroke-width="1.8" stroke-linecap="round"' % [
			path, ink.to_html(false)]) + ' stroke-linejoin="round"/>'


static func _picture(width: int, height: int, inside: String) -> Texture2D:
	var svg := '<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d">%s</svg>' % [
			width, height, inside]
	var image := Image.new()
	if image.load_svg_from_string(svg, SHARPNESS) != OK:
		return PlaceholderTexture2D.new()  # an engine that was built without SVG
	image.generate_mipmaps()
	var texture := ImageTexture.create_from_image(image)
	texture.set_size_override(Vector2i(width, height))
	return texture
