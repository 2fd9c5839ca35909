extends RefCounted
## Serves as a game of version 2 for old_saves_test.gd.


class Item:
	var count := 1


static func saves() -> VariantSave:
	var saves := VariantSave.new()
	saves.classes = VariantClassSet.new()
	saves.classes.allow("Item", Item)
	saves.version = 2
	saves.rename(1, {"health": "hp"})
	return saves


static func sample() -> Variant:
	var item := Item.new()
	return {"hp": 80, "name": "Ada", "items": [item, item]}
