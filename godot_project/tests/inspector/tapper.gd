extends SceneTree
## Plays a game for tap_test.gd: it taps the values of a script, then waits until the debugger has had time to
## take them.


func _initialize() -> void:
	VariantStream.tap(var_to_bytes({"hp": 80}), "save")
	VariantStream.tap(PackedByteArray(), &"nothing")
	VariantStream.tap("no bytes", "ignored")
	VariantStream.tap(var_to_bytes(1), 5)
	VariantStream.tap(PackedByteArray([7]), "x".repeat(500))
	# Without a tap: a codec shows what it refuses, at most 50 times a second.
	var codec := VariantCodec.new()
	codec.schema = VariantSchema.dict({"hp": VariantSchema.int(0, 100)})
	codec.decode(var_to_bytes({"hp": 80}))
	for i in 300:
		codec.decode(var_to_bytes({"hp": 101}))
	var large := PackedByteArray()
	large.resize(5 << 20)
	VariantStream.tap(large, "large")
	await create_timer(1.0).timeout
	quit()
