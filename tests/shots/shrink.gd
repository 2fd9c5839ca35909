extends SceneTree
## Makes pictures small: 256 colours, with each rarer colour as the nearest of these. The engine writes no PNG
## with a palette, so this script does, with the engine's deflate only.
##   godot --headless --path PROJECT -s res://shots/shrink.gd -- FROM TO

const SIGNATURE: PackedByteArray = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
const COLORS := 256
const PALETTE := 3

var _crc_table := PackedInt64Array()


func _initialize() -> void:
	var words := OS.get_cmdline_user_args()
	_make_crc_table()
	DirAccess.make_dir_recursive_absolute(words[1])
	for name in DirAccess.get_files_at(words[0]):
		if name.get_extension() == "png":
			var image := Image.load_from_file(words[0].path_join(name))
			var png := shrunk(image)
			var file := FileAccess.open(words[1].path_join(name), FileAccess.WRITE)
			if file == null or not file.store_buffer(png):
				printerr("cannot write ", name)
				quit(1)
				return
			print("%s: %d bytes" % [name, png.size()])
	quit()


func shrunk(image: Image) -> PackedByteArray:
	image.convert(Image.FORMAT_RGB8)
	var pixels := image.get_data()
	var counts := {}
	for at in range(0, pixels.size(), 3):
		var color := pixels[at] << 16 | pixels[at + 1] << 8 | pixels[at + 2]
		counts[color] = counts.get(color, 0) + 1
	var palette := _palette(counts)
	var places := {}
	for i in palette.size():
		places[palette[i]] = i
	for color: int in counts:
		if not places.has(color):
			places[color] = places[_nearest(color, palette)]
	var width := image.get_width()
	var lines := PackedByteArray()
	lines.resize((width + 1) * image.get_height())
	var to := 0
	for at in range(0, pixels.size(), 3):
		if to % (width + 1) == 0:
			to += 1  # each line begins with its filter: none
		lines[to] = places[pixels[at] << 16 | pixels[at + 1] << 8 | pixels[at + 2]]
		to += 1
	return _png(width, image.get_height(), palette, lines)


## Picks the commonest colours, but none that is near one before it, because text is drawn in many that are
## almost equal.
func _palette(counts: Dictionary) -> Array:
	var colors := counts.keys()
	colors.sort_custom(func(a: int, b: int) -> bool: return counts[a] > counts[b])
	for apart: int in [6, 12, 24, 48, 96, 192, 384, 768]:
		var palette := []
		for color: int in colors:
			if palette.is_empty() or _distance(color, _nearest(color, palette)) >= apart:
				palette.append(color)
				if palette.size() > COLORS:
					break
		if palette.size() <= COLORS:
			return palette
	return colors.slice(0, COLORS)


func _nearest(color: int, palette: Array) -> int:
	var best: int = palette[0]
	var least := _distance(color, best)
	for other: int in palette:
		var distance := _distance(color, other)
		if distance < least:
			least = distance
			best = other
	return best


func _distance(a: int, b: int) -> int:
	var red := (a >> 16) - (b >> 16)
	var green := (a >> 8 & 255) - (b >> 8 & 255)
	var blue := (a & 255) - (b & 255)
	return red * red + 2 * green * green + blue * blue


func _png(width: int, height: int, palette: Array, lines: PackedByteArray) -> PackedByteArray:
	var head := _number(width) + _number(height) + PackedByteArray([8, PALETTE, 0, 0, 0])
	var colors := PackedByteArray()
	for color: int in palette:
		colors.append_array(PackedByteArray([color >> 16, color >> 8 & 255, color & 255]))
	return (SIGNATURE + _chunk("IHDR", head) + _chunk("PLTE", colors)
			+ _chunk("IDAT", lines.compress(FileAccess.COMPRESSION_DEFLATE)) + _chunk("IEND", PackedByteArray()))


func _chunk(kind: String, body: PackedByteArray) -> PackedByteArray:
	var named := kind.to_ascii_buffer() + body
	var crc := 0xFFFFFFFF
	for byte in named:
		crc = _crc_table[(crc ^ byte) & 255] ^ (crc >> 8)
	return _number(body.size()) + named + _number(crc ^ 0xFFFFFFFF)


func _number(value: int) -> PackedByteArray:
	return PackedByteArray([value >> 24 & 255, value >> 16 & 255, value >> 8 & 255, value & 255])


func _make_crc_table() -> void:
	for byte in 256:
		var crc := byte
		for bit in 8:
			crc = 0xEDB88320 ^ (crc >> 1) if crc & 1 else crc >> 1
		_crc_table.append(crc)
