@tool
extends RefCounted
## Keeps the loader and the saver of `.vschema.json` registered with the engine. The engine removes what
## scripts have added whenever it looks for global classes. It reads and writes no files itself.

const Loader := preload("schema_file_loader.gd")
const Saver := preload("schema_file_saver.gd")

## A path that only our loader recognizes.
const PROBE := "res://probe.vschema.json"

var _loader := Loader.new()
var _saver := Saver.new()


## Adds what is missing, before the engine's own loaders, which would open such a file as a text.
func add() -> void:
	if not _has_loader():
		ResourceLoader.add_resource_format_loader(_loader, true)
	if not _has_saver():
		ResourceSaver.add_resource_format_saver(_saver, true)


## Removes what is there.
func remove() -> void:
	if _has_loader():
		ResourceLoader.remove_resource_format_loader(_loader)
	if _has_saver():
		ResourceSaver.remove_resource_format_saver(_saver)


## Tells whether the loader is registered: the engine cannot list its loaders, but it asks each of them.
func _has_loader() -> bool:
	_loader.was_asked = false
	ResourceLoader.exists(PROBE)
	return _loader.was_asked


func _has_saver() -> bool:
	_saver.was_asked = false
	ResourceSaver.get_recognized_extensions(VariantSchema.any())
	return _saver.was_asked
