@tool
extends AcceptDialog
## Shows the differences of two captures, a line each: its path, its kind, and the values before and after.

const Looks := preload("looks.gd")
## A table of more lines is of no use, and would take long to make.
const MOST := 500

var _list := Tree.new()


func _init() -> void:
	ok_button_text = "Close"
	_list.columns = 4
	_list.column_titles_visible = true
	_list.hide_root = true
	_list.select_mode = Tree.SELECT_ROW
	for column in 4:
		_list.set_column_title(column, ["Path", "Change", "Before", "After"][column])
		_list.set_column_title_alignment(column, HORIZONTAL_ALIGNMENT_LEFT)
		_list.set_column_clip_content(column, true)
		_list.set_column_expand(column, column >= 2)
	_list.custom_minimum_size = Vector2(640, 320) * Looks.scale()
	Looks.call_it(_list, "Differences")
	add_child(_list)


func show_difference(before: PackedByteArray, after: PackedByteArray, name_of: String) -> void:
	title = Looks.short(name_of)
	_list.clear()
	_list.remove_meta(&"widths")
	for column: int in [0, 1]:
		Looks.widen(_list, column, _list.get_column_title(column))
	var root := _list.create_item()
	var differences := VariantStream.diff(before, after)
	var error := VariantStream.get_last_error()
	for difference in differences.slice(0, MOST):
		_add(root, [difference.path, difference.change, difference.before, difference.after])
	if not error.is_empty():
		_add(root, ["", "", error.message, ""])
	elif differences.is_empty():
		_add(root, ["", "", "no byte differs", ""])
	elif differences.size() > MOST:
		_add(root, ["", "", "and %d more" % (differences.size() - MOST), ""])
	if is_inside_tree():
		popup_centered()


func _add(root: TreeItem, texts: Array) -> void:
	var item := _list.create_item(root)
	for column in 4:
		item.set_text(column, texts[column])
		item.set_tooltip_text(column, texts[column])
		if column < 2:
			Looks.widen(_list, column, texts[column])
