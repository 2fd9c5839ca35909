extends SceneTree
## Runs a game without a window, which the pictures' editor debugs: it taps a dozen packets, refuses three, and ends.

const Samples := preload("samples.gd")


func _initialize() -> void:
	var codec := VariantCodec.new()
	codec.limits = VariantLimits.network()
	codec.schema = Samples.move()
	for seq in range(40, 52):
		VariantStream.tap(Samples.packet(seq), "move from %d" % (2 + seq % 3))
		if seq % 4 == 2:
			codec.decode(Samples.bad_packet(seq))
		await create_timer(0.06).timeout
	await create_timer(0.5).timeout
	quit()
