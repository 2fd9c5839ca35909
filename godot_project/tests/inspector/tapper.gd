extends SceneTree
## Plays a game for tap_test.gd: it taps the values of a script, then waits until the debugger has had time to
## take them.


func _initialize() -> void:
	VariantStream.tap(var_to_bytes({"hp": 80}), "save")
	VariantStream.tap(PackedByteArray(), &"nothing")
	VariantStream.tap("no bytes", "ignored")
	VariantStream.tap(var_to_bytes(1), 5)
	VariantStream.tap(PackedByteArray([7]), "x".repeat(500))
	# Without a tap: a codec shows what it accepts, at most 10 times a second, and what it refuses, at most 50 times.
	var codec := VariantCodec.new()
	codec.schema = VariantSchema.dict({"hp": VariantSchema.int(0, 100)})
	for i in 30:
		codec.decode(var_to_bytes({"hp": 80}))
	_read(codec.schema)
	for i in 300:
		codec.decode(var_to_bytes({"hp": 101}))
	await _play()
	var large := PackedByteArray()
	large.resize(5 << 20)
	VariantStream.tap(large, "large")
	await create_timer(1.0).timeout
	quit()


## Lets readers refuse: a frame that came in two pieces behind a good one, a packet, and a stream that ends in a value.
func _read(schema: VariantSchema) -> void:
	var reader := VariantReader.new()
	reader.codec.schema = schema
	reader.framing = VariantReader.FRAMING_U32
	var good := var_to_bytes({"hp": 80})
	var bad := var_to_bytes({"hp": 102})
	var stream := PackedByteArray([good.size(), 0, 0, 0]) + good + PackedByteArray([bad.size(), 0, 0, 0]) + bad + good
	for part: PackedByteArray in [stream.slice(0, 50), stream.slice(50)]:
		reader.feed(part)
		while reader.next() == OK:
			pass
	var bare := VariantReader.new()
	bare.framing = VariantReader.FRAMING_NONE
	bare.feed(PackedByteArray([4, 0, 0, 0, 9, 0]))
	bare.finish()
	for i in 3:
		bare.next()


## Lets a server and a client of a protocol send each other messages, one of which is wrong.
func _play() -> void:
	var sides: Array[VariantProtocol] = [VariantProtocol.new(), VariantProtocol.new()]
	sides[1].role = VariantProtocol.ROLE_CLIENT
	for side in sides:
		side.add(&"hit", VariantSchema.dict({"damage": VariantSchema.int(1, 99)}), {"sender": VariantProtocol.CLIENT})
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
