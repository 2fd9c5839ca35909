extends RefCounted
## Tells which field each byte of a save belongs to: its chunks, and in the state the fields of the value. The state has to be
## neither compressed nor encrypted. It judges nothing.

const FieldMap := preload("res://demo/parts/field_map.gd")
const CHUNKS := {
	"HEAD": "header: versions, time, id and ancestors", "META": "metadata, which the list of slots shows",
	"tHMB": "picture, which the list of slots shows", "DATA": "state", "END ": "hash of all bytes before it",
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
	var at := SIGNATURE
	while at + CHUNK_HEAD <= bytes.size():
		var letters := bytes.slice(at + 4, at + CHUNK_HEAD).get_string_from_ascii()
		var end := at + CHUNK_HEAD + bytes.decode_u32(at) + CHUNK_SUM
		map.add(at, CHUNKS.get(letters, letters))
		if letters == "DATA":
			var start := at + CHUNK_HEAD + SLICE_HEAD
			map.add_dump(VariantStream.dump(bytes.slice(start, end - CHUNK_SUM)), start)
			map.add(end - CHUNK_SUM, "checksum of the state")
		at = end
	return map
