extends SceneTree
## Encodes an array that another thread changes meanwhile, which is forbidden and may end this process.
##   … -s res://tests/load/racing_threads.gd -- ours|engine numbers|texts|cleared ROUNDS
## It prints how many answers were no whole value, or, for an array that only grows, no value that it had at
## some time.

const ENCODES := 20
const CHANGES := 5000
## The number of changes after which the array is emptied.
const CLEARED := 50


func _initialize() -> void:
	var words := OS.get_cmdline_user_args()
	var encode := var_to_bytes if words[0] == "engine" else _codec().encode
	var element := str if words[1] != "numbers" else func(number: int) -> int: return number
	var clears := words[1] == "cleared"
	var wrong := 0
	for round in int(words[2]):
		wrong += _round(encode, element, clears)
	print("%d of %d wrong" % [wrong, int(words[2]) * ENCODES])
	quit()


func _codec() -> VariantCodec:
	var codec := VariantCodec.new()
	codec.limits = VariantLimits.engine()
	return codec


## Runs a round, in which each element is its own index.
func _round(encode: Callable, element: Callable, clears: bool) -> int:
	var array := []
	var thread := Thread.new()
	thread.start(func() -> void:
		for i in CHANGES:
			if clears and i % CLEARED == 0:
				array.clear()
			array.append(element.call(i % CLEARED if clears else i)))
	var wrong := 0
	for i in ENCODES:
		var bytes: PackedByteArray = encode.call(array)
		wrong += int(not bytes.is_empty() and not _is_whole(bytes, element, clears))
	thread.wait_to_finish()
	array.clear()
	return wrong


func _is_whole(bytes: PackedByteArray, element: Callable, clears: bool) -> bool:
	if bytes.size() < 8 or bytes.decode_var_size(0) != bytes.size():
		return false
	var value: Array = bytes_to_var(bytes)
	# append() makes room, which holds null, then writes the element's type and then the element: the last one
	# may be read at any of these moments.
	value.pop_back()
	for i: int in 0 if clears else value.size():
		if not is_same(value[i], element.call(i)):
			return false
	return true
