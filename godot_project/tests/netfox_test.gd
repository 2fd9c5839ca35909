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


func test_what_does_not_fit_is_sent_as_the_fallback() -> void:
	var serializers := _serializers()
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


func test_a_fallback_has_to_fit() -> void:
	expect_error("VariantSchemaSerializer: the fallback does not fit: (root): expected int 1..9, got int 0")
	check(Adapter.over(BASE, VariantSchema.int(1, 9), 0) != null, "a mistake in code is told, and the game goes on")


func test_a_project_without_netfox() -> void:
	expect_error("VariantSchemaSerializer: this project has no netfox with NetworkSchemaSerializer")
	check_same(Adapter.of(VariantSchema.bool(), false), null, "no serializer")
