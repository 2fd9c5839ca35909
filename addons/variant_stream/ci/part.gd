extends RefCounted
## Defines the base class of each part of the conformance run: its counters and the differences it found.
## Parts extend this and do their work in run(); this file compares nothing itself and prints nothing.

const SHOWN := 20

## The name of this part in the table, and the unit that it counts.
var title := ""
var unit := "values"

## The library under test; the run sets it before run().
var subject: RefCounted
var tap: RefCounted  # log_tap.gd's, or null on engines without Logger.
var seed_number := 0
var cases := 0
var golden := ""

## The number of values or buffers that both sides got, and the number of comparisons.
var ran := 0
var checks := 0
var differences := 0
## Differences that come from this engine's age: counted, shown in the table, not held against the library.
var engine_older := 0
## Messages logged meanwhile. All are the library's, because the engine runs with its messages off.
var prints := 0
var panics := 0
## Descriptions of differences, at most SHOWN of them, and other remarks for the reader.
var reports := PackedStringArray()
var notes := PackedStringArray()
## The reason why the part could not run; the run then ends with 2.
var refused := ""
var finished := false
var seconds := 0.0


## Runs the part, and returns true when it came to its end. A script error ends a function early and its
## caller goes on as if nothing had happened, so every step of a part returns true as its last act and is
## checked for it.
func run() -> bool:
	return false


## Returns the end of this part's line in the table.
func verdict() -> String:
	return "%d differences" % differences


## Counts a difference; `value` (optional) is shown as GDScript text.
func differ(case: String, what: String, value: Variant = null) -> void:
	differences += 1
	if reports.size() >= SHOWN:
		return
	var text := "%s %s: %s" % [title, case, what]
	if value != null:
		text += "\n    value  " + _value_text(value)
	reports.append(text)


## Takes the messages that were logged during run(); each is a difference.
func count_prints() -> void:
	var taken: Dictionary = tap.take()
	prints = taken.count
	differences += prints
	for text: String in taken.errors + taken.messages:
		panics += int(text.to_lower().contains("panic"))
		if reports.size() < SHOWN:
			reports.append("%s printed: %s" % [title, text])


## Counts a step by its answer: false means that it was cut off, which must never pass for equality.
func came_through(case: String, answer: bool) -> void:
	ran += 1
	if not answer:
		differ(case, "the comparison itself was cut off by a script error")


## Describes where two byte strings differ first, with a window of hex around the place.
static func parting(ours: PackedByteArray, engine: PackedByteArray, us := "ours", them := "engine") -> String:
	var at := 0
	while at < mini(ours.size(), engine.size()) and ours[at] == engine[at]:
		at += 1
	var from := maxi(0, at - 8)
	return "first difference at byte %d (%s %d bytes, %s %d)\n    %-6s %s\n    %-6s %s" % [
		at, us, ours.size(), them, engine.size(), us, window(ours, from), them, window(engine, from)]


## Returns 24 bytes from `from` on, in words of four, with dots where there is more.
static func window(bytes: PackedByteArray, from := 0) -> String:
	var words := PackedStringArray()
	for i in range(from - from % 4, mini(bytes.size(), from + 24), 4):
		words.append(bytes.slice(i, i + 4).hex_encode())
	return ("… " if from >= 4 else "") + " ".join(words) + (" …" if bytes.size() > from + 24 else "")


static func _value_text(value: Variant) -> String:
	Engine.print_error_messages = false  # var_to_str logs an error for deep values
	var text := var_to_str(value).replace("\n", " ")
	Engine.print_error_messages = true
	return text if text.length() <= 400 else text.left(400) + "…"
