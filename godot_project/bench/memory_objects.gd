extends RefCounted
## Measures the memory that objects of a Resource with ten variables hold, and what max_heap_bytes is charged for them. The bytes
## are made by another process, because freed objects would be used again and not counted.

const COUNT := 50_000


class Ten:
	extends Resource
	var hp := 80
	var speed := 3.5
	var name := "Ann"
	var at := Vector2.ONE
	var is_new := true
	var kind := 3
	var color := Color.RED
	var gold := 5
	var level := 7
	var turn := 0.25


func _codec() -> VariantCodec:
	var codec := VariantCodec.new()
	codec.classes = VariantClassSet.new()
	codec.classes.allow("ten", Ten, VariantClassSet.VARIABLES)
	codec.limits = VariantLimits.engine()
	return codec


func encoded(count := COUNT) -> PackedByteArray:
	var objects := []
	for i in count:
		objects.append(Ten.new())
	return _codec().encode(objects)


func measure(folder: String, memory: RefCounted) -> void:
	var bytes := FileAccess.get_file_as_bytes(folder.path_join("objects.bin"))
	var codec := _codec()
	# This makes everything that is made at first use.
	_codec().decode(encoded(1))
	memory.reset()
	var before: int = memory.now()
	if codec.decode(bytes) != OK or codec.data.size() != COUNT:
		printerr("nothing was measured: " + codec.get_error_message())
		return
	var peak: int = memory.peak() - before
	var held: int = memory.now() - before
	print("memory %d %d %d" % [charge(codec, bytes), peak, held])


## Returns the lowest max_heap_bytes under which the bytes are good.
static func charge(codec: VariantCodec, bytes: PackedByteArray) -> int:
	var low := 0
	var high := 1 << 40
	while low < high:
		var middle := (low + high) / 2
		codec.limits.max_heap_bytes = middle
		if codec.validate(bytes) == OK:
			high = middle
		else:
			low = middle + 1
	return low
