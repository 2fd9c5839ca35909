extends SceneTree
## Names the classes of the addon, as a user's first script does, so it parses only where the engine knows
## them. The exit code is 0 when they work, 1 when not.


func _initialize() -> void:
	quit(1)
	var bytes: PackedByteArray = VariantStream.encode({"hp": 80})
	var codec: VariantCodec = VariantCodec.new()
	codec.limits = VariantLimits.network()
	codec.schema = VariantSchema.dict({"hp": VariantSchema.int(0, 100)})
	if bytes == var_to_bytes({"hp": 80}) and codec.decode(bytes) == OK and codec.data == {"hp": 80}:
		print("the classes work")
		quit(0)
