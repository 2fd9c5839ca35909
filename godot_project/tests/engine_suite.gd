extends "suite.gd"
## Defines the base class of suites that put values and buffers to the library and to the engine. It uses the
## parts of the conformance run, holds no tests, and is loaded only after run.gd has found the library.

const EdgeValues := preload("res://addons/variant_stream/ci/edge_values.gd")
const MalformedPart := preload("res://addons/variant_stream/ci/malformed_part.gd")
const Oracle := preload("res://addons/variant_stream/ci/oracle.gd")
const RoundTripPart := preload("res://addons/variant_stream/ci/round_trip_part.gd")
const Subject := preload("res://addons/variant_stream/ci/subject.gd")
const Typing := preload("res://addons/variant_stream/ci/typing.gd")

var subject := Subject.new()
var edges := EdgeValues.new()
var _values := RoundTripPart.new()
var _buffers := MalformedPart.new()


func _init() -> void:
	_values.subject = subject
	_buffers.subject = subject


func clean_up() -> void:
	edges.free_live()


## Checks that our bytes, size, reading and re-writing of `value` are the engine's. `has_objects` says that it
## holds objects.
func check_both_ways(value: Variant, what: String, has_objects := false) -> void:
	if not _values.both_ways(what, value, has_objects):
		fail("%s: cut off by a script error" % what)
	_report(_values)


## Checks that our ENGINE verdict on `bytes`, the consumed size and the value are the engine's.
func check_buffer(bytes: PackedByteArray, what: String) -> void:
	if not _buffers.put(what, bytes):
		fail("%s: cut off by a script error" % what)
	_report(_buffers)


static func hex(text: String) -> PackedByteArray:
	return text.replace(" ", "").hex_decode()


## Makes `levels` arrays around nil, as bytes.
static func nested_bytes(levels: int) -> PackedByteArray:
	return hex("1c00000001000000".repeat(levels) + "00000000")


## Makes `levels` arrays around `core`.
static func nested(levels: int, core: Variant = null) -> Variant:
	var value: Variant = core
	for i in levels:
		value = [value]
	return value


func _report(part: RefCounted) -> void:
	asserts += part.checks
	part.checks = 0
	for report: String in part.reports:
		fail(report)
	part.reports.clear()
