extends RefCounted
## Has typed dictionaries of script objects, for the objects part; it is loaded on 4.4 and later, where they
## parse.

const Item := preload("item.gd")

@export_storage var by_name: Dictionary[String, Item] = {}
@export_storage var counts: Dictionary[Item, int] = {}
@export_storage var resources: Dictionary[StringName, Resource] = {}
