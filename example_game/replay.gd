extends RefCounted
## A replay: written frame by frame while the game goes on, read again frame by frame, so that its length costs no
## memory.

signal checked(what: String, held: bool)

const PATH := "user://example.replay"
const FRAMES := 600


func play() -> String:
	var writer := VariantWriter.new()
	checked.emit("the replay is begun", writer.open_file(PATH, VariantReader.FRAMING_U32) == OK)
	for frame in FRAMES:
		writer.write(_frame(frame))
	checked.emit("the replay is closed", writer.close() == OK)
	var seen := 0
	var same := 0
	for frame: Variant in VariantStream.read_file(PATH):
		if frame == _frame(seen):
			same += 1
		seen += 1
	checked.emit("every frame is read again", seen == FRAMES and same == FRAMES)
	checked.emit("nothing was wrong with the file", VariantStream.get_last_error().is_empty())
	return "replay: %d frames in %d bytes" % [seen, FileAccess.get_file_as_bytes(PATH).size()]


func _frame(number: int) -> Dictionary:
	return {"frame": number, "position": Vector2(number, sin(number)), "keys": PackedByteArray([number % 256])}
