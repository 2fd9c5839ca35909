extends RefCounted
## Serves as classes that no VariantClassSet can hold, or only in a way of their own, for its tests.


class NeedsArguments:
	var a := 1

	func _init(value: int) -> void:
		a = value


class OnScreen extends Node:
	@export var a := 1


class Untyped:
	var a


class OfList:
	var a: Array


class OfNumbers:
	var a: Array[int] = []


class OfObject:
	var a: RefCounted


class Stored:
	@export var kept := 1
	@export_storage var _secret := 2
	var fleeting := 3


## A time of the game, which is made with an argument.
class GameTime:
	var ticks: int

	func _init(at: int) -> void:
		ticks = at

	static func to_ticks(time: GameTime) -> int:
		return time.ticks

	static func from_ticks(ticks: int) -> GameTime:
		return GameTime.new(ticks)


class Event:
	var at: RefCounted
	var icon: Resource
	var marks: Array[Resource]


## Its getter does what a hook says.
class Restless:
	static var hook := Callable()
	static var sets := 0
	var value: Variant:
		get:
			return hook.call() if hook.is_valid() else value
		set(given):
			sets += 1
			value = given
	var next: RefCounted


class Failing:
	var a := 1

	func _init() -> void:
		Failing.made += 1

	func _variant_loaded() -> void:
		Failing.loaded.append(a)

	static var made := 0
	static var loaded := []
