extends RefCounted
## Holds the hero of a save: an object of a class of the game's, with items of another one. It knows no file and no window.


class Item:
	@export var item := "rope"
	@export_range(1, 99) var count := 1


@export var name := ""
@export_range(0, 100) var hp := 100
@export_range(0, 999_999) var gold := 0
@export var at := Vector2.ZERO
@export_storage var inventory: Array[Item] = []


## Makes a hero of what the form holds.
static func of(form: Dictionary) -> RefCounted:
	var hero := new()
	hero.name = form.name
	hero.hp = form.hp
	hero.gold = form.gold
	hero.at = form.at
	for row: Dictionary in form.inventory:
		var item := Item.new()
		item.item = row.item
		item.count = row.count
		hero.inventory.append(item)
	return hero


## Returns what the form shows.
func to_form() -> Dictionary:
	var rows := inventory.map(func(item: Item) -> Dictionary: return {"item": item.item, "count": item.count})
	return {"name": name, "hp": hp, "gold": gold, "at": at, "inventory": rows}


## Returns the classes of a save: nothing else is ever made of one.
static func classes(items: PackedStringArray, most_items: int, world: Rect2) -> VariantClassSet:
	var classes := VariantClassSet.new()
	classes.allow("hero", load("res://demo/save_game/hero.gd"))
	classes.allow("item", Item)
	# What declarations do not say.
	classes.property("hero", "name", VariantSchema.string().min_chars(1).max_chars(16))
	classes.property("hero", "at", VariantSchema.vector2().within(world))
	classes.property("hero", "inventory", VariantSchema.array(VariantClassSet.object("item")).max_size(most_items))
	classes.property("item", "item", VariantSchema.enum(Array(items)))
	return classes
