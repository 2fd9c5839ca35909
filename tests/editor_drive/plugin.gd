@tool
extends EditorPlugin
## Drives the features that need a real editor: a schema's form in the inspector with undo and redo, and the
## bottom panel. The other features of the editor are tested without one, in godot_project/tests/inspector.
##   godot --headless --editor --path PROJECT ++ --drive
## It prints a line for each check that fails and one at the end.

const FILE := "res://drive/move.vschema.json"
const FORM := "res://addons/variant_stream/editor/schema/schema_form.gd"
const PATIENCE_FRAMES := 5000

var _checks := 0
var _failed := 0
var _schema: Resource


func _enter_tree() -> void:
	if "--drive" in OS.get_cmdline_user_args():
		_drive.call_deferred()


func _drive() -> void:
	await _frames(20)
	while EditorInterface.get_resource_filesystem().is_scanning():
		await _frames(1)
	_check(_panels().size() == 1, "%d panels" % _panels().size())
	_schema = load(FILE)
	if _check(_schema != null and _schema.is_class("VariantSchema"), "%s is opened as %s" % [FILE, _schema]):
		EditorInterface.edit_resource(_schema)
		await _edits_are_undone()
		await _a_key_is_undone()
		_what_is_saved()
		await _the_plugin_goes_and_comes_back()
	await _a_file_is_left_half_read()
	print("== %d checks, %d failed" % [_checks, _failed])
	get_tree().quit(0 if _failed == 0 else 1)


## Edits a field several times and undoes and redoes the edits; the form follows.
func _edits_are_undone() -> void:
	if not _check(await _form() != null, "the inspector shows no form"):
		return
	var texts: PackedStringArray = [_schema.json]
	for greatest: String in ["50", "5", "700"]:
		await _type("Rule_Max", greatest)
		texts.append(_schema.json)
		_check(texts[-1] != texts[-2], "%s changed nothing" % greatest)
	_check(_accepts({"hp": 700}) and not _accepts({"hp": 701}), "the last edit does not hold")
	for i: int in [2, 1, 0]:
		_history().undo()
		await _frames(6)
		_check(_schema.json == texts[i], "undone %d times: %s" % [3 - i, _schema.json])
		_check(await _field("Rule_Max") == ["100", "50", "5"][i], "the form after undo %d shows %s" % [3 - i, await _field("Rule_Max")])
	_check(not _history().has_undo(), "more to undo than was done")
	for i: int in [1, 2, 3]:
		_history().redo()
		await _frames(6)
		_check(_schema.json == texts[i], "redone %d times: %s" % [i, _schema.json])
	_check(await _field("Rule_Max") == "700", "the form after redo shows " + await _field("Rule_Max"))


## Undoes an edit that changes the structure of the form, and types after an undo, which ends the redo.
func _a_key_is_undone() -> void:
	var before: String = _schema.json
	var form := await _form()
	for button: Button in form.find_children("*", "Button", true, false):
		if button.text == "Add key":
			button.pressed.emit()
			break
	await _frames(6)
	_check(_accepts({"hp": 1, "key": 2}) and not _accepts({"hp": 1}), "a key more does not hold")
	_history().undo()
	await _frames(6)
	_check(_schema.json == before, "the key is still there: " + _schema.json)
	form = await _form()
	_check(form.find_child("Key_key", true, false) == null, "the form still shows the key")
	await _type("Rule_Max", "300")
	_check(not _history().has_redo(), "an edit behind an undo leaves the redo")
	_check(_accepts({"hp": 300}) and not _accepts({"hp": 301}), "an edit behind an undo does not hold")
	# A schema that contradicts itself is not taken over, so there is nothing to undo.
	var text: String = _schema.json
	await _type("Rule_Max", "-1")
	_check(_schema.json == text, "a contradiction was taken over")
	_history().undo()
	await _frames(6)
	_check(_schema.json == before, "undone behind a contradiction: " + _schema.json)


func _what_is_saved() -> void:
	_check(ResourceSaver.save(_schema) == OK, "the file is not saved")
	var text := FileAccess.get_file_as_string(FILE)
	_check(text.contains("700") and not text.contains("300"), "in the file stands " + text)


## Switches the plugin off and on in the project settings. A form that the inspector shows stays, and does
## nothing without the panel.
func _the_plugin_goes_and_comes_back() -> void:
	for time in 2:
		var form := await _form()
		EditorInterface.set_plugin_enabled("variant_stream", false)
		await _frames(6)
		_check(_panels().is_empty(), "the panel is there without the plugin")
		_check(not ResourceLoader.exists("res://probe.vschema.json"), "the loader is there without the plugin")
		if is_instance_valid(form):
			form.emit_signal(&"use_wanted")
		EditorInterface.set_plugin_enabled("variant_stream", true)
		await _frames(6)
		_check(_panels().size() == 1, "%d panels of a plugin that came back" % _panels().size())


## Leaves the panel's thread at work, while the editor is shut down afterwards.
func _a_file_is_left_half_read() -> void:
	var path := "res://drive/large.bin"
	FileAccess.open(path, FileAccess.WRITE).store_buffer(var_to_bytes(range(2_000_000)))
	_panels()[0].call(&"open_file", path)
	await _frames(2)


func _panels() -> Array[Node]:
	return EditorInterface.get_base_control().find_children("VariantInspector*", "", true, false)


func _history() -> UndoRedo:
	return get_undo_redo().get_history_undo_redo(get_undo_redo().get_object_history_id(_schema))


## Waits for the form that the inspector shows now; it makes a new one when the schema changed elsewhere.
func _form() -> Control:
	for i in PATIENCE_FRAMES:
		for control in EditorInterface.get_inspector().find_children("*", "VBoxContainer", true, false):
			var script: Script = control.get_script()
			if script != null and script.resource_path == FORM and not control.is_queued_for_deletion():
				return control
		await _frames(1)
	return null


func _field(name_of: String) -> String:
	return ((await _form()).find_child(name_of, true, false) as LineEdit).text


func _type(name_of: String, text: String) -> void:
	var field: LineEdit = (await _form()).find_child(name_of, true, false)
	field.text = text
	field.text_changed.emit(text)
	await _frames(2)


## Checks with a copy, because a schema that has checked a value is not compiled anew.
func _accepts(value: Variant) -> bool:
	return _schema.from_json(_schema.to_json()).is_valid(value)


func _frames(count: int) -> void:
	for i in count:
		await get_tree().process_frame


func _check(ok: bool, what: String) -> bool:
	_checks += 1
	if not ok:
		_failed += 1
		print("FAIL ", what)
	return ok
