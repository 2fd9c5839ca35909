extends RefCounted
## Serves as a game that has a new version and no step to it.


static func saves() -> VariantSave:
	var saves := VariantSave.new()
	saves.version = 2
	return saves
