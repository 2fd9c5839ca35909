@tool
extends EditorPlugin
## Implements the editor plugin of the addon: the panel, the captured packets of a running game, and the form
## of schemas. It names no class of the library and loads only scripts that name none, until the library is
## known to be there: without it the project has to open all the same.

var _panel: Control
var _debugger: EditorDebuggerPlugin
var _inspector: EditorInspectorPlugin
## An object of schema/schema_files.gd.
var _schema_files: RefCounted


func _enter_tree() -> void:
	var folder: String = get_script().resource_path.get_base_dir().path_join("editor")
	var has_library := ClassDB.class_exists(&"VariantOutline")
	_panel = load(folder.path_join("inspector_panel.gd" if has_library else "missing_library.gd")).new()
	add_control_to_bottom_panel(_panel, "Variant Inspector")
	if not has_library:
		return
	_debugger = load(folder.path_join("live_debugger.gd")).new()
	_debugger.tapped.connect(_panel.add_capture)
	_debugger.accepted.connect(_panel.add_accepted)
	_debugger.refused.connect(_panel.add_refusal)
	_debugger.message_seen.connect(_panel.add_message)
	_debugger.traffic_counted.connect(_panel.add_traffic)
	add_debugger_plugin(_debugger)
	_add_schemas(folder.path_join("schema"))


## Shows schemas as forms, those in `.vschema.json` too.
func _add_schemas(folder: String) -> void:
	_inspector = load(folder.path_join("schema_inspector.gd")).new()
	_inspector.undo = get_undo_redo()
	_inspector.panel = _panel
	add_inspector_plugin(_inspector)
	_schema_files = load(folder.path_join("schema_files.gd")).new()
	_schema_files.add()
	var file_system := EditorInterface.get_resource_filesystem()
	file_system.script_classes_updated.connect(_schema_files.add, CONNECT_DEFERRED)
	file_system.filesystem_changed.connect(_schema_files.add, CONNECT_DEFERRED)


func _exit_tree() -> void:
	if _debugger != null:
		remove_debugger_plugin(_debugger)
		remove_inspector_plugin(_inspector)
		_schema_files.remove()
	if _panel != null:
		remove_control_from_bottom_panel(_panel)
		_panel.queue_free()
