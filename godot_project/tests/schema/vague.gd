extends RefCounted
## A data class that does not say what it holds.

var level: int
var anything
