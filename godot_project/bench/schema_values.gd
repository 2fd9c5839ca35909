extends RefCounted
## Makes a game's packet, its schema, and the check of it as people write it by hand. It times nothing.


## Makes a packet of six fields, one of which is a list with one item.
static func packet() -> Dictionary:
	return {
		"seq": 4711, "dir": Vector2(0.6, -0.8), "aim": 1.25, "act": "jump",
		"items": [{"id": 5, "count": 2}], "note": "well done",
	}


static func schema() -> VariantSchema:
	return VariantSchema.dict({
		"seq": VariantSchema.int(0, 0xFFFF_FFFF),
		"dir": VariantSchema.vector2().max_length(1.01),
		"aim": VariantSchema.float(-PI, PI),
		"act": VariantSchema.enum(["none", "jump", "fire"]),
		"items": VariantSchema.array(VariantSchema.dict({
			"id": VariantSchema.int(1, 4096),
			"count": VariantSchema.int(1, 99),
		})).max_size(16),
		"note": VariantSchema.string().max_chars(64).optional(""),
	})


static func is_good(value: Variant) -> bool:
	if not value is Dictionary:
		return false
	var packet: Dictionary = value
	for key: Variant in packet:
		if not (key is String and key in ["seq", "dir", "aim", "act", "items", "note"]):
			return false
	var seq: Variant = packet.get("seq")
	if not (seq is int and seq >= 0 and seq <= 0xFFFF_FFFF):
		return false
	var dir: Variant = packet.get("dir")
	if not (dir is Vector2 and dir.is_finite() and dir.length() <= 1.01):
		return false
	var aim: Variant = packet.get("aim")
	if not (aim is float and is_finite(aim) and aim >= -PI and aim <= PI):
		return false
	var act: Variant = packet.get("act")
	if not (act is String and act in ["none", "jump", "fire"]):
		return false
	var items: Variant = packet.get("items")
	if not (items is Array and items.size() <= 16):
		return false
	for item: Variant in items:
		if not (item is Dictionary and item.size() == 2):
			return false
		var id: Variant = item.get("id")
		var count: Variant = item.get("count")
		if not (id is int and id >= 1 and id <= 4096 and count is int and count >= 1 and count <= 99):
			return false
	var note: Variant = packet.get("note", "")
	return note is String and note.length() <= 64
