extends Node
## Tries the serializer for netfox in netfox itself, which is no part of this repository: values of two nodes go through its
## packets of full and of changed states, also where its limit splits them.
##   godot --headless --path PROJECT res://try.tscn
## PROJECT has netfox's addons and its autoloads, our addon, and these two files. tests/README.md says how to make it.

const Packed := preload("res://addons/variant_stream/netfox/variant_schema_serializer.gd")

var checks := 0
var failed := 0


func _ready() -> void:
	_try.call_deferred()


func _try() -> void:
	var place := VariantSchema.vector3().quantized(0.01, -512, 512)
	var makers := {
		^"position": Packed.of(place.clamped(), Vector3.ZERO),
		^"editor_description": Packed.of(VariantSchema.string().max_chars(16), "?"),
		^"rotation_degrees:y": Packed.degrees(16),
		^"scale": Packed.of(place, Vector3.ONE),
	}
	var nodes: Array[Node3D] = []
	var pool := _PropertyPool.new()
	var schemas := _NetworkSchema.new()
	for at in 20:
		var node := Node3D.new()
		node.position = Vector3(at, 600 if at == 3 else 2, -at)
		node.rotation_degrees.y = -90
		node.editor_description = "player%d" % at
		get_tree().root.add_child(node)
		NetworkIdentityServer.register_node(node)
		nodes.append(node)
		for property: NodePath in makers:
			pool.add(node, property)
			schemas.add(node, property, makers[property])
	await get_tree().process_frame
	var snapshot := _Snapshot.new(7)
	for node in nodes:
		for property in pool.get_properties_of(node):
			snapshot.record_property(node, property)
		snapshot.set_auth(node, true)
	_through(_DenseSnapshotSerializer.new(schemas, NetworkIdentityServer), snapshot, pool, nodes)
	# What changed of it: places alone.
	var changed := _Snapshot.new(8)
	for node in nodes:
		changed.set_property(node, ^"position", node.position)
		changed.set_auth(node, true)
	_through(_SparseSnapshotSerializer.new(schemas, NetworkIdentityServer), changed, pool, nodes)
	_damaged(_DenseSnapshotSerializer.new(schemas, NetworkIdentityServer), snapshot, pool, nodes, makers)
	print("== %d checks, %d failed" % [checks, failed])
	get_tree().quit(1 if failed > 0 else 0)


## Sends a snapshot in packets of at most 200 bytes, and reads all of them.
func _through(serializer: Object, snapshot: _Snapshot, pool: _PropertyPool, nodes: Array[Node3D]) -> void:
	serializer.max_packet_size = 200
	var packets: Array = serializer.write_for(2, snapshot, pool)
	_check(packets.size() > 1, "%d packets" % packets.size())
	var count := 0
	for packet: PackedByteArray in packets:
		_check(packet.size() <= 200, "a packet of %d bytes" % packet.size())
		var buffer := StreamPeerBuffer.new()
		buffer.data_array = packet
		var got: _Snapshot = serializer.read_from(2, pool, buffer)
		for node in nodes:
			if got.has_property(node, ^"position"):
				count += 1
				var wanted := node.position.clamp(Vector3.ONE * -512, Vector3.ONE * 512)
				_check(got.get_property(node, ^"position").is_equal_approx(wanted), "a place: %s" % got.get_property(node, ^"position"))
			if got.has_property(node, ^"editor_description"):
				_check(got.get_property(node, ^"editor_description") == node.editor_description, "a text: %s" % got.get_property(node, ^"editor_description"))
				_check(absf(got.get_property(node, ^"rotation_degrees:y") - 270.0) < 0.01, "degrees")
	_check(count == nodes.size(), "%d nodes of %d arrived" % [count, nodes.size()])


## Damages a text: the rest of that node is passed over, and the nodes behind it arrive.
func _damaged(serializer: Object, snapshot: _Snapshot, pool: _PropertyPool, nodes: Array[Node3D], makers: Dictionary) -> void:
	serializer.max_packet_size = 0
	var packet: PackedByteArray = serializer.write_for(2, snapshot, pool)[0]
	# The length of the first node's text stands behind its place.
	var place := StreamPeerBuffer.new()
	makers[^"position"].encode(nodes[0].position, place)
	@warning_ignore("integer_division")
	packet[packet.hex_encode().find(place.data_array.hex_encode()) / 2 + place.get_size()] = 0xFF
	var buffer := StreamPeerBuffer.new()
	buffer.data_array = packet
	var got: _Snapshot = serializer.read_from(2, pool, buffer)
	_check(makers[^"editor_description"].packer.refused == 1, "%d texts refused" % makers[^"editor_description"].packer.refused)
	_check(got.get_property(nodes[0], ^"editor_description") == "?", "a damaged text: %s" % got.get_property(nodes[0], ^"editor_description"))
	_check(not got.has_property(nodes[0], ^"scale"), "what stands behind it")
	_check(got.get_property(nodes[1], ^"editor_description") == "player1", "the next node: %s" % got.get_property(nodes[1], ^"editor_description"))


func _check(is_right: bool, what: String) -> void:
	checks += 1
	if not is_right:
		failed += 1
		print("FAIL ", what)
