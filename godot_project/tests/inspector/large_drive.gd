extends "panel_drive.gd"
## Drives the panel with a large file: the work of each frame is counted, not timed. `--mebibytes=N` sets the
## size, else 16.

## The lines of the tree that one frame may make: a hundred for each of the few levels that are unfolded at
## once.
const MOST_LINES := 600
const PATH := "user://large_drive.bin"

var _made := 0
var _most_made := 0
var _most_drawn := 0


func _initialize() -> void:
	process_frame.connect(_count)
	super()


## Lists its own drives, without those of the small panel.
func get_drives() -> PackedStringArray:
	return ["drive_large_file", "drive_cancel", "drive_cancel_of_a_check", "drive_cancel_of_one_value"]


func drive_large_file() -> void:
	var count := _write_file()
	_show()
	panel.open_file(PATH)
	var busy := 0
	while panel.document != null and panel.document.is_busy():
		busy += 1
		await process_frame
	check(busy > 10, "%d frames while it was read, walked and checked" % busy)
	await frames()
	check_same(_item(["(root)", "cells"]).get_text(2), "%d elements" % count, "the large array")
	var last := panel.document.bytes.size() - 1
	for byte: int in [last, last / 2, 1000, last - 4096, last / 3]:
		panel.hex.set_cursor(byte)
		panel._show_byte(byte)
		await frames()
		var known: Dictionary = panel.tree.get_selected().get_metadata(0).node
		check(known.start <= byte and byte < known.end, "byte %d is not in %s" % [byte, known])
		check(panel.hex.lines_drawn > 5, "%d lines of bytes" % panel.hex.lines_drawn)
	check(_most_made > 0 and _most_made <= MOST_LINES, "%d lines of the tree in one frame" % _most_made)
	check(_most_drawn <= panel.hex._visible_lines(), "%d lines of bytes in one frame" % _most_drawn)
	DirAccess.remove_absolute(PATH)


func drive_cancel() -> void:
	_write_file()
	_show()
	panel.open_file(PATH)
	await until(func() -> bool: return panel.document.stage == 2, "the walk")
	panel.bar.cancel_button.pressed.emit()
	check(panel.document == null and panel.welcome.visible, "it is still there when it was cancelled")
	await until(func() -> bool: return panel._leaving.is_empty(), "the end of the thread")
	await _open(var_to_bytes(1))
	check_same(panel.document.bytes.size(), 8, "what is opened next")
	DirAccess.remove_absolute(PATH)


## Tests a stream whose last value alone is refused: a value that was not checked was not accepted.
func drive_cancel_of_a_check() -> void:
	_show()
	panel.open_bytes(_stream(50_000), "stream")
	await until(func() -> bool: return panel.document.is_open and panel.document.is_busy(), "the check")
	panel.bar.cancel_button.pressed.emit()
	await _settle()
	_see_cancelled("while it was opened")
	check_same(panel.document.sizes, {}, "what was not measured")
	check(panel.sizes.legend.shown().contains("Cancelled"), "the tab of sizes: " + panel.sizes.legend.shown())
	for what: String in ["behind a cancel", "behind a cancelled re-check"]:
		panel.rules.set_schema(VariantSchema.int(), "numbers")
		await frames(1)
		check(panel.bar.cancel_button.visible, "a check again cannot be cancelled")
		await _settle()
		check_same(panel.bar.verdict.text, "1 problem", what)
		check(panel.document.sizes.has("total"), "no sizes " + what)
		panel.rules.set_schema(VariantSchema.int(), "numbers")
		panel.bar.cancel_button.pressed.emit()
		await _settle()
		_see_cancelled(what)
	panel.rules.set_schema(VariantSchema.int(), "numbers")
	panel.bar.cancel_button.pressed.emit()
	panel.rules.set_schema(null, "")
	await _settle()
	check_same(panel.bar.verdict.text, "accepted", "rules that came behind the cancel")


func drive_cancel_of_one_value() -> void:
	var large := {}
	for i in 300_000:
		large[i] = i
	_show()
	panel.open_bytes(var_to_bytes(large), "dictionary")
	await until(func() -> bool: return panel.document.is_open and panel.document.is_busy(), "the check")
	panel.bar.cancel_button.pressed.emit()
	await _settle()
	panel.rules.set_schema(VariantSchema.int(0, 5), "number")
	await _settle()
	check_same(panel.bar.verdict.text, "1 problem", "the verdict behind a cancel")
	panel.rules.set_schema(null, "")
	# The check of the value has begun by then, and it is not cut short.
	OS.delay_msec(5)
	panel.rules.set_schema(VariantSchema.int(0, 5), "number")
	panel.bar.cancel_button.pressed.emit()
	await _settle()
	_see_cancelled("by rules whose check had not begun")
	panel.rules.set_schema(VariantSchema.int(0, 5), "number")
	await _settle()
	check_same(panel.bar.verdict.text, "1 problem", "the verdict when they are chosen again")
	check_same(panel.document.sizes.total, panel.document.bytes.size(), "the sizes behind a cancel")


func _see_cancelled(what: String) -> void:
	check_same(panel.bar.verdict.text, "not checked", "the verdict " + what)
	var line := panel.problems.get_root().get_first_child().get_text(1)
	check(line.begins_with("Cancelled"), "the list %s: %s" % [what, line])


## Makes ints with a length before each, and a String behind them.
func _stream(count: int) -> PackedByteArray:
	var frame := PackedByteArray([8, 0, 0, 0]) + var_to_bytes(7)
	var thousand := PackedByteArray()
	for i in 1000:
		thousand.append_array(frame)
	var stream := PackedByteArray()
	@warning_ignore("integer_division")
	for i in count / 1000:
		stream.append_array(thousand)
	return stream + PackedByteArray([12, 0, 0, 0]) + var_to_bytes("last")


func _count() -> void:
	if is_instance_valid(panel) and panel != null:
		_most_made = maxi(_most_made, panel.tree.made - _made)
		_made = panel.tree.made
		_most_drawn = maxi(_most_drawn, panel.hex.lines_drawn)


## Writes a dictionary with one array of many small dictionaries, and returns their number.
func _write_file() -> int:
	var cell := var_to_bytes({"id": 7, "kind": "grass"})
	var mebibytes := 16
	for word in OS.get_cmdline_user_args():
		if word.begins_with("--mebibytes="):
			mebibytes = word.to_int()
	@warning_ignore("integer_division")
	var count := (mebibytes << 20) / cell.size()
	var file := FileAccess.open(PATH, FileAccess.WRITE)
	var head := var_to_bytes({"cells": []})
	head.encode_u32(head.size() - 4, count)
	file.store_buffer(head)
	var thousand := PackedByteArray()
	for i in 1000:
		thousand.append_array(cell)
	@warning_ignore("integer_division")
	for i in count / 1000:
		file.store_buffer(thousand)
	file.store_buffer(thousand.slice(0, count % 1000 * cell.size()))
	return count
