@tool
extends RefCounted
## What is in the pictures: each function brings the editor into one state, by the nodes of the panel.

const Samples := preload("samples.gd")

const NAMES: PackedStringArray = ["schema"]
const FRAMES := 6

var _plugin: EditorPlugin
var _panel: Control
## What is cut out of the window: the panel, or everything.
var _cut: Control


func _init(plugin: EditorPlugin) -> void:
	_plugin = plugin


## The panel comes to the front, as large as a user would have it.
func begin() -> void:
	for i in 20:
		await _plugin.get_tree().process_frame
	while EditorInterface.get_resource_filesystem().is_scanning():
		await _plugin.get_tree().process_frame
	_panel = EditorInterface.get_base_control().find_child("VariantInspector", true, false)
	_cut = _panel
	_plugin.make_bottom_panel_item_visible(_panel)
	_panel.custom_minimum_size.y = 560
	await rest()


func rest() -> void:
	for i in FRAMES:
		await _plugin.get_tree().process_frame


func picture() -> Image:
	var image := _plugin.get_viewport().get_texture().get_image()
	image.convert(Image.FORMAT_RGB8)
	return image if _cut == null else image.get_region(Rect2i(_cut.get_global_rect().grow(6)))


func empty() -> void:
	_panel.close()


func editor() -> void:
	_cut = null
	EditorInterface.set_main_screen_editor("Script")
	EditorInterface.edit_script(load("res://shots/game.gd"))
	await _open(VariantStream.encode(Samples.save()), "save.bin")
	_panel.hex.byte_selected.emit(VariantStream.encode(Samples.save()).hex_encode().find("Mira".to_utf8_buffer().hex_encode()) / 2)


func problems() -> void:
	_cut = _panel
	_panel.rules.set_schema(Samples.schema(), "save.vschema.json")
	await _settle()
	_panel.problems.problem_selected.emit(_panel.document.problems[0])


func sizes() -> void:
	_panel.tabs.current_tab = 1


func live() -> void:
	_panel.rules.set_schema(null, "")
	for seq in range(40, 52):
		var packet := Samples.packet(seq)
		_panel.live.add_capture("move from %d" % (2 + seq % 3), packet.size(), packet, 61_000 + seq * 117)
	_panel.tabs.current_tab = 2
	_panel.live.select(1)
	await _settle()


func schema() -> void:
	_cut = null
	# A double click in the file dock, as far as it can be made here.
	EditorInterface.select_file("res://shots/move.vschema.json")
	await rest()
	for list: Tree in EditorInterface.get_file_system_dock().find_children("*", "Tree", true, false):
		if list.is_visible_in_tree():
			list.item_activated.emit()
	await rest()
	print("edited: ", EditorInterface.get_inspector().get_edited_object(), " ", load("res://shots/move.vschema.json"))
	var form: Control = EditorInterface.get_inspector().find_children("*", "VBoxContainer", true, false).filter(
			func(child: Node) -> bool: return child.has_method("set_sample"))[0]
	form.set_sample("{\"seq\": 1, \"dir\": Vector2(3, 4), \"act\": \"fly\"}")


func _open(bytes: PackedByteArray, title: String) -> void:
	_panel.open_bytes(bytes, title)
	await _settle()


func _settle() -> void:
	await rest()
	while _panel.document.is_busy():
		await _plugin.get_tree().process_frame
