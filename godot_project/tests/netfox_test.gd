extends "suite.gd"
## Tests the serializer for netfox against a stand-in of the class that it extends.

const Adapter := preload("res://addons/variant_stream/netfox/variant_schema_serializer.gd")
const StandIn := preload("netfox_stand_in.gd")
const BASE := "\"res://tests/netfox_stand_in.gd\""


func _serializers() -> Array:
	var made := [
		Adapter.over(BASE, VariantSchema.vector3().quantized(0.01, -512, 512), Vector3.ZERO),
		Adapter.over(BASE, VariantSchema.string().max_chars(16), "?"),
		Adapter.over(BASE, VariantSchema.array(VariantSchema.int(0, 100)).max_size(8), []),
		Adapter.over(BASE, VariantSchema.angle(9), 0.0),
	]
	for each: RefCounted in made:
		check(each is StandIn, "netfox takes nothing else")
	return made


static func _written(serializers: Array, values: Array) -> StreamPeerBuffer:
	var buffer := StreamPeerBuffer.new()
	buffer.put_u16(7)  # netfox has its own fields in front
	for at: int in values.size():
		serializers[at].encode(values[at], buffer)
	buffer.seek(2)
	return buffer


func test_properties_stand_behind_each_other() -> void:
	var serializers := _serializers()
	var values := [Vector3(1, 2, 3), "Ann", [1, 100], 0.0]
	var buffer := _written(serializers, values)
	check_same(buffer.get_size(), 2 + 7 + 4 + 3 + 2, "bytes")
	for at: int in values.size():
		check_same(serializers[at].decode(buffer), values[at], "value %d" % at)
	check_same(buffer.get_position(), buffer.get_size(), "all of it")
	check_same(serializers.map(func(it: Object) -> int: return it.packer.refused), [0, 0, 0, 0], "nothing is refused")


## Tests that a game is told once of each property what it did not send.
func test_what_does_not_fit_is_sent_as_the_fallback_and_said_once() -> void:
	var serializers := _serializers()
	expect_error("sent in place of a value that the schema refuses: (root): expected Vector3 with numbers in -512.0..512.0, got Vector3(600.0, 0.0, 0.0) of length 600.0. Make the range wider")
	expect_error("sent in place of a value that the schema refuses: [0]: expected int 0..100, got int 101. Make the range wider")
	for turn in 3:
		_written(serializers, [Vector3(600, 0, 0), "Ann", [101], 0.0])
	check_same(serializers[0].packer.refused, 3, "counted each time")
	serializers[0].packer.refused = 0
	var buffer := _written(serializers, [Vector3(600, 0, 0), "Ann", [101], 0.0])
	check_same(serializers[0].packer.refused, 1, "counted")
	check_same(serializers[0].packer.last_error.code, VariantCodec.OUT_OF_RANGE, "the kind")
	check_same(serializers[2].packer.last_error.path, "[0]", "the path")
	var got := serializers.map(func(it: Object) -> Variant: return it.decode(buffer))
	check_same(got, [Vector3.ZERO, "Ann", [], 0.0], "what arrives")


func test_bad_bytes_cost_a_value_or_the_rest() -> void:
	var serializers := _serializers()
	var values := [Vector3(1, 2, 3), "Ann", [1, 100], 0.0]
	# A vector always takes 7 bytes: the text behind it is found. Its last 5 bits are padding.
	var buffer := _written(serializers, values)
	var bytes := buffer.data_array
	bytes[8] |= 0xF8
	buffer.data_array = bytes
	buffer.seek(2)
	check_same(serializers[0].decode(buffer), Vector3.ZERO, "the fallback")
	check_same(serializers[0].packer.last_error.code, VariantCodec.DIRTY_PADDING, "the kind")
	check_same(serializers[1].decode(buffer), "Ann", "what is behind it")
	# A text does not: what is behind it is passed over.
	buffer = _written(serializers, values)
	bytes = buffer.data_array
	bytes[9] = 0xFF
	buffer.data_array = bytes
	buffer.seek(9)
	check_same(serializers[1].decode(buffer), "?", "the fallback")
	check_same(buffer.get_position(), buffer.get_size(), "at the end")
	check_same(serializers[2].decode(buffer), [], "nothing is left")
	check_same(serializers[2].packer.refused, 1, "counted")
	var fallback: Array = serializers[2].decode(buffer)
	fallback.append(1)
	check_same(serializers[2].decode(buffer), [], "a fallback of its own each time")


## Tests a range that says .clamped(), as the example of the documents does: the nearest value is sent and nothing is said.
func test_the_nearest_value_is_sent() -> void:
	var place: RefCounted = Adapter.over(BASE, VariantSchema.vector3().quantized(0.01, -512, 512).clamped(), Vector3.ZERO)
	var buffer := _written([place], [Vector3(600, 1, 2)])
	check_same(place.decode(buffer), Vector3(512, 1, 2), "what arrives")
	check_same(place.packer.refused, 0, "refused")


## Tests that a serializer which would write no bytes, so that every value behind it is read as another, is not made.
func test_a_fallback_has_to_fit() -> void:
	for row: Array in [[VariantSchema.int(1, 9), 0, "(root): expected int 1..9, got int 0"],
			[VariantSchema.dict({"hp": VariantSchema.int(0, 9)}), {}, "(root): expected the key \"hp\""],
			[VariantSchema.rid(), RID(), "(root): "]]:
		expect_error("VariantSchemaSerializer: the fallback does not fit the schema: " + row[2])
		check_same(Adapter.over(BASE, row[0], row[1]), null, row[2])
	# A value without any choice has no bits, and is one.
	var only: RefCounted = Adapter.over(BASE, VariantSchema.int(5, 5), 5)
	var buffer := _written([only, only], [5, 5])
	check_same([buffer.get_size(), only.decode(buffer), only.decode(buffer)], [2, 5, 5], "no bits")


## Tests degrees as netfox's degrees8() has them, in a table of angles around the circle.
func test_degrees_stay_degrees() -> void:
	var eight: RefCounted = Adapter.degrees_over(BASE, 8)
	var sixteen: RefCounted = Adapter.degrees_over(BASE, 16, 90.0)
	for row: Array in [[0.0, 0.0], [90.0, 90.0], [-90.0, 270.0], [45, 45.0], [720.0 + 180.0, 180.0], [359.0, 359.0]]:
		var buffer := _written([eight, sixteen], [row[0], row[0]])
		check_same(buffer.get_size(), 2 + 1 + 2, "bytes")
		var coarse: float = eight.decode(buffer)
		check(absf(coarse - row[1]) <= 180.0 / 256, "%s degrees in 8 bits came as %s" % [row[0], coarse])
		var fine: float = sixteen.decode(buffer)
		check(absf(fine - row[1]) <= 180.0 / 65536, "%s degrees in 16 bits came as %s" % [row[0], fine])
	check_same(roundf(sixteen.decode(StreamPeerBuffer.new())), 90.0, "the fallback is in degrees")
	expect_error("sent in place of a value that the schema refuses: (root): expected float, got String. This is said once")
	eight.encode("north", StreamPeerBuffer.new())


## Tests that a value costs its own bytes and not those behind it. A copy of the buffer would raise the most memory that was
## ever in use, since the buffer is larger than all that was free since then.
func test_decoding_takes_no_copy_of_the_buffer() -> void:
	if OS.get_static_memory_peak_usage() == 0:
		skip("this engine counts no memory")
		return
	var short: RefCounted = Adapter.over(BASE, VariantSchema.int(0, 255), 0)
	var buffer := StreamPeerBuffer.new()
	buffer.resize(int(OS.get_static_memory_peak_usage() - OS.get_static_memory_usage()) + (8 << 20))
	var most := OS.get_static_memory_peak_usage()
	for turn in 3:
		short.decode(buffer)
	check_same(buffer.get_position(), 3, "bytes read")
	check(OS.get_static_memory_peak_usage() - most < 1 << 20, "%d bytes more" % (OS.get_static_memory_peak_usage() - most))


func test_a_project_without_netfox() -> void:
	expect_error("VariantSchemaSerializer: this project has no netfox with NetworkSchemaSerializer")
	check_same(Adapter.of(VariantSchema.bool(), false), null, "no serializer")
