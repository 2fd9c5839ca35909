extends RefCounted
## Defines the saves of a hero: classes, slots and pictures, the saves of the first version, and how a file is damaged. It knows no
## window.

const Hero := preload("hero.gd")

const VERSION := 2
const SLOTS := 3
const ITEMS: PackedStringArray = ["rope", "lamp", "sword", "shield", "potion", "map"]
const MOST_ITEMS := 8
const WORLD := Rect2(0, 0, 1000, 1000)
const PICTURE := Vector2i(48, 30)

var folder: String
## The slot that is saved to and loaded from, from 1 on.
var slot := 1
var saves := VariantSave.new()
## Reads the saves of the first version, which held dictionaries.
var first := VariantSave.new()
var path: String:
	get:
		return path_of(slot)


func _init(at: String) -> void:
	folder = at
	saves.classes = Hero.classes(ITEMS, MOST_ITEMS, WORLD)
	saves.schema = VariantClassSet.object("hero")
	saves.version = VERSION
	# The first version was a game of Godot 3. The schema is only what the step relies on; saving checks its result.
	first.version = VERSION
	first.unversioned = 1
	first.rename(1, {"pos": "at"})
	first.migrate(1, _from_first_version, "", {"schema": VariantSchema.dict({
		"name": VariantSchema.string(), "hp": VariantSchema.int(), "gold": VariantSchema.int(), "pos": VariantSchema.vector2(),
		"items": VariantSchema.packed_string_array(), "counts": VariantSchema.packed_int32_array(),
	}).open()})
	saves.backups = 2
	# So that fields can be pointed at in the bytes.
	saves.compression = VariantSave.COMPRESSION_NONE
	saves.game_version = "demo"


static func new_hero() -> Dictionary:
	return {
		"name": "Robin", "hp": 80, "gold": 250, "at": Vector2(412, 96),
		"inventory": [
			{"item": "rope", "count": 2}, {"item": "lamp", "count": 1}, {"item": "potion", "count": 5},
		],
	}


func path_of(number: int) -> String:
	return folder.path_join("slot%d.save" % number)


## Saves a hero, with what the list of slots shows of it.
func save(hero: Dictionary) -> Error:
	DirAccess.make_dir_recursive_absolute(folder)
	var shown := {"name": hero.name, "hp": hero.hp, "gold": hero.gold}
	return saves.save(path, Hero.of(hero), shown, _picture(hero))


## Returns what the list shows of each slot; without a file it is not readable.
func slots() -> Array[Dictionary]:
	var found: Array[Dictionary] = []
	for number in range(1, SLOTS + 1):
		found.append(VariantSave.peek(path_of(number)))
	return found


## Damages the file as a failing disk does: it flips all bits of one byte, in place.
func flip(byte: int) -> void:
	var file := FileAccess.open(path, FileAccess.READ_WRITE)
	if file == null:
		return
	file.seek(byte)
	var was := file.get_8()
	file.seek(byte)
	file.store_8(was ^ 0xFF)


static func _from_first_version(old: Dictionary) -> Dictionary:
	var hero := {"name": old.name, "hp": old.hp, "gold": old.gold, "at": old.at, "inventory": []}
	for i in mini(old.items.size(), old.counts.size()):
		hero.inventory.append({"item": old.items[i], "count": old.counts[i]})
	return hero


## Draws the map with the hero on it, and the health below.
static func _picture(hero: Dictionary) -> PackedByteArray:
	var image := Image.create_empty(PICTURE.x, PICTURE.y, false, Image.FORMAT_RGB8)
	image.fill(Color("24405c"))
	var room := Vector2(PICTURE - Vector2i(6, 10))
	var at := Vector2i((hero.at - WORLD.position) / WORLD.size * room)
	image.fill_rect(Rect2i(at + Vector2i.ONE, Vector2i(4, 4)), Color("f4c95d"))
	image.fill_rect(Rect2i(0, PICTURE.y - 4, PICTURE.x, 4), Color("5c2430"))
	@warning_ignore("integer_division")
	image.fill_rect(Rect2i(0, PICTURE.y - 4, PICTURE.x * hero.hp / 100, 4), Color("7bd389"))
	return image.save_png_to_buffer()
