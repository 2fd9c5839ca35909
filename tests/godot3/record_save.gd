extends SceneTree
# Writes, in Godot 3, the old game's save that the demo of the Godot project opens. The file is committed; to
# make it anew:
#   DEMO_SAVE=../../godot_project/demo/save_game/godot3_hero.save godot3 --no-window --path tests/godot3 -s record_save.gd


func _init():
	var save = {
		"name": "Ada",
		"hp": 64,
		"gold": 1200,
		"pos": Vector2(212.5, 640),
		"items": PoolStringArray(["sword", "rope", "potion"]),
		"counts": PoolIntArray([1, 2, 12]),
		"facing": Quat(0, 0, 0, 1),
	}
	var file = File.new()
	file.open(OS.get_environment("DEMO_SAVE"), File.WRITE)
	file.store_buffer(var2bytes(save))
	file.close()
	quit()
