extends HBoxContainer
## Implements the tab "Save game": a hero is edited and saved into slots, and bytes of the file are broken on the disk.
## The verdict of loading it is shown. hero_save.gd defines the save.

const FieldMap := preload("res://demo/parts/field_map.gd")
const HeroSave := preload("hero_save.gd")
const SaveFields := preload("save_fields.gd")

const OLD_SAVE := "res://demo/save_game/godot3_hero.save"

## The folder of the slots.
@export var folder := "user://demo"

var _save: HeroSave
## The file as it was written, and its fields, with which the bytes on the disk are compared.
var _written := PackedByteArray()
var _fields := FieldMap.new()


func _ready() -> void:
	%Save.pressed.connect(_on_save_pressed)
	%Load.pressed.connect(load_hero)
	%OldSave.pressed.connect(_on_old_save_pressed)
	%Undo.pressed.connect(_on_undo_pressed)
	%Verdict.restore_pressed.connect(_on_restore_pressed)
	%Hex.byte_pressed.connect(_on_byte_pressed)
	%Hex.byte_pointed.connect(_on_byte_pointed)
	%Slots.chosen.connect(choose_slot)
	%Form.changed.connect(func() -> void: %Save.text = "Save changes")
	keep_in(folder)


## Uses another folder from now on, and shows its first slot; a new hero where there is none.
func keep_in(at: String) -> void:
	folder = at
	_save = HeroSave.new(folder)
	if not FileAccess.file_exists(_save.path):
		# It is saved twice, so that there is a backup as well.
		_save.save(HeroSave.new_hero())
		_save.save(HeroSave.new_hero())
	choose_slot(1)


## Shows a slot. In one without a save a new hero waits to be saved.
func choose_slot(slot: int) -> void:
	_save.slot = slot
	%Form.show_hero(HeroSave.new_hero())
	_written = _on_disk()
	_fields = SaveFields.of_save(_written) if not _written.is_empty() else FieldMap.new()
	if _written.is_empty():
		_show_file(_save.path, {})
		%Verdict.say("Info", "An empty slot", "Save the hero, and it is in this slot.")
	else:
		load_hero()


## Returns type, path and value at a byte of the file as it was written, or the part of the save.
func field_at(byte: int) -> String:
	return _fields.text_of(byte)


## Loads the file and shows the verdict. Damage falls back to the backup; without one the form keeps its hero.
func load_hero() -> void:
	var ended := _save.saves.load(_save.path)
	var report := _save.saves.get_report()
	if ended != OK:
		_show_file(_save.path, _save.saves.get_error())
		%Verdict.say("Bad", "Refused", _save.saves.get_error_message(), _save.saves.get_error())
		return
	%Form.show_hero(_save.saves.data.to_form())
	%Save.text = "Save"
	if report.refused.is_empty():
		_show_file(_save.path, {})
		%Verdict.say("Accent", "Loaded", "%d bytes, every one checked. Now break one: press a byte above." % _written.size())
		return
	var refused: Dictionary = report.refused[0].duplicate()
	refused.path = refused.path.get_file()
	_show_file(_save.path, refused)
	var used: String = report.used.get_file()
	%Verdict.say("Warn", "Damaged, so the backup was loaded", refused.message, refused)
	%Verdict.say_of_backup("Nothing was lost: the form shows %s. The next save sets the damaged file aside." % used, true)


## Saves the hero of the form, and returns whether it is saved; if not, the verdict says so.
func save_hero() -> bool:
	if _save.save(%Form.hero()) != OK:
		%Verdict.say("Bad", "Not saved", "%s. The file is as it was." % _save.saves.get_error_message(),
				_save.saves.get_error())
		return false
	%Save.text = "Save"
	_written = _on_disk()
	_fields = SaveFields.of_save(_written)
	_show_file(_save.path, {})
	return true


func _on_save_pressed() -> void:
	if not save_hero():
		return
	%Verdict.say("Accent", "Saved", "%d bytes: written beside the old file, read back, then put in its place." % (
			_written.size()))
	_say_of_kept()


func _on_byte_pressed(byte: int) -> void:
	_save.flip(byte)
	load_hero()


func _on_undo_pressed() -> void:
	for byte in _changed_bytes():
		_save.flip(byte)
	load_hero()


## Saves the backup that the form shows.
func _on_restore_pressed() -> void:
	if save_hero():
		%Verdict.say("Accent", "Brought back", "The save from before is the save again. Nothing was lost.")
		_say_of_kept()


func _on_old_save_pressed() -> void:
	var bytes := FileAccess.get_file_as_bytes(OLD_SAVE)
	if _save.first.from_bytes(bytes) != OK:
		%Verdict.say("Bad", "Refused", _save.first.get_error_message(), _save.first.get_error())
		return
	%Form.show_hero(_save.first.data)
	_fields = FieldMap.of_dump(VariantStream.dump(VariantStream.transcode(bytes, VariantStream.GODOT_3,
			VariantStream.GODOT_4)))
	_show_file(OLD_SAVE, {})
	var told := "%d bytes of a real Godot 3.6 with data of version %d: items and counts are two lists, and types have other numbers."
	%Verdict.say("Info", "A save of the first version, loaded", told % [bytes.size(), _save.first.get_report().migrated_from]
			+ " migrate() made one list. Save, and it is a save of today.")


func _on_byte_pointed(byte: int) -> void:
	%Pointed.text = "byte %d:  %s" % [byte, field_at(byte)] if byte >= 0 else ""


func _on_disk() -> PackedByteArray:
	return FileAccess.get_file_as_bytes(_save.path) if FileAccess.file_exists(_save.path) else PackedByteArray()


## Shows the bytes of the file, with the changed ones marked and the one that an error is about.
func _show_file(from: String, error: Dictionary) -> void:
	var is_old := from == OLD_SAVE
	var changed := PackedInt32Array() if is_old else _changed_bytes()
	if not is_old and not _written.is_empty():
		_fields = SaveFields.of_save(_written)
	%FileName.text = from.get_file()
	%Pointed.text = ""
	%Undo.disabled = changed.is_empty()
	%Hint.text = "Recorded with Godot 3.6. Its types have other numbers." if is_old else (
			"Press a byte to turn its bits over, on the disk. Press again to mend it.")
	%Hex.editable = not is_old
	%Hex.show_bytes(FileAccess.get_file_as_bytes(from) if is_old else _on_disk(), _fields, changed,
			error.get("byte_offset", -1))
	%Hex.show_error_byte.call_deferred()
	%Slots.show_slots(_save.slots(), _save.slot)


func _changed_bytes() -> PackedInt32Array:
	var changed := PackedInt32Array()
	var bytes := _on_disk()
	for i in mini(bytes.size(), _written.size()):
		if bytes[i] != _written[i]:
			changed.append(i)
	return changed


## Says what became of the file that was there.
func _say_of_kept() -> void:
	var report := _save.saves.get_report()
	if report.set_aside:
		%Verdict.say_of_backup("The damaged file is %s.damaged." % _save.path.get_file())
	elif report.backed_up:
		%Verdict.say_of_backup("The save from before is %s.bak." % _save.path.get_file())
