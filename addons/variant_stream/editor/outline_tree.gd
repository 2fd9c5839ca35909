@tool
extends Tree
## Shows the tree of an outline: type, value and size of each node. Children are made when their container is
## unfolded, a hundred lines at most at a time; larger containers unfold into ranges first.

## Reports that the user chose a node of the outline.
signal node_selected(node: Dictionary)

const Looks := preload("looks.gd")

## The most lines that are made at once.
const FAN := 100
const NAME := 0
const TYPE := 1
const VALUE := 2
const SIZE := 3
## The least widths of the columns, and what a scroll bar and the borders take.
const LEAST_NAME := 100
const LEAST_VALUE := 76
const LEAST_SIZE := 56
const LEAST_TYPE := 80
const MARGIN := 24
## The width that an icon takes, and the part of the tree that names take at most.
const ICON := 24
const MOST_NAME := 0.4

## The lines made since the outline was set, for tests.
var made := 0

var _outline: VariantOutline
var _is_revealing := false
## As wide as the longest name of a type that is shown.
var _type_width := 0
## As wide as the longest name of a value, with the lines of its depth, up to a part of the tree.
var _name_width := 0


func _init() -> void:
	columns = 4
	column_titles_visible = true
	hide_root = true
	select_mode = Tree.SELECT_ROW
	size_flags_vertical = SIZE_EXPAND_FILL
	size_flags_horizontal = SIZE_EXPAND_FILL
	for column in 4:
		set_column_title(column, ["Name", "Type", "Value", "Bytes"][column])
		set_column_title_alignment(column, HORIZONTAL_ALIGNMENT_RIGHT if column == SIZE else HORIZONTAL_ALIGNMENT_LEFT)
		set_column_clip_content(column, true)
		set_column_expand(column, column == VALUE)
	Looks.call_it(self, "Values")
	item_collapsed.connect(_unfold)
	item_selected.connect(_tell)


## Shows another outline, or nothing.
func set_outline(outline: VariantOutline) -> void:
	clear()
	_outline = outline
	made = 0
	if outline == null:
		return
	custom_minimum_size.x = 260 * Looks.scale()
	set_column_custom_minimum_width(SIZE, int(LEAST_SIZE * Looks.scale()))
	_type_width = int(LEAST_TYPE * Looks.scale())
	set_column_custom_minimum_width(TYPE, _type_width)
	# Names stand behind the lines of their depth.
	_name_width = int(LEAST_NAME * Looks.scale())
	set_column_custom_minimum_width(NAME, _name_width)
	set_column_custom_minimum_width(VALUE, int(LEAST_VALUE * Looks.scale()))
	var root := create_item()
	_fill(root, -1, 0, outline.get_count())
	if outline.get_count() == 1 and root.get_first_child() != null:
		root.get_first_child().collapsed = false
		_unfold(root.get_first_child())


## Unfolds the path to a node, which `locate()` of the outline found, and selects it.
func reveal(way: Array[Dictionary]) -> void:
	var item := get_root()
	for node in way:
		item = _child(item, node.index)
		if item == null:
			return
	_is_revealing = true
	item.select(NAME)
	scroll_to_item(item)
	_is_revealing = false


## Returns the item of child number `index`, through any number of ranges.
func _child(parent: TreeItem, index: int) -> TreeItem:
	var item := parent
	while item != null:
		_unfold(item)
		if item != get_root():
			item.collapsed = false
		var found: TreeItem = null
		for child in item.get_children():
			var known: Dictionary = child.get_metadata(NAME)
			if index >= known.first and index < known.first + known.count:
				found = child
				break
		if found == null or found.get_metadata(NAME).has("node"):
			return found
		item = found
	return null


## Makes the children of an item that was unfolded for the first time.
func _unfold(item: TreeItem) -> void:
	var known: Variant = item.get_metadata(NAME)
	if known == null or item.collapsed or known.get("is_made", true):
		return
	known.is_made = true
	item.set_metadata(NAME, known)
	for child in item.get_children():
		child.free()
	if known.has("node"):
		_fill(item, known.node.at, 0, known.node.children)
	else:
		_fill(item, known.container, known.first, known.count)


## Adds lines for `count` children of a container from `first` on: themselves, or ranges of them.
func _fill(parent: TreeItem, container: int, first: int, count: int) -> void:
	if count <= FAN:
		var nodes := _outline.get_children(container, first, count)
		_widen_names(parent, nodes)
		for node: Dictionary in nodes:
			_add_node(parent, node)
		return
	var step := FAN
	while step * FAN < count:
		step *= FAN
	for start in range(first, first + count, step):
		_add_range(parent, container, start, mini(step, first + count - start))


func _add_range(parent: TreeItem, container: int, first: int, count: int) -> void:
	var item := _add(parent, {"container": container, "first": first, "count": count, "is_made": false})
	item.set_text(NAME, "%s … %s" % [Looks.grouped(first), Looks.grouped(first + count - 1)])
	item.set_custom_color(NAME, Looks.dim(self))
	item.set_icon(NAME, Looks.icon(self, &"FolderMediumThumb"))


func _add_node(parent: TreeItem, node: Dictionary) -> void:
	var item := _add(parent, {"node": node, "first": node.index, "count": 1, "is_made": node.children == 0})
	item.set_text(NAME, "(root)" if parent == get_root() and _outline.get_count() == 1 else node.name)
	item.set_text(TYPE, node.type_name if node.type >= 0 else "no value")
	if not _widen(item.get_text(TYPE)) and node.type_name.begins_with("Packed"):
		# Its icon shows that it is packed; the whole name is in the tooltip.
		item.set_text(TYPE, node.type_name.trim_prefix("Packed").trim_suffix("Array") + "[]")
	item.set_text(VALUE, node.value)
	item.set_text(SIZE, Looks.grouped(node.end - node.start))
	item.set_text_alignment(SIZE, HORIZONTAL_ALIGNMENT_RIGHT)
	item.set_custom_color(TYPE, Looks.dim(self))
	item.set_custom_color(SIZE, Looks.dim(self))
	item.set_custom_font(VALUE, Looks.mono(self))
	item.set_icon(NAME, Looks.type_icon(self, node.type))
	item.set_icon_max_width(NAME, int(16 * Looks.scale()))
	if node.type < 0:
		item.set_custom_color(VALUE, Looks.error(self))
	for column in 3:
		item.set_tooltip_text(column, "%s: %s %s" % [node.name, node.type_name, node.value])


## Makes room for the names of values, of which types and values get what is left.
func _widen_names(parent: TreeItem, nodes: Array) -> void:
	var before := ICON * Looks.scale()
	var item := parent
	while item != null:
		before += get_theme_constant(&"item_margin")
		item = item.get_parent()
	var most := int(size.x * MOST_NAME)
	for node: Dictionary in nodes:
		_name_width = clampi(Looks.width_of(self, node.name) + int(before), _name_width, maxi(most, _name_width))
	set_column_custom_minimum_width(NAME, _name_width)


## Makes room for the name of a type, as long as names, values and sizes keep their own without a scroll bar.
## Tells whether there is room now.
func _widen(type: String) -> bool:
	var wanted := get_theme_font(&"font").get_string_size(type, HORIZONTAL_ALIGNMENT_LEFT, -1,
			get_theme_font_size(&"font_size")).x + 16 * Looks.scale()
	var others := _name_width + (LEAST_VALUE + LEAST_SIZE + MARGIN) * Looks.scale()
	if wanted > _type_width and wanted < size.x - others:
		_type_width = ceili(wanted)
		set_column_custom_minimum_width(TYPE, _type_width)
	return wanted <= _type_width


func _add(parent: TreeItem, known: Dictionary) -> TreeItem:
	var item := create_item(parent)
	made += 1
	item.set_metadata(NAME, known)
	if not known.is_made:
		# This child makes the item unfoldable; it goes when that happens.
		item.create_child()
		item.collapsed = true
	return item


func _tell() -> void:
	var item := get_selected()
	var known: Variant = item.get_metadata(NAME) if item != null else null
	if known != null and known.has("node") and not _is_revealing:
		node_selected.emit(known.node)
