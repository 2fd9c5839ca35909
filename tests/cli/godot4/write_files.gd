extends SceneTree
# Writes files as a game of Godot 4 would save them, once in each mode that `FileAccess` has. The modes are
# uncompressed, each compression, and encryption with a password and with a key. It judges nothing;
# rust/cli/tests/engine_files.rs does.

const MODES := {
	"fastlz": FileAccess.COMPRESSION_FASTLZ,
	"deflate": FileAccess.COMPRESSION_DEFLATE,
	"zstd": FileAccess.COMPRESSION_ZSTD,
	"gzip": FileAccess.COMPRESSION_GZIP,
}


func _init() -> void:
	var folder := OS.get_environment("VARIANT_FILES")
	for large in [false, true]:
		var size := "large" if large else "small"
		_write(FileAccess.open(folder.path_join("plain_%s.bin" % size), FileAccess.WRITE), large)
		for mode: String in MODES:
			var path := folder.path_join("%s_%s.bin" % [mode, size])
			_write(FileAccess.open_compressed(path, FileAccess.WRITE, MODES[mode]), large)
		var locked := folder.path_join("pass_%s.bin" % size)
		_write(FileAccess.open_encrypted_with_pass(locked, FileAccess.WRITE, "swordfish"), large)
		var key := "0123456789abcdef0123456789abcdef".to_utf8_buffer()
		_write(FileAccess.open_encrypted(folder.path_join("key_%s.bin" % size), FileAccess.WRITE, key), large)
	quit()


func _write(file: FileAccess, large: bool) -> void:
	file.store_var({"hp": 80, "name": "Ana", "pos": Vector2(1.5, -2), &"tags": PackedStringArray(["a", "b"])})
	file.store_var([1, 2.5, null, true, 9007199254740993])
	if large:
		# The file has several blocks of 4096 bytes, some that compress well and some that do not.
		seed(7)
		var noise := PackedByteArray()
		for i in 9000:
			noise.append(randi() % 256)
		file.store_var(noise)
		file.store_var("lorem ipsum ".repeat(2000))
	file.close()
