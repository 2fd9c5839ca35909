extends RefCounted
## The first version of a save: a data class that schema_combinators_test.gd combines.

var version: int = 1
@export_range(0, 99) var hp: int = 50
