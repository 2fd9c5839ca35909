extends RefCounted
## Runs the conformance run: options, parts in order, the table, JUnit, the exit code. It is loaded only once
## the library is there, and compares nothing itself.

const GoldenPart := preload("golden_part.gd")
const Junit := preload("junit.gd")
const KeysPart := preload("keys_part.gd")
const LibraryGate := preload("library_gate.gd")
const MalformedPart := preload("malformed_part.gd")
const ObjectsPart := preload("objects_part.gd")
const Options := preload("options.gd")
const Part := preload("part.gd")
const RoundTripPart := preload("round_trip_part.gd")

const DEFAULTS := {
	"seed": 20240, "cases": 20000, "golden": "res://addons/variant_stream/ci/golden", "junit": "",
}
const LOGGER := 0x040500

enum Exit { EQUAL, DIFFERENT, NOTHING_RAN }


func run(words: PackedStringArray) -> int:
	var options := Options.new(words, DEFAULTS)
	if options.error.is_empty() and options.values.cases < 1:
		options.error = "--cases wants at least 1"
	if not options.error.is_empty():
		printerr(options.error)
		return Exit.NOTHING_RAN
	print(LibraryGate.banner())
	var parts: Array[Part] = [
		RoundTripPart.new(), ObjectsPart.new(), MalformedPart.new(), KeysPart.new(), GoldenPart.new(),
	]
	var tap: RefCounted = _open_tap()
	var subject_file := "late_subject.gd" if LibraryGate.came_late else "subject.gd"
	var subject: GDScript = load("res://addons/variant_stream/ci/" + subject_file)
	for part in parts:
		part.subject = subject.new()
		_run_part(part, options.values, tap)
	if tap != null:
		OS.call(&"remove_logger", tap)
	return _conclude(parts, options.values.junit)


static func _open_tap() -> RefCounted:
	if Engine.get_version_info().hex < LOGGER:
		return null
	var tap: RefCounted = load("res://addons/variant_stream/ci/log_tap.gd").new()
	OS.call(&"add_logger", tap)  # by name: older engines have no such method and would not parse it
	return tap


static func _run_part(part: Part, options: Dictionary, tap: RefCounted) -> void:
	part.tap = tap
	part.seed_number = options.seed
	part.cases = options.cases
	part.golden = options.golden
	var started := Time.get_ticks_usec()
	if tap != null:
		tap.take()
	part.finished = part.run()
	if tap != null:
		part.count_prints()
	part.seconds = (Time.get_ticks_usec() - started) / 1e6
	var line := "%-10s %8s %-9s %s" % [part.title, _grouped(part.ran), part.unit, part.verdict()]
	if part.engine_older > 0:
		line += "   (%d more: engine older)" % part.engine_older
	print(line)
	# Not printerr: where both streams go to one file or pipe, a line of one lands inside a line of the other.
	print("           %.1f s, %s checks" % [part.seconds, _grouped(part.checks)])
	for report in part.reports:
		print("  DIFFERENCE ", report)
	if part.differences > part.reports.size():
		print("  ... and %d more" % (part.differences - part.reports.size()))
	for note in part.notes:
		print("  ", note)


static func _conclude(parts: Array[Part], junit: String) -> int:
	var checks := 0
	var differences := 0
	var exit := Exit.EQUAL
	var cases: Array[Dictionary] = []
	for part in parts:
		checks += part.checks
		differences += part.differences
		var failures := part.reports.duplicate()
		if part.refused.is_empty() and part.ran == 0:
			part.refused = "nothing ran"
		if not part.finished:
			part.refused = "cut off by a script error"
		if not part.refused.is_empty():
			print("%s: %s" % [part.title, part.refused])
			failures.append(part.refused)
			exit = Exit.NOTHING_RAN
		cases.append({"name": part.title, "seconds": part.seconds, "failures": failures})
	if differences > 0 and exit == Exit.EQUAL:
		exit = Exit.DIFFERENT
	if not junit.is_empty():
		var error := Junit.write(junit, "VariantStream", [{"name": "conformance", "cases": cases}])
		if error != OK:
			printerr("cannot write %s: %s" % [junit, error_string(error)])
			exit = Exit.NOTHING_RAN
	var missing := "" if exit != Exit.NOTHING_RAN else ", but not all of it ran"
	print("== %d checks, %d differences%s" % [checks, differences, missing])
	return exit


## Formats 20000 as `20 000`.
static func _grouped(number: int) -> String:
	var text := str(number)
	for at in range(text.length() - 3, 0, -3):
		text = text.insert(at, " ")
	return text
