@tool
extends RefCounted
## Makes an icon of a save's picture. The file may be anybody's: it is opened only if its head says a small size, since a
## picture of a few bytes can have millions of pixels.

const MOST_PIXELS := 1 << 22
const PNG: PackedByteArray = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]


## Returns a texture of at most `height` pixels, or null where there is no picture that is shown.
static func read(bytes: PackedByteArray, height: int) -> Texture2D:
	var image := Image.new()
	var size := size_of(bytes)
	if size.x <= 0 or size.y <= 0 or size.x * size.y > MOST_PIXELS:
		return null
	var error := OK
	match bytes[0]:
		0x89:
			error = image.load_png_from_buffer(bytes)
		0xFF:
			error = image.load_jpg_from_buffer(bytes)
		_:
			error = image.load_webp_from_buffer(bytes)
	if error != OK or image.is_empty():
		return null
	image.resize(maxi(image.get_width() * height / image.get_height(), 1), height)
	return ImageTexture.create_from_image(image)


## Returns the size that the head of a PNG, JPEG or WebP file says, or nothing.
static func size_of(bytes: PackedByteArray) -> Vector2i:
	if bytes.size() < 30:
		return Vector2i.ZERO
	if bytes.slice(0, 8) == PNG:
		return Vector2i(_big(bytes, 16), _big(bytes, 20))
	if bytes[0] == 0xFF and bytes[1] == 0xD8:
		return _size_of_jpeg(bytes)
	if bytes.slice(0, 4).get_string_from_ascii() != "RIFF" or bytes.slice(8, 12).get_string_from_ascii() != "WEBP":
		return Vector2i.ZERO
	match bytes.slice(12, 16).get_string_from_ascii():
		"VP8 ":
			return Vector2i(bytes.decode_u16(26) & 0x3FFF, bytes.decode_u16(28) & 0x3FFF)
		"VP8L":
			var bits := bytes.decode_u32(21)
			return Vector2i((bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1)
		"VP8X":
			return Vector2i((bytes.decode_u32(24) & 0xFFFFFF) + 1, (bytes.decode_u32(26) >> 8) + 1)
	return Vector2i.ZERO


## The size stands in the first segment of a frame, FF C0 to FF CF but for three; each segment before it has its length.
static func _size_of_jpeg(bytes: PackedByteArray) -> Vector2i:
	var at := 2
	while at + 9 <= bytes.size() and bytes[at] == 0xFF:
		if bytes[at + 1] >= 0xC0 and bytes[at + 1] <= 0xCF and not bytes[at + 1] in [0xC4, 0xC8, 0xCC]:
			return Vector2i(bytes[at + 7] << 8 | bytes[at + 8], bytes[at + 5] << 8 | bytes[at + 6])
		at += 2 + (bytes[at + 2] << 8 | bytes[at + 3])
	return Vector2i.ZERO


static func _big(bytes: PackedByteArray, at: int) -> int:
	return bytes[at] << 24 | bytes[at + 1] << 16 | bytes[at + 2] << 8 | bytes[at + 3]
