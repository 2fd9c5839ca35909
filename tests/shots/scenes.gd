@tool
extends RefCounted
## Brings the editor into each state that is pictured, with one function for each, by the nodes of the panel.

## This file is from godot_project/tests/load; the command that takes the pictures copies it beside this one.
const EngineProcess := preload("engine_process.gd")
const Samples := preload("samples.gd")

const NAMES: PackedStringArray = ["editor", "problems", "sizes", "packed", "rules", "live", "traffic", "messages", "saves", "tall",
		"empty", "schema"]
const FRAMES := 6
const PACKETS := 15
## The seconds of a game that are pictured.
const SECONDS := 20
const PATIENCE_MSEC := 60_000
## The margin around the part that is cut out, in pixels.
const MARGIN := 8
const SCHEMA := "res://shots/move.vschema.json"

var _plugin: EditorPlugin
var _panel: Control
## The process of a game that plays on.
var _game := -1
## The part that is cut out of the window; null for all of it.
var _cut: Control


func _init(plugin: EditorPlugin) -> void:
	_plugin = plugin


## Brings the panel to the front under a game's script, at the height at which it opens.
func begin() -> void:
	for i in 20:
		await _plugin.get_tree().process_frame
	while EditorInterface.get_resource_filesystem().is_scanning():
		await _plugin.get_tree().process_frame
	_panel = EditorInterface.get_base_control().find_child("VariantInspector", true, false)
	_plugin.make_bottom_panel_item_visible(_panel)
	EditorInterface.set_main_screen_editor("Script")
	EditorInterface.edit_script(load("res://shots/game.gd"))
	await rest()
	_clear_log()


## Clears the log, whose red dot would come from a missing Vulkan and not from an error of a game.
func _clear_log() -> void:
	for log in EditorInterface.get_base_control().find_children("*", "EditorLog", true, false):
		for button: Button in log.find_children("*", "Button", true, false):
			if button.tooltip_text.begins_with("Clear Output"):
				button.pressed.emit()


func rest() -> void:
	for i in FRAMES:
		await _plugin.get_tree().process_frame


func picture() -> Image:
	var image := _plugin.get_viewport().get_texture().get_image()
	image.convert(Image.FORMAT_RGB8)
	return image if _cut == null else image.get_region(Rect2i(_cut.get_global_rect().grow(MARGIN)))


## Shows the whole window, with a game's script above the panel.
func editor() -> void:
	var bytes := VariantStream.encode(Samples.save())
	_panel.open_bytes(bytes, "save.bin")
	await _settle()
	@warning_ignore("integer_division")
	_panel.hex.set_cursor(bytes.hex_encode().find("Mira".to_utf8_buffer().hex_encode()) / 2)
	_panel.hex.byte_selected.emit(_panel.hex._cursor)


func problems() -> void:
	_cut = _panel
	_panel.rules.set_schema(Samples.schema(), "save.vschema.json")
	_panel.tabs.current_tab = 0
	await _settle()
	_panel.problems.problem_selected.emit(_panel.document.problems[0])


func sizes() -> void:
	_panel.tabs.current_tab = 1


## Shows packed bytes, read by their schema, with the bits of a value marked and both sizes beside each other.
func packed() -> void:
	var schema := Samples.world_schema()
	_panel.open_bytes(schema.pack(Samples.world()), "world.packed")
	_panel.rules.set_schema(schema, "world.vschema.json")
	_panel.tabs.current_tab = 1
	_panel.custom_minimum_size.y = 560
	_plugin.get_window().size.y = 1200
	await _settle()
	await _settle()
	_panel.hex.set_cursor(33)
	_panel.hex.byte_selected.emit(33)


## Shows the settings that the button of the rules unfolds.
func rules() -> void:
	_panel.custom_minimum_size.y = 340
	_plugin.get_window().size.y = 1000
	_panel.rules.set_schema(Samples.schema(), "save.vschema.json")
	_panel.open_bytes(VariantStream.encode(Samples.save()), "save.bin")
	_panel.tabs.current_tab = 0
	_panel.rules.button.button_pressed = true
	await _settle()


func live() -> void:
	_panel.rules.button.button_pressed = false
	_panel.rules.set_schema(null, "")
	_panel.tabs.current_tab = 2
	var game := _start_game("tapping_game.gd")
	var until := Time.get_ticks_msec() + PATIENCE_MSEC
	while _panel.live.get_count() < PACKETS and Time.get_ticks_msec() < until:
		await _plugin.get_tree().process_frame
	OS.kill(game)
	if _panel.live.get_count() != PACKETS:
		push_error("%d of %d packets came from the game" % [_panel.live.get_count(), PACKETS])
		return
	# A refused one, whose reason is in its line.
	_panel.live.select(1)
	await _settle()
	_panel.tabs.current_tab = 2


## Shows the bytes a second of a protocol's messages.
func traffic() -> void:
	_panel.live.clear()
	_game = _start_game("playing_game.gd")
	var until := Time.get_ticks_msec() + PATIENCE_MSEC
	while _panel.live.chart.seconds() < SECONDS and Time.get_ticks_msec() < until:
		await _plugin.get_tree().process_frame
	if _panel.live.chart.seconds() < SECONDS:
		push_error("%d seconds came from the game" % _panel.live.chart.seconds())
	_panel.live.show_traffic(true)
	_panel.tabs.current_tab = 2
	await rest()


## Shows the messages themselves, one of them opened.
func messages() -> void:
	OS.kill(_game)
	_panel.live.show_traffic(false)
	await rest()
	_panel.live.select(2)
	await _settle()
	_panel.tabs.current_tab = 2
	await rest()


## Shows the saves of a folder, one of them damaged.
func saves() -> void:
	var folder := Samples.saves("user://shots_saves")
	_panel.saves.folder.text = folder
	_panel.tabs.current_tab = 3
	_panel.saves.read_again()
	while _panel.saves.waiting() > 0:
		await _plugin.get_tree().process_frame
	_panel.saves.list.get_root().get_child(1).select(0)


## Shows the panel where a user has pulled it up to all of the window: 900 pixels of a larger one.
func tall() -> void:
	_panel.rules.set_schema(Samples.schema(), "save.vschema.json")
	_panel.tabs.current_tab = 0
	_panel.custom_minimum_size.y = 900
	_plugin.get_window().size.y = 1300
	_panel.open_bytes(VariantStream.encode(Samples.save()), "save.bin")
	await _settle()
	await rest()


## Starts a game of this project under this editor's debugger, whose server waits for it.
func _start_game(script: String) -> int:
	var port: int = EditorInterface.get_editor_settings().get_setting("network/debug/remote_port")
	var words := EngineProcess.command("res://shots/" + script, [])
	var at := words.find("-s")
	words = words.slice(0, at) + PackedStringArray(["--remote-debug", "tcp://127.0.0.1:%d" % port]) + words.slice(at)
	return OS.create_process(words[0], words.slice(1))


func empty() -> void:
	_panel.custom_minimum_size.y = 340
	_plugin.get_window().size.y = 1000
	_panel.rules.set_schema(null, "")
	await rest()
	_panel.close()


## Shows the form that a double click in the file dock opens, with a value that the schema refuses.
func schema() -> void:
	var inspector := EditorInterface.get_inspector()
	# The inspector gets the width that a user gives it to edit schemas.
	inspector.custom_minimum_size.x = 360
	_cut = inspector.get_parent()
	EditorInterface.select_file(SCHEMA)
	await rest()
	for list: Tree in EditorInterface.get_file_system_dock().find_children("*", "Tree", true, false):
		if list.is_visible_in_tree():
			list.item_activated.emit()
	await rest()
	var forms := inspector.find_children("*", "VBoxContainer", true, false).filter(
			func(child: Node) -> bool: return child.has_method("set_sample"))
	if forms.is_empty():
		push_error("a double click on %s opens no form" % SCHEMA)
		return
	forms[0].set_sample("{\"seq\": 1, \"dir\": Vector2(3, 4), \"act\": \"fly\"}")


func _settle() -> void:
	await rest()
	while _panel.document.is_busy():
		await _plugin.get_tree().process_frame
