@tool
extends HFlowContainer
## Implements the panel's upper line: open, paste, the title with its verdict and size, and the progress. It reads no bytes.

signal file_chosen(path: String)
signal bytes_given(bytes: PackedByteArray, title: String)
signal cancelled
signal reload_wanted
## Reports that the chosen value is to be copied in a form of node_text.gd, or edited.
signal copy_wanted(form: int)
signal edit_wanted

const Looks := preload("looks.gd")
const NodeText := preload("node_text.gd")
const PasteDialog := preload("paste_dialog.gd")

var title := Label.new()
var facts := Label.new()
var verdict := Label.new()
var progress := ProgressBar.new()
var cancel_button := Button.new()
var paste := PasteDialog.new()
var files := FileDialog.new()
var reload := Button.new()

var _open := Button.new()
var _paste := Button.new()
var _copy := MenuButton.new()
var _edit := Button.new()
var _stage := Label.new()
var _line := VSeparator.new()


func _init() -> void:
	_open.text = "Open…"
	_open.tooltip_text = "Open a file of encoded Variants. A file can be dropped on the panel as well."
	_open.pressed.connect(act.bind(&"open"))
	_paste.text = "Paste…"
	_paste.tooltip_text = "Bytes as hexadecimal digits, Base64 or numbers."
	_paste.pressed.connect(act.bind(&"paste"))
	_copy.text = "Copy"
	_copy.tooltip_text = "Copy the chosen value, or all of it."
	_copy.flat = false
	_copy.focus_mode = Control.FOCUS_ALL
	for form in NodeText.NAMES.size():
		_copy.get_popup().add_item(NodeText.NAMES[form], form)
	_copy.get_popup().id_pressed.connect(func(form: int) -> void: copy_wanted.emit(form))
	_edit.text = "Edit…"
	_edit.tooltip_text = "Put another value in place of the chosen one. A file is written at once."
	_edit.pressed.connect(func() -> void: edit_wanted.emit())
	reload.text = "Reload"
	reload.pressed.connect(func() -> void: reload_wanted.emit())
	facts.modulate.a = 0.6
	facts.size_flags_horizontal = SIZE_EXPAND_FILL
	progress.custom_minimum_size = Vector2(160, 0) * Looks.scale()
	progress.size_flags_vertical = SIZE_SHRINK_CENTER
	progress.max_value = 1.0
	Looks.call_it(progress, "Progress")
	Looks.read_out(verdict)
	cancel_button.text = "Cancel"
	cancel_button.pressed.connect(func() -> void: cancelled.emit())
	for control: Control in [_open, _paste, _line, title, verdict, facts, _stage, progress, cancel_button, reload, _copy, _edit]:
		add_child(control)
	_make_dialogs()
	show_title("", "")
	show_progress("", 0.0)


func _notification(what: int) -> void:
	if what == NOTIFICATION_THEME_CHANGED:
		_open.icon = Looks.icon(self, &"Load")
		_paste.icon = Looks.icon(self, &"ActionPaste")
		_copy.icon = Looks.icon(self, &"ActionCopy")
		_edit.icon = Looks.icon(self, &"Edit")
		reload.icon = Looks.icon(self, &"Reload")


## Does what a button does, by name.
func act(what: StringName) -> void:
	match what:
		&"open":
			Looks.pop_up(files)
		&"paste":
			paste.popup_centered()


## Takes the button of the rules, which stands behind the others.
func take_rules(button: Button) -> void:
	add_child(button)


func show_title(name_of: String, path: String) -> void:
	title.text = Looks.short(name_of)
	_line.visible = not name_of.is_empty()
	title.tooltip_text = Looks.shown(path if not path.is_empty() else name_of)
	title.mouse_filter = Control.MOUSE_FILTER_PASS
	facts.text = ""
	verdict.text = ""
	reload.visible = not path.is_empty()
	_copy.visible = not name_of.is_empty()
	_edit.visible = not name_of.is_empty()
	show_file("")


## Shows the state of the file since it was read: nothing, "changed" or "gone".
func show_file(what: String) -> void:
	reload.text = "Reload" if what.is_empty() else "Reload (%s)" % what
	reload.tooltip_text = {
		"changed": "The file has changed since it was read.",
		"gone": "The file is not there any more. What is shown is what it held.",
	}.get(what, "Read the file again.")


## Shows the size; `layer` names what was around the bytes.
func show_size(bytes: int, values: int, layer := "") -> void:
	facts.text = Looks.size_of(bytes) + ("" if values == 1 else ", %s values" % Looks.grouped(values))
	if not layer.is_empty():
		facts.text += ", " + layer


## Shows the verdict; `is_checked` says that all of it was checked, before which nothing is accepted. `refusal` is the reason why
## the game refused the bytes: they are not called accepted then, whatever the rules of the panel are.
func show_verdict(problems: int, is_checked: bool, refusal := "") -> void:
	if problems > 0:
		verdict.text = "%d problem%s" % [problems, "" if problems == 1 else "s"] + ("" if is_checked else ", cancelled")
	else:
		verdict.text = "accepted" if is_checked else "not checked"
	if problems == 0 and not refusal.is_empty():
		verdict.text = "refused in the game"
	verdict.tooltip_text = refusal
	verdict.mouse_filter = Control.MOUSE_FILTER_PASS
	var fine := Looks.success(self) if is_checked else Looks.warning(self)
	verdict.add_theme_color_override(&"font_color", fine if problems == 0 and refusal.is_empty() else Looks.error(self))


func show_progress(stage: String, part: float) -> void:
	_stage.text = stage
	progress.value = part
	for control: Control in [_stage, progress, cancel_button]:
		control.visible = not stage.is_empty()


func _make_dialogs() -> void:
	files.file_mode = FileDialog.FILE_MODE_OPEN_FILE
	files.access = FileDialog.ACCESS_FILESYSTEM
	# The engine's own texts in it are translated as the editor's are.
	files.auto_translate_mode = AUTO_TRANSLATE_MODE_ALWAYS
	files.title = "Open encoded Variants"
	files.file_selected.connect(func(path: String) -> void: file_chosen.emit(path))
	paste.bytes_pasted.connect(func(bytes: PackedByteArray) -> void: bytes_given.emit(bytes, "Pasted bytes"))
	add_child(files)
	add_child(paste)
