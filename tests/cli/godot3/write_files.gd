extends SceneTree
# Writes files as a game of Godot 3 would save them, once in each mode that `File` has, and an object with its
# script. It judges nothing; rust/cli/tests/engine_files.rs does.

const MODES = {
	"fastlz": File.COMPRESSION_FASTLZ,
	"deflate": File.COMPRESSION_DEFLATE,
	"zstd": File.COMPRESSION_ZSTD,
	"gzip": File.COMPRESSION_GZIP,
}


func _init():
	var folder = OS.get_environment("VARIANT_FILES")
	var file = File.new()
	file.open(folder + "/plain.bin", File.WRITE)
	_write(file)
	for mode in MODES:
		file.open_compressed(folder + "/" + mode + ".bin", File.WRITE, MODES[mode])
		_write(file)
	file.open_encrypted_with_pass(folder + "/pass.bin", File.WRITE, "swordfish")
	_write(file)
	file.open_encrypted(folder + "/key.bin", File.WRITE, "0123456789abcdef0123456789abcdef".to_utf8())
	_write(file)
	var script = GDScript.new()
	script.source_code = "extends Reference\nvar hp = 3\n"
	script.reload()
	file.open(folder + "/object.bin", File.WRITE)
	file.store_var({"item": script.new(), "gold": 5}, true)
	file.close()
	quit()


func _write(file):
	file.store_var({"hp": 80, "name": "Ana", "pos": Vector2(1.5, -2), "tags": PoolStringArray(["a", "b"])})
	file.store_var([1, 2.5, null, true, 9007199254740993, Transform(), PoolColorArray([Color.red])])
	file.close()
