extends SceneTree
## Saves with VariantSave for ever, in order to be killed. After each save that is done it makes another file one byte longer.
##   godot --headless --path godot_project -s res://tests/stream/save_keeper.gd -- PATH DONE


func _initialize() -> void:
	var arguments := OS.get_cmdline_user_args()
	var save := keeper()
	var done := FileAccess.open(arguments[1], FileAccess.WRITE)
	var turn := 0
	if save.load(arguments[0]) == OK:
		turn = save.data.turn
		done.store_buffer(PackedByteArray(range(turn).map(func(_at: int) -> int: return 0)))
	while true:
		turn += 1
		if save.save(arguments[0], state(turn), {"turn": turn}) != OK:
			push_error(save.get_error_message())
		done.store_8(0)
		done.flush()


static func keeper() -> VariantSave:
	var save := VariantSave.new()
	save.version = 2
	save.rename(1, {"old": "turn"})
	save.backups = 2
	save.compression = VariantSave.COMPRESSION_NONE
	return save


static func state(turn: int) -> Dictionary:
	var data := PackedByteArray()
	data.resize(100_000)
	data.fill(turn % 256)
	return {"turn": turn, "data": data}
