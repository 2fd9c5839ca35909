@tool
extends VBoxContainer
## Implements the tab "Saves": the saves of a folder with picture, version, time and metadata, their backups below them, and
## which files are damaged. It opens, compares and recovers them for the panel, and writes none.

## Reports the state in a save, to be shown.
signal save_opened(state: PackedByteArray, title: String)
## Reports that the states of two saves are to be compared.
signal comparison_wanted(first: PackedByteArray, second: PackedByteArray, title: String)

const Looks := preload("../looks.gd")
const Picture := preload("picture.gd")
const SavesReader := preload("saves_reader.gd")

const COLUMNS: PackedStringArray = ["Save", "State", "Written (UTC)", "Version", "Metadata"]
enum {NAME, STATE, TIME, VERSION, METADATA}
const ICONS := {"whole": &"StatusSuccess", "damaged": &"StatusError", "gone": &"StatusError", "refused": &"StatusError"}
## The height of a picture in the list.
const PICTURE := 20
## The least width of the metadata, beside which the list may not scroll sideways.
const LEAST_METADATA := 100

var reader := SavesReader.new()
var folder := LineEdit.new()
var list := Tree.new()
## Says what is chosen, or what went wrong.
var told := Label.new()

var _choose := Button.new()
var _again := Button.new()
var _open := Button.new()
var _compare := Button.new()
var _recover := Button.new()
var _password := LineEdit.new()
var _folders := FileDialog.new()
## The lines whose files are not judged yet.
var _waiting: Array[TreeItem] = []
var _is_read := false
## How wide the texts of each column are.
var _widths := PackedInt32Array()


func _init() -> void:
	size_flags_vertical = SIZE_EXPAND_FILL
	folder.text = "user://"
	folder.tooltip_text = "The folder of the saves, with the folders in it. In the editor user:// is that of this project."
	folder.size_flags_horizontal = SIZE_EXPAND_FILL
	folder.custom_minimum_size.x = 70 * Looks.scale()
	folder.text_submitted.connect(func(_text: String) -> void: read_again())
	Looks.call_it(folder, "Folder")
	_password.placeholder_text = "Password"
	_password.secret = true
	_password.custom_minimum_size.x = 84 * Looks.scale()
	_password.tooltip_text = "The password of encrypted saves. It is not stored."
	_password.text_submitted.connect(func(text: String) -> void:
		reader.password = text
		read_again())
	Looks.call_it(_password, "Password")
	var bar := HFlowContainer.new()
	bar.add_child(folder)
	for row: Array in [
			[_choose, "Folder…", "Choose another folder.", func() -> void: Looks.pop_up(_folders)],
			[_again, "Reload", "Read the folder again.", read_again],
			[_open, "Open", "Show the state in the chosen save.", open_chosen],
			[_compare, "Compare", "Compare the two saves that are ticked.", compare_ticked],
			[_recover, "Recover", "Show the entries of the chosen save that are whole. No file is written.", recover_chosen]]:
		var button: Button = row[0]
		button.text = row[1]
		button.tooltip_text = row[2]
		button.pressed.connect(row[3])
		bar.add_child(button)
	bar.add_child(_password)
	_make_list()
	told.text_overrun_behavior = TextServer.OVERRUN_TRIM_ELLIPSIS
	told.clip_text = true
	Looks.read_out(told)
	for view: Control in [bar, list, told]:
		add_child(view)
	_folders.file_mode = FileDialog.FILE_MODE_OPEN_DIR
	_folders.access = FileDialog.ACCESS_FILESYSTEM
	_folders.auto_translate_mode = AUTO_TRANSLATE_MODE_ALWAYS
	_folders.dir_selected.connect(func(path: String) -> void:
		folder.text = path
		read_again())
	add_child(_folders)
	visibility_changed.connect(_read_first)
	_show_chosen()


## Shows an icon in place of the words of two buttons, where there is one.
func _notification(what: int) -> void:
	if what != NOTIFICATION_THEME_CHANGED:
		return
	for row: Array in [[_choose, &"Folder", "Folder…"], [_again, &"Reload", "Reload"]]:
		var button: Button = row[0]
		button.icon = Looks.icon(self, row[1])
		button.text = "" if button.icon != null else row[2]
		Looks.call_it(button, row[2])


func _make_list() -> void:
	list.columns = COLUMNS.size()
	list.column_titles_visible = true
	list.hide_root = true
	list.select_mode = Tree.SELECT_ROW
	list.size_flags_vertical = SIZE_EXPAND_FILL
	list.resized.connect(_fit)
	_measure_titles()
	list.item_selected.connect(_show_chosen)
	list.item_edited.connect(_show_chosen)
	list.item_activated.connect(open_chosen)
	Looks.call_it(list, "Saves")


func _read_first() -> void:
	if is_visible_in_tree() and not _is_read:
		read_again()


## Reads the folder again; each file is judged in a frame of its own.
func read_again() -> void:
	_is_read = true
	_waiting.clear()
	list.clear()
	_measure_titles()
	var root := list.create_item()
	for save: Dictionary in SavesReader.read(folder.text):
		var item := _add(root, save)
		for other: Dictionary in save.beside:
			_add(item, other)
		item.collapsed = true
	_fit()
	set_process(true)
	_show_chosen()
	if root.get_first_child() == null:
		_tell("No save of VariantSave is in %s or in a folder of it." % Looks.shown(folder.text))


## Returns the number of files that are not judged yet.
func waiting() -> int:
	return _waiting.size()


func _process(_delta: float) -> void:
	if _waiting.is_empty():
		set_process(false)
		return
	var item: TreeItem = _waiting.pop_front()
	var verdict := reader.judge(item.get_metadata(NAME).path)
	item.set_metadata(STATE, verdict)
	item.set_text(STATE, verdict.state)
	_widen(STATE, verdict.state, 40.0)
	_fit()
	item.set_tooltip_text(STATE, verdict.reason)
	item.set_icon(STATE, Looks.icon(self, ICONS.get(verdict.state, &"StatusWarning")))
	if verdict.state == "damaged":
		# Its backups are what somebody looks for now.
		item.collapsed = false
	if item == list.get_selected():
		_show_chosen()


func _add(parent: TreeItem, save: Dictionary) -> TreeItem:
	var item := list.create_item(parent)
	item.set_metadata(NAME, save)
	item.set_metadata(STATE, {"state": "", "reason": ""})
	item.set_cell_mode(NAME, TreeItem.CELL_MODE_CHECK)
	item.set_editable(NAME, true)
	item.set_icon(NAME, Picture.read(save.get("thumbnail", PackedByteArray()), int(PICTURE * Looks.scale())))
	var texts := _texts(save)
	item.set_text(STATE, "…")
	for column: int in [NAME, TIME, VERSION]:
		_widen(column, texts[column], 96.0 if column == NAME else 24.0)
	_fill(item)
	_waiting.append(item)
	return item


## Returns the texts of a line; the state is told when the file is judged.
static func _texts(save: Dictionary) -> PackedStringArray:
	var is_known: bool = save.get("is_readable", false)
	var time := Time.get_datetime_string_from_unix_time(int(save.time), true).left(16) if is_known else ""
	return [Looks.shown(save.name), "", time, str(save.version) if is_known else "", _line_of(save.get("metadata"))]


## Writes a line into the columns that are shown. The name's tip has those that are not.
func _fill(item: TreeItem) -> void:
	var texts := _texts(item.get_metadata(NAME))
	for column in list.columns:
		if column != STATE:
			item.set_text(column, texts[column])
			item.set_tooltip_text(column, texts[column])
	item.set_tooltip_text(NAME, "    ".join(Array(texts).filter(func(text: String) -> bool: return not text.is_empty())))
	if list.columns > VERSION:
		item.set_text_alignment(VERSION, HORIZONTAL_ALIGNMENT_RIGHT)


func _widen(column: int, text: String, beside := 16.0) -> void:
	_widths[column] = maxi(_widths[column], mini(Looks.width_of(list, text, beside), int(240 * Looks.scale())))


func _measure_titles() -> void:
	_widths.resize(COLUMNS.size())
	_widths.fill(0)
	for column in COLUMNS.size():
		_widen(column, COLUMNS[column])
	_widths[METADATA] = maxi(_widths[METADATA], int(LEAST_METADATA * Looks.scale()))


## Shows as many columns as there is room for, so that the list need not be scrolled sideways.
func _fit() -> void:
	var room := list.size.x - 2 * list.get_theme_constant(&"scrollbar_margin_left") - list.get_theme_stylebox(&"panel").get_minimum_size().x
	room -= 16 * Looks.scale()  # the bar that scrolls down
	var count := 0
	var wide := 0
	while count < COLUMNS.size() and (count <= STATE or wide + _widths[count] <= room):
		wide += _widths[count]
		count += 1
	var is_new := count != list.columns
	list.columns = count
	for column in count:
		list.set_column_title(column, COLUMNS[column])
		list.set_column_clip_content(column, true)
		list.set_column_expand(column, column == (METADATA if count > METADATA else NAME))
		var side := HORIZONTAL_ALIGNMENT_RIGHT if column == VERSION else HORIZONTAL_ALIGNMENT_LEFT
		list.set_column_title_alignment(column, side)
		# Where even name and state are too wide, both get narrower.
		list.set_column_custom_minimum_width(column, int(_widths[column] * minf(1.0, room / wide)) if room > 0 else 0)
	var item := list.get_root().get_next_in_tree() if is_new and list.get_root() != null else null
	while item != null:
		_fill(item)
		item = item.get_next_in_tree()


static func _line_of(metadata: Variant) -> String:
	return "" if metadata == null else Looks.shown(str(metadata).left(200).replace("\n", " "))


func _chosen() -> Dictionary:
	var item := list.get_selected()
	return item.get_metadata(NAME) if item != null else {}


func _ticked() -> Array[Dictionary]:
	var ticked: Array[Dictionary] = []
	var item := list.get_root()
	while item != null:
		if item != list.get_root() and item.is_checked(NAME):
			ticked.append(item.get_metadata(NAME))
		item = item.get_next_in_tree()
	return ticked


## Enables what can be done now, and says what the chosen file is.
func _show_chosen() -> void:
	var item := list.get_selected()
	_open.disabled = item == null
	_recover.disabled = item == null or item.get_metadata(STATE).state != "damaged"
	_compare.disabled = _ticked().size() != 2
	if item == null:
		_tell("")
		return
	var save: Dictionary = item.get_metadata(NAME)
	var words: String = item.get_metadata(STATE).reason
	if words.is_empty() and save.get("is_readable", false):
		words = "%s    %s    written by version %s of the game, Godot %s    %s" % [Looks.shown(save.name), Looks.size_of(save.bytes),
				Looks.shown(save.game_version), Looks.shown(save.engine_version), _line_of(save.metadata)]
	_tell(words)


func _tell(words: String) -> void:
	told.text = words
	told.tooltip_text = words


func open_chosen() -> void:
	var save := _chosen()
	if save.is_empty():
		return
	var state := reader.state(save.path)
	if state.is_empty():
		_tell(reader.trouble())
	else:
		save_opened.emit(state, save.name)


## Compares the two saves that are ticked: how they stand to each other, and where their states differ.
func compare_ticked() -> void:
	var ticked := _ticked()
	if ticked.size() != 2:
		return
	var states := ticked.map(func(save: Dictionary) -> PackedByteArray: return reader.state(save.path))
	_tell(SavesReader.order(ticked[0], ticked[1]))
	if (states[0] as PackedByteArray).is_empty() or (states[1] as PackedByteArray).is_empty():
		_tell(told.text + ". Not both can be opened: " + reader.trouble())
		return
	comparison_wanted.emit(states[0], states[1], "%s and %s" % [ticked[0].name, ticked[1].name])


func recover_chosen() -> void:
	var save := _chosen()
	if save.is_empty():
		return
	var recovered := reader.recover(save)
	if not recovered.bytes.is_empty():
		save_opened.emit(recovered.bytes, save.name + ", recovered")
	_tell("%s: %s" % [Looks.shown(save.name), recovered.told])
