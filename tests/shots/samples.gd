@tool
extends RefCounted
## Makes the values that the pictures show: a save and packets of a small game.


static func save() -> Dictionary:
	return {
		"version": 3,
		"hero": {"name": "Mira", "hp": 80, "position": Vector2(412.5, 96.0), "facing": &"left"},
		"inventory": [
			{"id": 17, "count": 3, "name": "Healing potion"},
			{"id": 4, "count": 250, "name": "Arrow"},
			{"id": 301, "count": 1, "name": "Lantern"},
		],
		"visited": PackedStringArray(["harbour", "old mill", "north gate"]),
		"colors": {"cloak": Color(0.2, 0.4, 0.8), "hair": Color(0.6, 0.3, 0.1)},
		"terrain": PackedFloat32Array([0.5, 0.75, 1.0, 0.25, 0.125]),
		"playtime": 5421.25,
	}


static func schema() -> VariantSchema:
	return VariantSchema.dict({
		"version": VariantSchema.int(1, 3),
		"hero": VariantSchema.dict({
			"name": VariantSchema.string().max_chars(16),
			"hp": VariantSchema.int(0, 100),
			"position": VariantSchema.vector2(),
			"facing": VariantSchema.enum([&"left", &"right"]),
		}),
		"inventory": VariantSchema.array(VariantSchema.dict({
			"id": VariantSchema.int(1, 299),
			"count": VariantSchema.int(1, 99),
			"name": VariantSchema.string().max_chars(24),
		})).max_size(16),
		"playtime": VariantSchema.float(0.0, 1e9),
	}).open()


static func packet(seq: int) -> PackedByteArray:
	return var_to_bytes({"seq": seq, "dir": Vector2.from_angle(seq * 0.7), "act": "jump" if seq % 3 == 0 else "none"})


## Returns the schema by which the game refuses packets.
static func move() -> VariantSchema:
	return VariantSchema.dict({
		"seq": VariantSchema.int(0, 0xFFFF_FFFF),
		"dir": VariantSchema.vector2().max_length(1.01),
		"act": VariantSchema.enum(["none", "jump"]),
	})


static func bad_packet(seq: int) -> PackedByteArray:
	return var_to_bytes({"seq": seq, "dir": Vector2(40.0, 0.0), "act": "jump"})


static func world_schema() -> VariantSchema:
	return VariantSchema.dict({
		"tick": VariantSchema.int(0, 0xFFFF_FFFF),
		"entities": VariantSchema.array(VariantSchema.dict({
			"id": VariantSchema.int(0, 511),
			"pos": VariantSchema.vector3().quantized(0.01, -512, 512),
			"rot": VariantSchema.quaternion().bits(10),
			"hp": VariantSchema.int(0, 100),
			"state": VariantSchema.enum(["idle", "run", "jump"]),
		})).keyed("id").max_size(200),
	})


static func world() -> Dictionary:
	var entities := []
	for at in 12:
		entities.append({
			"id": 7 + at * 31, "pos": Vector3(at * 3.5, 0.25, -at), "rot": Quaternion(Vector3.UP, at * 0.1), "hp": 100 - at * 4,
			"state": ["idle", "run", "jump"][at % 3],
		})
	return {"tick": 36_000, "entities": entities}


## Writes three slots with pictures and backups into a folder, damages one, and returns the folder.
static func saves(folder: String) -> String:
	for file in DirAccess.get_files_at(folder) if DirAccess.dir_exists_absolute(folder) else PackedStringArray():
		DirAccess.remove_absolute(folder.path_join(file))
	var made := VariantSave.new()
	made.version = 3
	made.game_version = "0.9.2"
	made.backups = 2
	for row: Array in [["slot1.save", "Harbour", Color.STEEL_BLUE], ["slot2.save", "Old mill", Color.DARK_OLIVE_GREEN], ["auto1.save", "North gate", Color.SIENNA]]:
		for level in 3:
			var picture := Image.create_empty(48, 27, false, Image.FORMAT_RGB8)
			picture.fill(row[2])
			picture.fill_rect(Rect2i(0, 18, 48, 9), (row[2] as Color).darkened(0.5))
			made.save(folder.path_join(row[0]), save().merged({"level": level}), {"place": row[1], "level": 4 + level}, picture)
	var path := folder.path_join("slot1.save")
	var bytes := FileAccess.get_file_as_bytes(path)
	bytes[bytes.size() - 40] ^= 1
	FileAccess.open(path, FileAccess.WRITE).store_buffer(bytes)
	return folder
