extends PopupPanel
## Shows the sheet that leads to the other examples: programs without a window, to be read and to be started
## by a command.

const COMMAND := "godot --headless --path godot_project res://demo"
const EXAMPLES := [
	["Chat", "res://demo/chat", "A TCP server that anybody may connect to and nobody can bring down.",
			"%s/chat/server.tscn -- --port=4433" % COMMAND],
	["A guest", "res://demo/chat", "A client of that chat: says one thing and leaves when it has heard itself.",
			"%s/chat/client.tscn -- --port=4433 --name=Ann --say=hello" % COMMAND],
	["Replay", "res://demo/replay", "Records a game frame by frame and plays it. One frame is in memory.",
			"%s/replay/replay.tscn -- --frames=300" % COMMAND],
]


func _ready() -> void:
	for example: Array in EXAMPLES:
		%Rows.add_child(_described(example))


func _described(example: Array) -> Control:
	var row := VBoxContainer.new()
	row.add_theme_constant_override(&"separation", 4)
	row.add_child(_label("%s   %s" % [example[0], example[1]], &"Heading"))
	row.add_child(_label(example[2], &"Muted"))
	var line := HBoxContainer.new()
	var inset := PanelContainer.new()
	inset.theme_type_variation = &"Inset"
	inset.size_flags_horizontal = Control.SIZE_EXPAND_FILL
	inset.add_child(_label(example[3], &"Small"))
	var copy := Button.new()
	copy.text = "Copy"
	copy.pressed.connect(func() -> void: DisplayServer.clipboard_set(example[3]))
	line.add_child(inset)
	line.add_child(copy)
	row.add_child(line)
	return row


func _label(text: String, variation: StringName) -> Label:
	var label := Label.new()
	label.text = text
	label.theme_type_variation = variation
	return label
