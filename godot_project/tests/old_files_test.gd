extends "engine_suite.gd"
## Tests what docs/MOVING_SAVES.md says of files that Godot 3 compressed or encrypted, with files that its release template 3.2.3
## wrote: tests/cli/godot3/write_files.gd has the values.

const Unpacked := preload("res://addons/variant_stream/editor/unpacked.gd")

const MODES := {
	"fastlz": FileAccess.COMPRESSION_FASTLZ,
	"deflate": FileAccess.COMPRESSION_DEFLATE,
	"zstd": FileAccess.COMPRESSION_ZSTD,
	"gzip": FileAccess.COMPRESSION_GZIP,
}
const PASSWORD := "swordfish"
const KEY := "0123456789abcdef0123456789abcdef"
## The reason why run.gd skips this suite in a packed game.
const EDITOR_ONLY := "reads files of the checkout"


func test_what_godot_3_compressed_is_opened_and_read() -> void:
	for mode: String in MODES:
		var reader := VariantReader.new()
		reader.codec.dialect = VariantStream.GODOT_3
		reader.framing = VariantReader.FRAMING_U32
		reader.open_file(FileAccess.open_compressed(_path(mode), FileAccess.READ, MODES[mode]))
		check_error(reader.next(), OK, mode)
		check_same(reader.data.pos, Vector2(1.5, -2), mode)
		check_error(reader.next(), OK, mode + ", the second value")
		check_error(reader.next(), ERR_FILE_EOF, mode + ", its end")


func test_what_godot_3_encrypted_is_not_opened() -> void:
	expect_error("p_base->get_length() < base + length")
	expect_error("p_base->get_length() < base + length")
	check(FileAccess.open_encrypted_with_pass(_path("pass"), FileAccess.READ, PASSWORD) == null, "its password opens it")
	check_error(FileAccess.get_open_error(), ERR_FILE_CORRUPT, "with its password")
	check(FileAccess.open_encrypted(_path("key"), FileAccess.READ, KEY.to_utf8_buffer()) == null, "its key opens it")
	check_error(FileAccess.get_open_error(), ERR_FILE_CORRUPT, "with its key")


## Tests that no message sends people to a call that cannot do it.
func test_messages_say_so() -> void:
	for name: String in ["pass", "key"]:
		var job: VariantJob = VariantStream.load_file_async(_path(name))
		check(job.wait() != OK, name + " is loaded")
		_check_words(name, job.get_error_message())
		check_same(VariantStream.decode(FileAccess.get_file_as_bytes(_path(name))), null, name)
		_check_words(name, VariantStream.get_last_error().get("message", ""))
		var unpacked: Dictionary = Unpacked.read(FileAccess.get_file_as_bytes(_path(name)), func() -> bool: return false)
		_check_words(name, unpacked.error)


func _check_words(name: String, message: String) -> void:
	check(message.contains("Godot 3") and message.contains("gdvar"), "%s: %s" % [name, message])
	check(not message.contains("open_encrypted") and not message.contains("Read it in the game"), "%s: %s" % [name, message])


func _path(name: String) -> String:
	return ProjectSettings.globalize_path("res://").path_join("../tests/golden/godot3_files/%s.bin" % name)
