extends SceneTree
## Saves for ever, in order to be killed; with `quit` it saves a few times and quits meanwhile. Each save is
## whole in itself: a number, and data made from it.
##   godot --headless --path godot_project -s res://tests/stream/saver.gd -- PATH [async | quit]

const SIZE := 300000
## The number of the last save before it quits.
const LAST := 20


func _initialize() -> void:
	var arguments := OS.get_cmdline_user_args()
	var writer := VariantWriter.new()
	var turn := 0
	if arguments.size() > 1 and arguments[1] == "quit":
		for i in LAST:
			VariantStream.save_file_async(arguments[0], value(i + 1))
		quit()
		return
	while true:
		turn += 1
		if arguments.size() > 1:
			var job: VariantJob = VariantStream.save_file_async(arguments[0], value(turn))
			job.wait()
		else:
			writer.keep_backup = turn % 2 == 0
			writer.open_file(arguments[0], VariantReader.FRAMING_U32)
			writer.begin_dictionary()
			for key: String in value(turn):
				writer.write_entry(key, value(turn)[key])
			writer.end()
			writer.close()


static func value(turn: int) -> Dictionary:
	var data := PackedByteArray()
	data.resize(SIZE)
	data.fill(turn % 256)
	return {"turn": turn, "data": data, "again": turn}
