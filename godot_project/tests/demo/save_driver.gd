extends "driver.gd"
## Drives the tab "Save game": saves, breaks every byte of the file, restores the save, chooses slots, opens the
## save of an old version.
##   godot --headless --path godot_project -s res://tests/demo/save_driver.gd

const ObjectReader := preload("res://tests/objects/reader.gd")

const FOLDER := "user://demo_test_%d"

var _tab: Control
var _folder := FOLDER % OS.get_process_id()
var _path := _folder.path_join("slot1.save")


func drive() -> void:
	await open()
	_tab = page("SaveTab")
	_tab.keep_in(_folder)
	await frames(2)
	await _save_twice()
	await _break_one()
	_break_each()
	await _bring_back()
	await _refuse_a_nameless_hero()
	await _choose_slots()
	await _open_old_save()
	await _use_the_keyboard()
	for name in DirAccess.get_files_at(_folder):
		DirAccess.remove_absolute(_folder.path_join(name))
	DirAccess.remove_absolute(_folder)


func _save_twice() -> void:
	_part("Hp").value = 55
	expect_same(_text("Save"), "Save changes", "the button of a changed hero")
	click(_part("Save"))
	await frames(1)
	expect_same(_text("Headline"), "Saved", "the headline")
	expect_same(_state(_path), _hero(), "the file")
	_part("Gold").value = 300
	click(_part("Save"))
	await frames(1)
	var before: Dictionary = _state(_path + ".bak")
	expect_same([before.hp, before.gold, _hero().gold], [55, 250, 300], "the save from before, and the hero")
	expect_same(_text("Backup"), "The save from before is slot1.save.bak.", "what is said of it")


## A broken byte: the backup is loaded, and the verdict says why.
func _break_one() -> void:
	var byte := _byte_of("item[2].count") + 4
	var was := _on_disk(_path)[byte]
	await _click_byte(byte)
	expect_same(_on_disk(_path)[byte], was ^ 0xFF, "the byte on the disk")
	expect_same([_text("Headline"), _text("Kind")], ["Damaged, so the backup was loaded", "SAVE_DAMAGED"], "the verdict")
	expect(_text("Message").contains("a checksum does not fit"), _text("Message"))
	expect_same([_hero().gold, _hero().hp], [250, 55], "the hero of the backup")
	expect(_text("Backup").contains("slot1.save.bak"), _text("Backup"))
	expect(_part("Restore").is_visible_in_tree(), "nothing brings the backup back")
	await _click_byte(byte)
	expect_same([_text("Headline"), _on_disk(_path)[byte], _hero().gold], ["Loaded", was, 300], "the mended file")


## Breaks each byte: every one is found, and each time the backup is loaded.
func _break_each() -> void:
	var hex := _part("Hex")
	for byte in _on_disk(_path).size():
		hex.byte_pressed.emit(byte)
		var is_newer := _text("Headline") == "Refused" and _text("Kind") == "SAVE_NEWER"
		expect(_text("Headline") == "Damaged, so the backup was loaded" or is_newer,
				"byte %d: %s: %s" % [byte, _text("Headline"), _text("Message")])
		expect(not _tab.field_at(byte).is_empty(), "byte %d is in no field" % byte)
		hex.byte_pressed.emit(byte)
		expect(_text("Headline") == "Loaded", "byte %d: mended, and %s" % [byte, _text("Message")])


func _bring_back() -> void:
	var before: Variant = _state(_path + ".bak")
	await _click_byte(100)
	# This is the state after a restart: the file as it was written is not in memory any more.
	_tab.keep_in(_folder)
	expect_same(_text("Headline"), "Damaged, so the backup was loaded", "a save that was broken before")
	click(_part("Restore"))
	await frames(1)
	expect_same(_text("Headline"), "Brought back", "the headline")
	expect(_text("Backup").contains("slot1.save.damaged"), _text("Backup"))
	expect_same([_state(_path), _state(_path + ".bak")], [before, before], "the file, brought back, and its backup")
	expect_same(_hero().gold, 250, "the gold, brought back")


func _refuse_a_nameless_hero() -> void:
	var before := _on_disk(_path)
	_part("Name").text = ""
	click(_part("Save"))
	await frames(1)
	expect_same([_text("Headline"), _text("Kind"), _text("Path")], ["Not saved", "WRONG_SIZE", "hero[0].name"],
			"a hero without name")
	expect_same(_on_disk(_path), before, "the file, not saved")


func _choose_slots() -> void:
	var slots := _part("Slots")
	click(slots.get_child(1))
	await frames(1)
	expect_same([_text("Headline"), slots.get_child(1).text], ["An empty slot", "Slot 2\nempty"], "an empty slot")
	expect(not slots.get_child(1).icon is Texture2D, "an empty slot has a picture")
	_part("Hp").value = 12
	click(_part("Save"))
	await frames(1)
	expect_same(slots.get_child(1).text, "Slot 2\nRobin, 12 hp", "the slot that was saved to")
	expect(slots.get_child(1).icon is Texture2D, "it has no picture")
	click(slots.get_child(0))
	await frames(1)
	expect_same([_text("Headline"), _hero().hp], ["Loaded", 55], "the first slot")


func _open_old_save() -> void:
	click(_part("OldSave"))
	await frames(1)
	expect(_text("Message").contains("data of version 1"), _text("Message"))
	expect_same(_hero(), {"name": "Ada", "hp": 64, "gold": 1200, "at": Vector2(212.5, 640), "inventory": [
		{"item": "sword", "count": 1}, {"item": "rope", "count": 2}, {"item": "potion", "count": 12}]}, "the old hero")
	# The strip describes the old bytes by the new ones, which works because they lie alike.
	expect_same(_tab.field_at(0x5c), "Vector2  pos  (212.5, 640.0)", "what the strip says of a byte of Godot 3")
	await _click_byte(0)
	expect_same(_text("FileName"), "godot3_hero.save", "the file shown after a press on the old one's bytes")
	click(_part("Save"))
	await frames(1)
	expect_same(_state(_path), _hero(), "the old hero, saved")


func _use_the_keyboard() -> void:
	_part("Hex").grab_focus()
	var was := _on_disk(_path)
	press_key(KEY_RIGHT)
	press_key(KEY_ENTER)
	await frames(1)
	expect_same(_on_disk(_path)[1], was[1] ^ 0xFF, "the byte under the cursor")
	click(_part("Undo"))
	await frames(1)
	expect_same(_on_disk(_path), was, "the file, mended")


## Returns the state in a file, as the engine alone reads it: objects are dictionaries.
func _state(path: String) -> Variant:
	var save := VariantSave.new()
	var state: Variant = ObjectReader.read(save.extract(_on_disk(path)))
	for object: Dictionary in [state] + state.inventory:
		object.erase("tag")
	return state


func _click_byte(byte: int) -> void:
	var hex := _part("Hex")
	var scroll: ScrollContainer = hex.get_parent()
	scroll.scroll_vertical = int(hex.rect_of(byte).position.y)
	await frames(2)
	click(hex, hex.rect_of(byte).get_center())
	await frames(1)


## Finds the first byte of a field with this path.
func _byte_of(path: String) -> int:
	for byte in _on_disk(_path).size():
		if _tab.field_at(byte).contains(path):
			return byte
	return -1


func _on_disk(path: String) -> PackedByteArray:
	return FileAccess.get_file_as_bytes(path)


func _hero() -> Dictionary:
	return _part("Form").hero()


func _part(name: String) -> Control:
	return _tab.get_node("%" + name)


func _text(name: String) -> String:
	return _part(name).text
