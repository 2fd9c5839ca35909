extends "part.gd"
## Compares spoiled buffers: verdict, consumed size and value of our ENGINE mode are the engine's, and nothing
## is logged.

const GoldenFiles := preload("golden_files.gd")
const Mutator := preload("mutator.gd")
const Oracle := preload("oracle.gd")
const ValueCompare := preload("value_compare.gd")
const ValueGenerator := preload("value_generator.gd")

## The size limit of a buffer: larger ones cost time and show nothing more.
const LARGEST := 2000
## The number of the generator's values that are spoiled.
const SOURCES := 4000

## Counts that the table shows one by one.
var wrongly_accepted := 0
var wrongly_refused := 0
var accepted := 0


func _init() -> void:
	title = "malformed"
	unit = "buffers"


func run() -> bool:
	var rng := RandomNumberGenerator.new()
	var generator := ValueGenerator.new()
	var mutator := Mutator.new(rng)
	var sources := _sources(generator)
	for case in cases:
		rng.seed = (seed_number << 24) ^ hash(-1 - case)
		var bytes := sources[rng.randi() % sources.size()]
		var other := sources[rng.randi() % sources.size()]
		came_through("case %d" % case, put("case %d" % case, mutator.spoil(bytes, other)))
	if ran >= 1000 and (accepted < ran / 20 or accepted > ran - ran / 20):
		differ("mutator", "%d of %d buffers accepted: too one-sided to show anything" % [accepted, ran])
	generator.free_live()
	return true


func verdict() -> String:
	var counted := str(prints) if tap != null else "uncounted (Logger came with 4.5)"
	var text := "%d crashes, %s prints, %d accepted that the engine refuses" % [
		panics, counted, wrongly_accepted]
	var others := differences - prints - wrongly_accepted - wrongly_refused
	if wrongly_refused > 0 or others > 0:
		text += ", %d refused that it accepts, %d other differences" % [wrongly_refused, others]
	return text


## Gives one buffer to both sides and compares the results.
func put(case: String, bytes: PackedByteArray) -> bool:
	checks += 2
	var size := Oracle.consumed(bytes)
	var error: int = subject.decode(bytes)
	if (error == OK) != (size > 0):
		if Oracle.reads_otherwise(Oracle.engine_hex, bytes):
			engine_older += 1
		elif error == OK:
			wrongly_accepted += 1
			differ(case, "accepted, the engine refuses\n    bytes  " + window(bytes), subject.data())
		else:
			wrongly_refused += 1
			differ(case, "refused (%s), the engine reads %d bytes\n    bytes  %s" % [
				subject.error_message(), size, window(bytes)], Oracle.decode(bytes))
		return true
	var through := _accepted(case, bytes, size) if error == OK else true
	if subject.validate(bytes) != error:
		differ(case, "validate() and decode() answer differently\n    bytes  " + window(bytes))
	return through


func _accepted(case: String, bytes: PackedByteArray, size: int) -> bool:
	accepted += 1
	checks += 2
	var consumed: int = subject.consumed()
	var engine := Oracle.decode(bytes)
	var parted := ValueCompare.difference(subject.data(), engine)
	if consumed == size and parted.is_empty():
		return true
	if Oracle.reads_otherwise(Oracle.engine_hex, bytes):
		engine_older += 1
		return true
	if consumed != size:
		differ(case, "consumed %d, engine %d\n    bytes  %s" % [consumed, size, window(bytes)])
	if not parted.is_empty():
		differ(case, "values differ: %s\n    bytes  %s" % [parted, window(bytes)], engine)
	return true


func _sources(generator: ValueGenerator) -> Array[PackedByteArray]:
	var sources: Array[PackedByteArray] = []
	for case in SOURCES:
		var bytes := Oracle.encode(generator.make(seed_number, case))
		if bytes.size() <= LARGEST:
			sources.append(bytes)
	for file: Dictionary in GoldenFiles.read(golden).files:
		for case: Dictionary in file.cases:
			sources.append(str(case.hex).hex_decode())
	return sources
