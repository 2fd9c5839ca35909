extends RefCounted
## Serves as the classes of a game for the tests of VariantClassSet: heroes, their items and pets, and the set of them.


## Counts how often any `_init`, setter or loaded method ran.
class Count:
	static var inits := 0
	static var sets := 0
	static var loads := 0


class Item:
	var name := ""
	var count := 1:
		set(value):
			Count.sets += 1
			count = value

	func _init() -> void:
		Count.inits += 1

	func _variant_loaded() -> void:
		Count.loads += 1


class Pet:
	var name := ""
	var owner: WeakRef

	func _init() -> void:
		Count.inits += 1


class Dog extends Pet:
	var tricks: PackedStringArray


class Hero:
	enum Kind { MAGE = 3, KNIGHT = 7 }

	var hp := 10
	var at := Vector2()
	var kind := Kind.MAGE
	var items: Array[Item]
	var pet := Pet.new()
	var rival: Hero
	var tags: Array[StringName]
	var notes: Dictionary

	func _init() -> void:
		Count.inits += 1
		pet = null

	func _variant_loaded() -> void:
		Count.loads += 1


class State:
	var items: Array[Item]
	var gold := 5
	var best := Item.new()


class Link:
	var next: Link
	var number := 0


static func count() -> int:
	return Count.inits + Count.sets + Count.loads


static func classes() -> VariantClassSet:
	var classes := VariantClassSet.new()
	classes.allow("hero", Hero, VariantClassSet.VARIABLES)
	classes.allow("item", Item, VariantClassSet.VARIABLES)
	classes.allow("pet", Pet, VariantClassSet.VARIABLES)
	classes.allow("dog", Dog, VariantClassSet.VARIABLES)
	classes.allow("link", Link, VariantClassSet.VARIABLES)
	classes.property("hero", "hp", VariantSchema.int(0, 100))
	classes.property("hero", "notes", VariantSchema.map(VariantSchema.string(), VariantSchema.any()))
	# Inner classes are declared as what they extend; only a value that is not null could tell.
	classes.property("hero", "pet", VariantSchema.union([VariantClassSet.object("pet"), VariantClassSet.object("dog")]).nullable())
	classes.property("hero", "rival", VariantClassSet.object("hero").nullable())
	classes.property("link", "next", VariantClassSet.object("link").nullable())
	return classes


## Two heroes who are rivals and share a pet, which knows its owner.
static func heroes() -> Array:
	var hero := Hero.new()
	var other := Hero.new()
	var dog := Dog.new()
	dog.name = "Rex"
	dog.tricks = ["sit"]
	dog.owner = weakref(hero)
	var item := Item.new()
	item.name = "sword"
	item.count = 3
	hero.items = [item, item]
	hero.pet = dog
	hero.rival = other
	hero.tags = [&"brave"]
	hero.notes = {"best": item, "list": [other, null, 7]}
	other.rival = hero
	other.pet = dog
	other.kind = Hero.Kind.KNIGHT
	other.at = Vector2(3, 4)
	return [hero, hero, dog]
