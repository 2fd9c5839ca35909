extends "part.gd"
## Writes a replay frame by frame while the game goes on, and reads it frame by frame, so that its length
## costs no memory.

const PATH := "user://example.replay"
const FRAMES := 600

var _writer := VariantWriter.new()


func begin() -> Error:
	return _writer.open_file(PATH, VariantReader.FRAMING_U32)


## Records a frame; a game calls this from _physics_process(). An error means that the frame is not in the
## replay.
func record(frame: Dictionary) -> Error:
	return _writer.write(frame)


## Ends the recording: the file is there from now on.
func end() -> Error:
	return _writer.close()


func play() -> String:
	checked.emit("the replay is begun", begin() == OK)
	var written := 0
	for number in FRAMES:
		if record(_frame(number)) == OK:
			written += 1
	checked.emit("every frame is written", written == FRAMES)
	checked.emit("the replay is closed", end() == OK)
	var seen := 0
	var same := 0
	for frame: Dictionary in VariantStream.read_file(PATH, VariantSchema.dict({}).open()):
		if frame == _frame(seen):
			same += 1
		seen += 1
	checked.emit("every frame is read again", seen == FRAMES and same == FRAMES)
	checked.emit("nothing was wrong with the file", VariantStream.get_last_error().is_empty())
	return "replay: %d frames in %d bytes" % [seen, FileAccess.get_file_as_bytes(PATH).size()]


func _frame(number: int) -> Dictionary:
	return {"frame": number, "position": Vector2(number, sin(number)), "keys": PackedByteArray([number % 256])}
