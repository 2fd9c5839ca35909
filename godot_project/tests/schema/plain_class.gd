extends RefCounted
## Declares a data class of ten plain variables, each of which may be missing.

var name: String = ""
var hp: int = 100
var mp: int = 50
var level: int = 1
var speed: float = 1.0
var armor: int = 0
var gold: int = 0
var kills: int = 0
var deaths: int = 0
var is_alive: bool = true
