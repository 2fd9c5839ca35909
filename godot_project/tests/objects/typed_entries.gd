extends RefCounted
## Serves as a class with typed dictionaries of objects and of plain values, which Godot 4.3 does not parse.


class Item:
	var count := 1


class Shelf:
	var by_name: Dictionary[String, Item] = {}
	var by_number: Dictionary[int, StringName] = {}
	var any: Dictionary[Variant, Item] = {}
	var values: Dictionary[String, Variant] = {}
	@export var exported: Dictionary[Variant, int] = {}


static func classes() -> VariantClassSet:
	var classes := VariantClassSet.new()
	classes.allow("item", Item, VariantClassSet.VARIABLES)
	classes.allow("shelf", Shelf, VariantClassSet.VARIABLES)
	return classes


static func shelf() -> Shelf:
	var shelf := Shelf.new()
	var item := Item.new()
	item.count = 7
	shelf.by_name = {"a": item, "b": null, "c": item}
	shelf.by_number = {1: &"x"}
	shelf.any = {2: item}
	shelf.values = {"item": item, "list": [item, 2.5]}
	shelf.exported = {"a": 1, 2: 3}
	return shelf
