extends "drive.gd"
## Drives the tab of saves: slots with picture and backups, what is damaged, opening, comparing, recovering.

const InspectorPanel := preload("res://addons/variant_stream/editor/inspector_panel.gd")
const SavesView := preload("res://addons/variant_stream/editor/saves/saves_view.gd")

const FOLDER := "user://saves_drive"

class Hero:
	@export var hp := 80


var panel: InspectorPanel


func drive_slots_have_picture_version_and_backups() -> void:
	_empty()
	var picture := Image.create_empty(8, 8, false, Image.FORMAT_RGB8)
	var save := _save()
	save.version = 3
	save.backups = 2
	for level in 3:
		check_same(save.save(FOLDER + "/slot1.save", {"level": level}, {"level": level, "place": "mill"}, picture), OK, "save")
	check_same(_save().save(FOLDER + "/inner/slot2.save", {"level": 7}), OK, "a save in an inner folder")
	_store("notes.txt", "no save".to_utf8_buffer())
	_store("slot1.save.txt", "no backup".to_utf8_buffer())
	await _show()
	var slots := panel.saves.list.get_root().get_children()
	check_same(slots.map(func(slot: TreeItem) -> String: return slot.get_text(SavesView.NAME)), ["slot1.save", "inner/slot2.save"], "names")
	check_same(_texts(slots[0]), ["slot1.save", "whole", "3", "{ \"level\": 2, \"place\": \"mill\" }"], "a slot")
	check(slots[0].get_icon(SavesView.NAME) != null and slots[1].get_icon(SavesView.NAME) == null, "pictures")
	check(slots[0].get_text(SavesView.TIME).begins_with(Time.get_date_string_from_system(true)), slots[0].get_text(SavesView.TIME))
	check_same(slots[0].get_children().map(_texts), [["slot1.save.bak", "whole", "3", "{ \"level\": 1, \"place\": \"mill\" }"],
			["slot1.save.bak2", "whole", "3", "{ \"level\": 0, \"place\": \"mill\" }"]], "backups")
	slots[0].get_child(1).select(0)
	panel.saves._open.pressed.emit()
	await _settle()
	check_same([bytes_to_var(panel.document.bytes), panel.bar.title.text], [{"level": 0}, "slot1.save.bak2"], "an opened backup")


## Tests that the list is never wider than its place: it leaves out columns, the last ones first, and shows them again where there
## is room.
func drive_a_narrow_list_does_not_scroll_sideways() -> void:
	_empty()
	check_same(_save().save(FOLDER + "/a rather long name of a slot.save", {"gold": 7}, {"place": "mill"}), OK, "save")
	var view := SavesView.new()
	view.folder.text = FOLDER
	root.add_child(view)
	view.read_again()
	for width: int in [900, 475, 340, 240, 900]:
		view.size = Vector2(width, 340)
		await frames()
		var list := view.list
		var wide := 0
		for column in list.columns:
			wide += list.get_column_width(column)
		check(wide <= list.size.x, "%d columns are %d wide in a list of %d" % [list.columns, wide, list.size.x])
		check(list.columns > SavesView.STATE, "name and state are there")
		var slot := list.get_root().get_child(0)
		check(slot.get_tooltip_text(SavesView.NAME).contains("mill"), slot.get_tooltip_text(SavesView.NAME))
		if width == 900:
			check_same(_texts(slot), ["a rather long name of a slot.save", "whole", "1", "{ \"place\": \"mill\" }"], "all columns")
	view.free()


## Tests a save of objects: the panel shows the document by its tags, and makes none.
func drive_a_save_of_objects_is_opened() -> void:
	_empty()
	var save := _save()
	save.classes = VariantClassSet.new()
	save.classes.allow("hero", Hero)
	check_same(save.save(FOLDER + "/slot1.save", {"best": Hero.new()}), OK, "save")
	await _show()
	var slot := panel.saves.list.get_root().get_child(0)
	check_same(slot.get_text(SavesView.STATE), "whole", "its state")
	slot.select(0)
	panel.saves.list.item_activated.emit()
	await _settle()
	check_same(panel.document.problems, [] as Array[Dictionary], "problems")
	var names := panel.tree.get_root().get_child(0).get_children().map(func(item: TreeItem) -> String: return item.get_text(0))
	check_same(names, ["form", "classes", "value"], "the document")


func drive_two_are_compared() -> void:
	_empty()
	check_same(_save().save(FOLDER + "/slot1.save", {"gold": 5}), OK, "save")
	check_same(_save().save(FOLDER + "/slot1.save", {"gold": 7}), OK, "save")
	await _show()
	check(panel.saves._compare.disabled, "nothing is ticked")
	var slot := panel.saves.list.get_root().get_child(0)
	for item: TreeItem in [slot, slot.get_child(0)]:
		item.set_checked(SavesView.NAME, true)
	panel.saves.list.item_edited.emit()
	check(not panel.saves._compare.disabled, "two are ticked")
	panel.saves._compare.pressed.emit()
	check_same(panel.saves.told.text, "slot1.save is the newer one: it goes on from slot1.save.bak", "the order")
	var difference: TreeItem = panel.comparison._list.get_root().get_child(0)
	check_same(range(4).map(func(column: int) -> String: return difference.get_text(column)), ["gold", "changed", "7", "5"], "the difference")
	panel.comparison.hide()


## Tests a damaged save: it is named, its backups are unfolded, and what is whole of it is shown without a file being written.
func drive_what_is_damaged_is_recovered() -> void:
	_empty()
	var state := {}
	for at in 4000:
		state["key%d" % at] = "%x" % (at * 7919)
	check_same(_save().save(FOLDER + "/slot1.save", state), OK, "save")
	check_same(_save().save(FOLDER + "/slot1.save", state), OK, "save")
	var path := FOLDER + "/slot1.save"
	var bytes := FileAccess.get_file_as_bytes(path)
	bytes[bytes.size() / 2] ^= 1
	_store("slot1.save", bytes)
	await _show()
	var slot := panel.saves.list.get_root().get_child(0)
	check_same([slot.get_text(SavesView.STATE), slot.collapsed, slot.get_child(0).get_text(SavesView.STATE)], ["damaged", false, "whole"], "states")
	slot.get_child(0).select(0)
	check(panel.saves._recover.disabled, "a whole backup is recovered")
	slot.select(0)
	check(panel.saves.told.text.contains("damaged") or panel.saves.told.text.contains("changed"), panel.saves.told.text)
	panel.saves._open.pressed.emit()
	check(panel.document == null, "a damaged save is opened as if it were whole")
	panel.saves._recover.pressed.emit()
	await _settle()
	check(panel.saves.told.text.contains("entries are whole"), panel.saves.told.text)
	var found: Dictionary = bytes_to_var(panel.document.bytes)
	check(found.size() > 0 and found.size() < state.size(), "%d entries" % found.size())
	check_same(FileAccess.get_file_as_bytes(path), bytes, "the file")
	_store("slot1.save", PackedByteArray())
	await _show()
	check_same(panel.saves.list.get_root().get_child(0).get_text(SavesView.STATE), "damaged", "an empty file with a backup")
	DirAccess.remove_absolute(path)
	await _show()
	check_same(panel.saves.list.get_root().get_child(0).get_text(SavesView.STATE), "gone", "a save of which only a backup is left")


func drive_a_password_opens_what_is_encrypted() -> void:
	_empty()
	var save := _save()
	save.password = "s3cret"
	check_same(save.save(FOLDER + "/slot1.save", {"gold": 5}, {"level": 1}), OK, "save")
	check_same(_save().save(FOLDER + "/slot2.save", {"gold": 6}), OK, "a save without a password")
	await _show()
	var states := func() -> Array:
		return panel.saves.list.get_root().get_children().map(func(slot: TreeItem) -> String: return slot.get_text(SavesView.STATE))
	check_same(states.call(), ["needs a password", "whole"], "without")
	panel.saves._password.text_submitted.emit("s3cret")
	await _judged()
	check_same(states.call(), ["whole", "whole"], "with")


func drive_a_folder_without_saves() -> void:
	_empty()
	await _show()
	check_same(panel.saves.told.text, "No save of VariantSave is in user://saves_drive or in a folder of it.", "an empty folder")
	panel.saves.folder.text_submitted.emit("user://none")
	panel.saves.folder.text = "user://none\u202e"
	panel.saves.read_again()
	check(panel.saves.told.text.contains("user://none\\u202e"), panel.saves.told.text)


func _save() -> VariantSave:
	var save := VariantSave.new()
	save.backups = 1
	return save


func _store(name: String, bytes: PackedByteArray) -> void:
	FileAccess.open(FOLDER.path_join(name), FileAccess.WRITE).store_buffer(bytes)


static func _texts(item: TreeItem) -> Array:
	return [SavesView.NAME, SavesView.STATE, SavesView.VERSION, SavesView.METADATA].map(func(column: int) -> String: return item.get_text(column))


func _show() -> void:
	if panel != null:
		panel.free()
	panel = InspectorPanel.new()
	root.add_child(panel)
	panel.size = Vector2(1600, 800)
	panel.saves.folder.text = FOLDER
	panel.tabs.current_tab = panel.SAVES
	await _judged()


func _judged() -> void:
	await frames()
	await until(func() -> bool: return panel.saves.waiting() == 0, "the end of the judging")
	await frames()


func _settle() -> void:
	await frames()
	await until(func() -> bool: return panel.document == null or not panel.document.is_busy(), "the end of the work")
	await frames()


func _empty() -> void:
	for folder: String in [FOLDER + "/inner", FOLDER]:
		DirAccess.make_dir_recursive_absolute(folder)
		for file in DirAccess.get_files_at(folder):
			DirAccess.remove_absolute(folder.path_join(file))
