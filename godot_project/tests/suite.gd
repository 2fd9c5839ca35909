extends RefCounted
## Defines the base class of every suite: assertions that go on after a failure, and announcements of what may
## be logged. It finds and runs nothing; run.gd does.

const EngineBytes := preload("res://addons/variant_stream/ci/oracle.gd")
const Part := preload("res://addons/variant_stream/ci/part.gd")
const TypedContainers := preload("res://addons/variant_stream/ci/typing.gd")
const ValueCompare := preload("res://addons/variant_stream/ci/value_compare.gd")

const KEPT := 20

var failures := PackedStringArray()
var asserts := 0
## Whether --long asks for the slow, thorough form of a test; run.gd sets it.
var long := false
## Whether AddressSanitizer is on, where times and memory are not the library's own.
var sanitized := OS.has_environment("ASAN_OPTIONS")
## Whether the engine is built with `precision=double`, where vectors take more bytes and values more memory.
var is_double := var_to_bytes(Vector2()).size() > 12
## The test, or a part of it, found that it needs what is not here, for these reasons.
var skipped := PackedStringArray()
var _announced := PackedStringArray()


## Announces that a message holding `text` will be logged; the test fails when it is not.
func expect_error(text: String) -> void:
	_announced.append(text)


## Announces an error of a script that the library calls. It says so to whoever judges the whole run, where any other is red.
func expect_script_error(text: String) -> void:
	print("announced SCRIPT ERROR: " + text)
	expect_error(text)


## Cleans up; run.gd calls it after every test, failed or not.
func clean_up() -> void:
	pass


## Returns entries as a dictionary of these builtin types, of which null is any; as they are before Godot 4.4, which has no
## typed dictionaries and does not parse their types.
static func typed_dictionary(entries: Dictionary, key: int, value: int) -> Dictionary:
	return typed_by(entries, TypedContainers.builtin(key), TypedContainers.builtin(value))


## Returns entries as a dictionary of types that typing.gd made, or as they are before Godot 4.4.
static func typed_by(entries: Dictionary, key: Dictionary, value: Dictionary) -> Dictionary:
	return entries if TypedContainers.dictionaries == null else TypedContainers.dictionaries.make(entries, key, value)


## Says why the rest of a test shows nothing here. A test that checked nothing before counts as skipped, not as passed.
func skip(why: String) -> void:
	if not skipped.has(why):
		skipped.append(why)


func fail(message: String) -> bool:
	asserts += 1
	if failures.size() < KEPT:
		failures.append(message)
	elif failures.size() == KEPT:
		failures.append("... and more")
	return false


func check(ok: bool, message: String) -> bool:
	asserts += 1
	return ok or fail(message)


## Checks that two values are equal in type and in every bit; see value_compare.gd.
func check_same(got: Variant, want: Variant, what: String) -> bool:
	asserts += 1
	var parted := ValueCompare.difference(got, want, "got", "want")
	if parted.is_empty():
		return true
	return fail("%s: %s" % [what, parted])


## Checks that the bytes are equal; before 4.6.3, whose NodePaths end in whatever was in memory, but for such pads.
func check_bytes(got: PackedByteArray, want: PackedByteArray, what: String) -> bool:
	asserts += 1
	if got == want or (EngineBytes.engine_hex < EngineBytes.ZEROED_PADS and EngineBytes.differ_in_pads_only(got, want)):
		return true
	return fail("%s: %s" % [what, Part.parting(got, want, "got", "want")])


func check_error(got: int, want: int, what: String) -> bool:
	asserts += 1
	if got == want:
		return true
	return fail("%s: got error %d (%s), want %d (%s)" % [what, got, error_string(got), want, error_string(want)])


## Returns the logged messages that were not announced, and the announced ones that did not come.
func unannounced(logged: Array) -> Array:
	var left := []
	var missing := Array(_announced)
	for text: String in logged:
		var known := false
		for announced in _announced:
			if text.contains(announced):
				known = true
				missing.erase(announced)
		if not known and not left.has("logged: " + text):
			left.append("logged: " + text)
	for announced: String in missing:
		left.append("the announced message did not come: " + announced)
	return left
