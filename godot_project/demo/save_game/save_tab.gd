extends HBoxContainer
## Implements the tab "Save game": a hero is edited and saved, and bytes of the file are broken on the disk.
## The verdict of loading it is shown, beside what is still there. hero_save.gd defines the save.

const FieldMap := preload("res://demo/parts/field_map.gd")
const HeroSave := preload("hero_save.gd")

const OLD_SAVE := "res://demo/save_game/godot3_hero.save"
const MOST_DIFFERENCES := 3

## The file in which the hero is saved.
@export var path := "user://demo/hero.save"

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
	%Form.changed.connect(func() -> void: %Save.text = "Save changes")
	keep_at(path)


## Uses another file from now on, and shows what it holds; a new hero where there is none.
func keep_at(file: String) -> void:
	path = file
	_save = HeroSave.new(path)
	if not FileAccess.file_exists(path):
		# It is saved twice, so that there is a backup as well.
		_save.save(HeroSave.new_hero())
		_save.save(HeroSave.new_hero())
	%Form.show_hero(HeroSave.new_hero())
	_take_as_written()
	load_hero()


## Returns type, path and value at a byte of the file as it was written.
func field_at(byte: int) -> String:
	return _fields.text_of(byte)


## Loads the file and shows the verdict. A refused file changes nothing: the form keeps its hero.
func load_hero() -> void:
	var hero: Variant = _save.read(path)
	var error := _save.error
	_show_file(path, _changed_bytes(), error)
	if hero == null:
		%Verdict.say("Bad", "Refused", error.message, error)
		_say_of_backup()
		return
	%Form.show_hero(hero)
	%Save.text = "Save"
	var differences := VariantStream.diff(_written, _save.bytes_of(path))
	if differences.is_empty():
		%Verdict.say("Accent", "Loaded", "%d bytes, every value checked. Now break one: press a byte above." % (
				_written.size()))
	else:
		%Verdict.say("Warn", "Loaded, but not what was saved", _told(differences)
				+ ". Every bit of these bytes is a valid value, and the schema allows it.")


## Saves the hero of the form, and returns whether it is saved; if not, the verdict says so.
func save_hero() -> bool:
	if _save.save(%Form.hero()) != OK:
		%Verdict.say("Bad", "Not saved", "%s. The file is as it was." % _save.error.message, _save.error)
		return false
	%Save.text = "Save"
	_take_as_written()
	_show_file(path, PackedInt32Array(), {})
	return true


func _on_save_pressed() -> void:
	if not save_hero():
		return
	%Verdict.say("Accent", "Saved", "%d bytes: written beside the old file, synced, then put in its place." % (
			_written.size()))
	_say_of_backup()


func _on_byte_pressed(byte: int) -> void:
	_save.flip(byte)
	load_hero()


func _on_undo_pressed() -> void:
	for byte in _changed_bytes():
		_save.flip(byte)
	load_hero()


## Restores the backup, as hero and as file.
func _on_restore_pressed() -> void:
	var hero: Variant = _save.read(_save.backup_path)
	if hero == null:
		return
	%Form.show_hero(hero)
	if save_hero():
		%Verdict.say("Accent", "Brought back", "The copy from before is the save again. Nothing was lost.")


func _on_old_save_pressed() -> void:
	var bytes := FileAccess.get_file_as_bytes(OLD_SAVE)
	var hero: Variant = _save.from_godot_3(bytes)
	if hero == null:
		%Verdict.say("Bad", "Refused", _save.error.message, _save.error)
		return
	%Form.show_hero(hero)
	_fields = FieldMap.of_dump(VariantStream.dump(VariantStream.transcode(bytes, VariantStream.GODOT_3,
			VariantStream.GODOT_4)))
	VariantStream.decode(bytes)
	var refused := VariantStream.get_last_error()
	_show_file(OLD_SAVE, PackedInt32Array(), {})
	var told := "%d bytes of a real Godot 3.6, read as GODOT_3. Read as GODOT_4 they are refused: %s." % [
			bytes.size(), refused.message]
	%Verdict.say("Info", "A save of Godot 3.6, loaded", told + " Save, and it is a save of Godot 4.")


func _on_byte_pointed(byte: int) -> void:
	%Pointed.text = "byte %d:  %s" % [byte, field_at(byte)] if byte >= 0 else ""


func _take_as_written() -> void:
	_written = _save.bytes_of(path)


## Shows the bytes of the file, with the changed ones marked and the one that an error is about.
func _show_file(from: String, changed: PackedInt32Array, error: Dictionary) -> void:
	var is_old := from == OLD_SAVE
	var bytes := FileAccess.get_file_as_bytes(from) if is_old else _save.bytes_of(from)
	if not is_old:
		_fields = FieldMap.of_dump(VariantStream.dump(_written))
	%FileName.text = from.get_file()
	%Pointed.text = ""
	%Undo.disabled = changed.is_empty()
	%Hint.text = "Recorded with Godot 3.6. Its types have other numbers." if is_old else (
			"Press a byte to turn its bits over, on the disk. Press again to mend it.")
	%Hex.editable = not is_old
	%Hex.show_bytes(bytes, _fields, changed, error.get("byte_offset", -1))
	%Hex.show_error_byte.call_deferred()


func _changed_bytes() -> PackedInt32Array:
	var changed := PackedInt32Array()
	var bytes := _save.bytes_of(path)
	for i in mini(bytes.size(), _written.size()):
		if bytes[i] != _written[i]:
			changed.append(i)
	return changed


func _say_of_backup() -> void:
	var is_damaged: bool = _save.read(path) == null
	var hero: Variant = _save.read(_save.backup_path)
	if hero == null:
		%Verdict.say_of_backup("There is no copy from before yet.")
		return
	var told := "%s, %d hp, %d gold, %d kinds of items" % [hero.name, hero.hp, hero.gold, hero.inventory.size()]
	if is_damaged:
		%Verdict.say_of_backup("Nothing was lost. %s loads: %s. The form kept its hero." % [
				_save.backup_path.get_file(), told], true)
	else:
		%Verdict.say_of_backup("The save from before is %s: %s." % [_save.backup_path.get_file(), told])


static func _told(differences: Array) -> String:
	var told := PackedStringArray()
	for difference: Dictionary in differences.slice(0, MOST_DIFFERENCES):
		told.append("%s was %s and is %s" % [difference.path, difference.before, difference.after])
	if differences.size() > MOST_DIFFERENCES:
		told.append("%d more" % (differences.size() - MOST_DIFFERENCES))
	return "; ".join(told)
