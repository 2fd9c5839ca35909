extends RefCounted
## Encodes or decodes a value once, by one side, between two readings of the process's memory. It compares
## nothing.


func measure(options: Dictionary, memory: RefCounted) -> void:
	var bytes := FileAccess.get_file_as_bytes(options.folder.path_join("%d.bin" % options.row))
	# This makes everything that is made at first use.
	var first := [1, "a", {"b": 2}]
	var warm := [VariantStream.decode(VariantStream.encode(first)), bytes_to_var(var_to_bytes(first))]
	var is_ours: bool = options.side == "ours"
	var answer: Variant = bytes_to_var(bytes) if options.what == "encode" else bytes
	memory.reset()
	var before: int = memory.now()
	var made: Variant
	if options.what == "encode":
		made = VariantStream.encode(answer) if is_ours else var_to_bytes(answer)
	else:
		made = VariantStream.decode(bytes) if is_ours else bytes_to_var(bytes)
	var peak: int = memory.peak() - before
	if bytes.is_empty() or made == null:
		printerr("nothing was measured")
		return
	print("memory %d %d %d" % [bytes.size(), peak, memory.now() - before])
	warm.clear()
