extends "driver.gd"
## Drives the tab "Save game": saves, breaks every byte of the file, restores the save, opens the one of Godot
## 3.
##   godot --headless --path godot_project -s res://tests/demo/save_driver.gd

const FOLDER := "user://demo_test_%d"

var _tab: Control
var _path := (FOLDER % OS.get_process_id()).path_join("hero.save")


func drive() -> void:
	await open()
	_tab = page("SaveTab")
	_tab.keep_at(_path)
	await frames(2)
	await _save_twice()
	await _break_one()
	_break_each()
	await _bring_back()
	await _refuse_a_nameless_hero()
	await _open_old_save()
	await _use_the_keyboard()
	for suffix: String in ["", ".bak"]:
		DirAccess.remove_absolute(_path + suffix)
	DirAccess.remove_absolute(_path.get_base_dir())


func _save_twice() -> void:
	_part("Hp").value = 55
	expect_same(_text("Save"), "Save changes", "the button of a changed hero")
	click(_part("Save"))
	await frames(1)
	expect_same(_text("Headline"), "Saved", "the headline")
	expect_same(_on_disk(_path), var_to_bytes(_hero()), "the file")
	_part("Gold").value = 300
	click(_part("Save"))
	await frames(1)
	var before: Dictionary = bytes_to_var(_on_disk(_path + ".bak"))
	expect_same([before.hp, before.gold, _hero().gold], [55, 250, 300], "the copy from before, and the hero")


func _break_one() -> void:
	var hero := _hero()
	var byte := _byte_of("inventory[2].count") + 4
	var was := _on_disk(_path)[byte]
	await _click_byte(byte)
	expect_same(_on_disk(_path)[byte], was ^ 0xFF, "the byte on the disk")
	expect_same([_text("Headline"), _text("Kind"), _text("Path"), _text("Byte")],
			["Refused", "OUT_OF_RANGE", "inventory[2].count", "byte %d" % (byte - 4)], "the refusal")
	expect_same(_text("Message"), "inventory[2].count: expected int 1..99, got int 250 (byte %d)" % (byte - 4),
			"its words")
	expect_same(_hero(), hero, "the hero of the form")
	expect(_text("Backup").contains("Nothing was lost. hero.save.bak loads: Robin, 55 hp, 250 gold"), _text("Backup"))
	expect(_part("Restore").is_visible_in_tree(), "nothing brings the copy back")
	await _click_byte(byte)
	expect_same([_text("Headline"), _on_disk(_path)[byte]], ["Loaded", was], "the mended file")


## Breaks each byte: the file is refused with kind, path and byte, or the tab says which value has changed.
func _break_each() -> void:
	var hex := _part("Hex")
	var hero := _hero()
	var refused := 0
	for byte in _on_disk(_path).size():
		hex.byte_pressed.emit(byte)
		if _text("Headline") == "Refused":
			refused += 1
			expect(_text("Kind") != "?" and not _text("Path").is_empty() and _part("Restore").visible,
					"byte %d: %s %s" % [byte, _text("Kind"), _text("Path")])
			expect(_hero() == hero, "byte %d: refused, and the hero of the form is another" % byte)
		else:
			expect(_text("Headline") == "Loaded, but not what was saved" and _text("Message").contains(" was "),
					"byte %d: %s" % [byte, _text("Message")])
		hex.byte_pressed.emit(byte)
		expect(_text("Headline") == "Loaded", "byte %d: mended, and %s" % [byte, _text("Message")])
	expect(refused > 200, "only %d bytes are refused" % refused)


func _bring_back() -> void:
	var before := _on_disk(_path + ".bak")
	await _click_byte(0)
	click(_part("Save"))
	await frames(1)
	expect_same(_on_disk(_path + ".bak"), before, "the copy, when a broken save was saved over")
	await _click_byte(0)
	expect_same(_text("Kind"), "UNKNOWN_TYPE", "the kind of a broken first byte")
	# This is the state after a restart: the saved values are not in memory any more.
	_tab.keep_at(_path)
	expect_same([_text("Headline"), _text("Kind")], ["Refused", "UNKNOWN_TYPE"], "a save that was broken before")
	click(_part("Restore"))
	await frames(1)
	expect_same(_text("Headline"), "Brought back", "the headline")
	expect_same(_on_disk(_path), before, "the file, brought back")
	expect_same(_hero().gold, 250, "the gold, brought back")
	expect_same(_on_disk(_path + ".bak"), before, "the copy, brought back")


func _refuse_a_nameless_hero() -> void:
	var before := _on_disk(_path)
	_part("Name").text = ""
	click(_part("Save"))
	await frames(1)
	expect_same([_text("Headline"), _text("Kind"), _text("Path")], ["Not saved", "WRONG_SIZE", "name"],
			"a hero without name")
	expect_same(_on_disk(_path), before, "the file, not saved")


func _open_old_save() -> void:
	click(_part("OldSave"))
	await frames(1)
	expect(_text("Message").contains("GODOT_4 they are refused: (root): expected the end of the bytes"), _text("Message"))
	expect_same(_hero(), {"version": 2, "name": "Ada", "hp": 64, "gold": 1200, "at": Vector2(212.5, 640), "inventory": [
		{"item": "sword", "count": 1}, {"item": "rope", "count": 2}, {"item": "potion", "count": 12}]}, "the old hero")
	# The strip describes the old bytes by the new ones, which works because they lie alike.
	expect_same(_tab.field_at(0x5c), "Vector2  pos  (212.5, 640.0)", "what the strip says of a byte of Godot 3")
	await _click_byte(0)
	expect_same(_text("FileName"), "godot3_hero.save", "the file shown after a press on the old one's bytes")
	click(_part("Save"))
	await frames(1)
	expect_same(bytes_to_var(_on_disk(_path)), _hero(), "the old hero, saved")


func _use_the_keyboard() -> void:
	_part("Hex").grab_focus()
	var was := _on_disk(_path)
	press_key(KEY_RIGHT)
	press_key(KEY_ENTER)
	await frames(1)
	expect_same(_on_disk(_path)[1], was[1] ^ 0xFF, "the byte under the cursor")
	expect(_text("Pointed").begins_with("byte 1:") or _text("Headline") == "Refused", "the keyboard does nothing")
	click(_part("Undo"))
	await frames(1)
	expect_same(_on_disk(_path), was, "the file, mended")


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
