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
	await _play()
	var large := PackedByteArray()
	large.resize(5 << 20)
	VariantStream.tap(large, "large")
	await create_timer(1.0).timeout
	quit()


## Lets a server and a client of a protocol send each other messages, one of which is wrong.
func _play() -> void:
	var sides: Array[VariantProtocol] = [VariantProtocol.new(), VariantProtocol.new()]
	sides[1].role = VariantProtocol.ROLE_CLIENT
	for side in sides:
		side.add(&"hit", VariantSchema.dict({"damage": VariantSchema.int(1, 99)}), {"from": VariantProtocol.CLIENT})
	sides[0].connect_peer(7)
	sides[0].greet_peer(7)
	sides[1].connect_peer(1)
	sides[1].greet_peer(1)
	sides[1].carrier = func(_peer: int, packet: PackedByteArray, _mode: int) -> void: sides[0].receive(7, packet)
	sides[1].send(&"hit", {"damage": 5}, 1)
	sides[0].receive(7, PackedByteArray([1, 255]))
	# Counts come once a second.
	await create_timer(1.1).timeout
	for side in sides:
		side.carrier = func(_peer: int, _packet: PackedByteArray, _mode: int) -> void: pass
		side.tick()
