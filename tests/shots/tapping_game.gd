extends SceneTree
## Runs a game without a window, which the pictures' editor debugs: it taps a dozen packets and ends.

const Samples := preload("samples.gd")


func _initialize() -> void:
	for seq in range(40, 52):
		VariantStream.tap(Samples.packet(seq), "move from %d" % (2 + seq % 3))
		await create_timer(0.06).timeout
	await create_timer(0.5).timeout
	quit()
