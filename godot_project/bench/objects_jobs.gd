extends RefCounted
## Times objects by a VariantClassSet, with all of its checks, against the engine's functions with objects, which check nothing.
## Objects that are made are kept until the clock has stopped: freeing is not timed.

const Entity := preload("res://bench/objects_entity.gd")

## The most that a document may be of the engine's bytes, where there are many objects.
const MOST_OF_SIZE := 0.6

var value: Variant
var bytes: PackedByteArray
var document: PackedByteArray
var codec := VariantCodec.new()


func _init(given: Variant) -> void:
	value = given
	bytes = var_to_bytes_with_objects(given)
	codec.classes = VariantClassSet.new()
	codec.classes.allow("entity", Entity)
	document = codec.encode(given)


func size() -> int:
	return document.size()


## Returns what differs, or an empty text.
func difference() -> String:
	if codec.decode(document) != OK or codec.encode(codec.data) != document:
		return "value: " + codec.get_error_message()
	var same := var_to_bytes_with_objects(codec.data) == bytes
	codec.decode(codec.encode(null))
	if not same:
		return "value: other objects than the engine's"
	var most := bytes.size() * MOST_OF_SIZE
	return "" if value.size() < 100 or document.size() <= most else "size: %d bytes, the engine's are %d" % [
		document.size(), bytes.size()]


func engine_encode(times: int) -> int:
	var answer: PackedByteArray
	var start := Time.get_ticks_usec()
	for i in times:
		answer = var_to_bytes_with_objects(value)
	return Time.get_ticks_usec() - start


func ours_encode(times: int) -> int:
	var answer: PackedByteArray
	var start := Time.get_ticks_usec()
	for i in times:
		answer = codec.encode(value)
	return Time.get_ticks_usec() - start


func engine_decode(times: int) -> int:
	var kept := []
	var start := Time.get_ticks_usec()
	for i in times:
		kept.append(bytes_to_var_with_objects(bytes))
	return Time.get_ticks_usec() - start


func ours_decode(times: int) -> int:
	var kept := []
	var start := Time.get_ticks_usec()
	for i in times:
		codec.decode(document)
		kept.append(codec.data)
	return Time.get_ticks_usec() - start
