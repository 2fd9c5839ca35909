extends RefCounted
## Declares a data class that does not declare what it holds.

var level: int
var anything
