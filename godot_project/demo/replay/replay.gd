extends Node
## Records a replay while the game runs, a frame at a time, and plays it from its file, a frame at a time.
## However long it is, only one frame of it is in memory.
##   godot --headless --path godot_project res://demo/replay/replay.tscn -- --frames=300

const PATH := "user://demo_replay.bin"

var _frames := 60
var _writer := VariantWriter.new()
var _reader := VariantReader.new()
var _tick := 0
var _played := 0
var _differ := 0


func _ready() -> void:
	for argument in OS.get_cmdline_user_args():
		if argument.begins_with("--frames="):
			_frames = argument.get_slice("=", 1).to_int()
	if _writer.open_file(PATH, VariantReader.FRAMING_U32) != OK:
		print(_writer.get_error_message())
		get_tree().quit(1)


func _physics_process(_delta: float) -> void:
	if _tick < _frames:
		_writer.write(_state(_tick))
		_tick += 1
		if _tick == _frames:
			_begin_to_play()
		return
	if _reader.next() == OK:
		_differ += int(_reader.data != _state(_played))
		_played += 1
	elif _reader.get_status() == VariantReader.END:
		print("recorded %d frames, played %d, %d differ" % [_tick, _played, _differ])
		_end(0 if _played == _tick and _differ == 0 else 1)
	else:
		print("the replay is broken: " + _reader.get_error_message())
		_end(1)


## Ends the recording, so that the replay appears under its name as a whole, and begins to play it.
func _begin_to_play() -> void:
	if _writer.close() != OK:
		print(_writer.get_error_message())
		_end(1)
	_reader.framing = VariantReader.FRAMING_U32
	_reader.open_file(PATH)


## Makes the state that a game would record for a frame.
func _state(tick: int) -> Dictionary:
	var angle := tick * 0.1
	return {"tick": tick, "at": Vector2(cos(angle), sin(angle)) * 100.0, "keys": PackedByteArray([tick % 2, tick % 3])}


func _end(code: int) -> void:
	_reader.clear()
	DirAccess.remove_absolute(PATH)
	get_tree().quit(code)
