extends RefCounted
## Tells which field each byte of a save belongs to: its chunks, and in the state the fields of the value. The state has to be
## neither compressed nor encrypted. It judges nothing.

const FieldMap := preload("res://demo/parts/field_map.gd")
const CHUNKS := {
	"HEAD": "header: versions, time, id and ancestors", "META": "metadata, which the list of slots shows",
	"tHMB": "picture, which the list of slots shows", "oUTL": "places of the objects in the state", "DATA": "a part of the state",
	"END ": "hash of all bytes before it",
}
const SIGNATURE := 8
## The length and the letters before a chunk's payload, and the checksum behind it.
const CHUNK_HEAD := 8
const CHUNK_SUM := 4
## Index, size and entries before the bytes of a slice.
const SLICE_HEAD := 12


## Returns the fields of a save that is whole.
static func of_save(bytes: PackedByteArray) -> FieldMap:
	var map := FieldMap.new()
	map.add(0, "signature of a save")
	var state := FieldMap.of_dump(VariantStream.dump(_state_of(bytes)))
	var at := SIGNATURE
	var before := 0
	while at + CHUNK_HEAD <= bytes.size():
		var letters := bytes.slice(at + 4, at + CHUNK_HEAD).get_string_from_ascii()
		var end := at + CHUNK_HEAD + bytes.decode_u32(at) + CHUNK_SUM
		map.add(at, CHUNKS.get(letters, letters))
		if letters == "DATA":
			before = _add_slice(map, state, at + CHUNK_HEAD + SLICE_HEAD, end - CHUNK_SUM, before)
			map.add(end - CHUNK_SUM, "checksum of the state")
		at = end
	return map


## Joins the slices of the state.
static func _state_of(bytes: PackedByteArray) -> PackedByteArray:
	var state := PackedByteArray()
	var at := SIGNATURE
	while at + CHUNK_HEAD <= bytes.size():
		var end := at + CHUNK_HEAD + bytes.decode_u32(at) + CHUNK_SUM
		if bytes.slice(at + 4, at + CHUNK_HEAD).get_string_from_ascii() == "DATA":
			state.append_array(bytes.slice(at + CHUNK_HEAD + SLICE_HEAD, end - CHUNK_SUM))
		at = end
	return state


## Adds the fields of a slice that lies from one byte to another, behind so many bytes of the state. Returns how many are behind it.
static func _add_slice(map: FieldMap, state: FieldMap, from: int, to: int, before: int) -> int:
	map.add(from, state.text_of(before))
	for start in state.starts:
		if start > before and start < before + to - from:
			map.add(from + start - before, state.text_of(start))
	return before + to - from
