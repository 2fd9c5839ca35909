extends RefCounted
## Serves as the heroes of tests/attacks/objects, which rust/testkit/src/objects.rs defines as well.

const CorpusItem := preload("corpus_item.gd")

static var made := 0

@export_range(0, 100) var hp := 10
@export_storage var items: Array[CorpusItem] = []
@export_storage var rival: RefCounted
@export_storage var any := {}


func _init() -> void:
	made += 1
