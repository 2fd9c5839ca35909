@tool
extends Tree
## Lists the problems of the bytes, a line each: where, what, and at which byte. A click leads there.

signal problem_selected(problem: Dictionary)

const Looks := preload("looks.gd")


func _init() -> void:
	columns = 3
	hide_root = true
	select_mode = Tree.SELECT_ROW
	size_flags_vertical = SIZE_EXPAND_FILL
	column_titles_visible = true
	for column in 3:
		set_column_title(column, ["Path", "Problem", "Byte"][column])
		set_column_title_alignment(column, HORIZONTAL_ALIGNMENT_RIGHT if column == 2 else HORIZONTAL_ALIGNMENT_LEFT)
		set_column_clip_content(column, true)
		set_column_expand(column, column == 1)
	Looks.call_it(self, "Problems")
	item_selected.connect(func() -> void:
		if get_selected().get_metadata(0) != null:
			problem_selected.emit(get_selected().get_metadata(0)))


## Shows problems; `is_whole` says that there are no others, since everything was checked. `refusal` is the reason why the game
## refused the bytes.
func show_problems(problems: Array[Dictionary], is_whole: bool, refusal := "") -> void:
	clear()
	remove_meta(&"widths")
	for column: int in [0, 2]:
		Looks.widen(self, column, "Path" if column == 0 else "100 000")
	var root := create_item()
	for problem in problems:
		var item := create_item(root)
		item.set_metadata(0, problem)
		item.set_text(0, problem.path)
		Looks.widen(self, 0, problem.path, 48.0)
		item.set_icon(0, Looks.icon(self, &"StatusError"))
		item.set_text(1, what(problem))
		item.set_text(2, Looks.grouped(problem.byte))
		item.set_text_alignment(2, HORIZONTAL_ALIGNMENT_RIGHT)
		item.set_custom_color(2, Looks.dim(self))
		item.set_tooltip_text(0, problem.path)
		item.set_tooltip_text(1, problem.message)
	if not refusal.is_empty():
		_say(root, "In the game: " + refusal)
	if not is_whole:
		_say(root, "Cancelled: not all was checked. Any change of the rules checks again.")
	elif problems.is_empty():
		_say(root, "Nothing is wrong under these rules.")


## Adds a line that leads nowhere.
func _say(root: TreeItem, text: String) -> void:
	var item := create_item(root)
	item.set_text(1, text)
	item.set_custom_color(1, Looks.dim(self))
	for column in 3:
		item.set_selectable(column, false)


## Returns the message without the path before it and the byte behind, which have columns of their own.
static func what(problem: Dictionary) -> String:
	var text: String = problem.message
	var from := text.find(": ")
	if problem.has("code") and from >= 0:
		text = text.substr(from + 2)
	var byte := text.rfind(" (byte ")
	return text.substr(0, byte) if byte > 0 and text.ends_with(")") else text
