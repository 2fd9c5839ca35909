extends "suite.gd"
## Tests that a large Dictionary gets the room of its table at once only where the steps in tables of any size were bounded: not after
## refusals, nor under a schema, where keys could be made that all want one place there.
##
## A table that grows is there twice for a moment, which raises the most memory that was ever in use.

## The reason why run.gd skips this suite in a packed game.
const EDITOR_ONLY := "asks the engine for its memory, which only debug builds count"
const UNSANITIZED := "measures memory, and the sanitizer keeps what was given back"

## The engine's table of 98 317 places takes one less.
const ENTRIES := 73738
## Less than that table takes: a number and an address for each place.
const TABLE := 1000000

var _codec := VariantCodec.new()
var _bytes: PackedByteArray


func test_room_at_once_only_where_steps_were_bounded() -> void:
	if OS.get_environment("VARIANT_STREAM_RAW") == "off":
		skip("nothing is built in place")
		return
	var large := {}
	for i in ENTRIES:
		large[i] = i
	_bytes = var_to_bytes(large)
	# A table is prepared when its kind comes the second time.
	_codec.decode(_bytes)
	_codec.decode(_bytes)
	check(_passing_memory() < TABLE, "it has its room at once")
	for i in 8:
		check(_codec.decode(PackedByteArray([99, 0, 0, 0])) != OK, "refused")
	check(_passing_memory() > TABLE, "after refusals it grows")
	for i in 8:
		_codec.decode(var_to_bytes([i]))
	check(_passing_memory() < TABLE, "it has its room again")
	_codec.schema = VariantSchema.map(VariantSchema.int(), VariantSchema.int())
	check(_passing_memory() > TABLE, "under a schema it grows")


## Decodes, and returns the memory that the engine took meanwhile and does not hold any more.
func _passing_memory() -> int:
	_codec.decode(var_to_bytes({}))
	var filler := PackedByteArray()
	filler.resize(int(OS.get_static_memory_peak_usage() - OS.get_static_memory_usage()) + (1 << 20))
	var before := OS.get_static_memory_usage()
	check_error(_codec.decode(_bytes), OK, "decode")
	check_same(_codec.data.size(), ENTRIES, "entries")
	return int(OS.get_static_memory_peak_usage() - maxi(OS.get_static_memory_usage(), before))
