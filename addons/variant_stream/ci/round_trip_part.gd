extends "part.gd"
## Compares random value trees in both directions: our bytes are the engine's, and so is our reading of them.
## The decoded value writes the same bytes again.

const Oracle := preload("oracle.gd")
const ValueCompare := preload("value_compare.gd")
const ValueGenerator := preload("value_generator.gd")

const CHECKS_A_VALUE := 7
## The number of cases from which on a type that no tree held is a fault of the run.
const ALL_TYPES_FROM := 2000


func _init() -> void:
	title = "round trip"


func run() -> bool:
	var generator := ValueGenerator.new()
	for case in cases:
		var value: Variant = generator.make(seed_number, case)
		var name := "case %d" % case
		came_through(name, both_ways(name, value, generator.has_objects))
	if cases >= ALL_TYPES_FROM and generator.seen != (1 << TYPE_MAX) - 1:
		differ("generator", "never made some of the %d types (seen %x)" % [TYPE_MAX, generator.seen])
	generator.free_live()
	return true


func verdict() -> String:
	return "%d differences   seed %d" % [differences, seed_number]


## Gives one value to both sides, writing and reading, and compares the results.
func both_ways(case: String, value: Variant, has_objects: bool) -> bool:
	checks += CHECKS_A_VALUE
	var expected := Oracle.encode(value)
	if expected.is_empty():
		differ(case, "the engine does not encode this value", value)
		return true
	var bytes: PackedByteArray = subject.encode(value)
	if bytes != expected and not Oracle.same_bytes(bytes, expected):
		differ(case, "bytes differ: " + parting(bytes, expected), value)
	if subject.encoded_size(value) != expected.size():
		differ(case, "encoded_size %d, engine %d" % [subject.encoded_size(value), expected.size()], value)
	return _decode(case, expected, value, has_objects)


func _decode(case: String, bytes: PackedByteArray, value: Variant, has_objects: bool) -> bool:
	if subject.decode(bytes) != OK:
		differ(case, "refused (%s): %s" % [subject.error_message(), window(bytes)], value)
		return true
	var ours: Variant = subject.data()
	var consumed: int = subject.consumed()
	if consumed != Oracle.consumed(bytes):
		differ(case, "consumed %d, engine %d" % [consumed, Oracle.consumed(bytes)], value)
	if subject.validate(bytes) != OK:
		differ(case, "validate() refuses what decode() takes: " + window(bytes), value)
	var engine := Oracle.decode(bytes)
	var parted := ValueCompare.difference(ours, engine)
	if not parted.is_empty():
		differ(case, "decoded values differ: " + parted, value)
		return true
	# An object read from its id is a new wrapper with an id of its own: each then has to write its own bytes.
	var again := Oracle.encode(ours if has_objects else engine)
	var ours_again: PackedByteArray = subject.encode(ours)
	if ours_again != again and not Oracle.same_bytes(ours_again, again):
		differ(case, "the decoded value encodes differently: " + parting(ours_again, again), value)
	if not has_objects and bytes != again:
		return _engine_again(case, engine, again, value)
	return true


## Compares values that the engine itself does not write back unchanged (a leading BOM is lost ...): ours must
## change alike.
func _engine_again(case: String, engine: Variant, again: PackedByteArray, value: Variant) -> bool:
	var bytes: PackedByteArray = subject.encode(engine)
	if bytes != again and not Oracle.same_bytes(bytes, again):
		differ(case, "the engine's decoded value encodes differently: " + parting(bytes, again), value)
	return true
