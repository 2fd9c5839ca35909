@tool
extends SplitContainer
## Lays out the panel's views: tree and bytes with the line of the place below them, and the tabs. Below a certain height and
## from a certain width on the tabs stand beside the tree and not under it, and the bytes are one of them.

const HexView := preload("hex_view.gd")
const Looks := preload("looks.gd")
const OutlineTree := preload("outline_tree.gd")

const LOW := 480
const BROAD := 900

var tabs := TabContainer.new()
var place := Label.new()
## Tree and bytes, side by side.
var split := HSplitContainer.new()

var _tree: OutlineTree
var _hex: HexView
var _welcome: Control
var _is_split_chosen := false


## Takes the views, and what stands in their place while nothing is open.
func _init(tree: OutlineTree, hex: HexView, welcome: Control) -> void:
	_tree = tree
	_hex = hex
	_welcome = welcome
	size_flags_vertical = SIZE_EXPAND_FILL
	vertical = true
	split.size_flags_vertical = SIZE_EXPAND_FILL
	split.resized.connect(share_width)
	split.dragged.connect(func(_offset: int) -> void: _is_split_chosen = true)
	tree.size_flags_horizontal = SIZE_EXPAND_FILL
	hex.size_flags_horizontal = SIZE_FILL
	split.add_child(tree)
	split.add_child(hex)
	Looks.read_out(place)
	place.clip_text = true
	place.text_overrun_behavior = TextServer.OVERRUN_TRIM_ELLIPSIS
	place.modulate.a = 0.8
	var above := VBoxContainer.new()
	above.size_flags_vertical = SIZE_EXPAND_FILL
	above.size_flags_horizontal = SIZE_EXPAND_FILL
	above.size_flags_stretch_ratio = 2.0
	for view: Control in [welcome, split, place]:
		above.add_child(view)
	tabs.size_flags_vertical = SIZE_EXPAND_FILL
	tabs.size_flags_horizontal = SIZE_EXPAND_FILL
	tabs.custom_minimum_size = Vector2(260, 120) * Looks.scale()
	add_child(above)
	add_child(tabs)
	show_open(false)


func add_tab(title: String, view: Control) -> void:
	view.name = title
	tabs.add_child(view)


## Shows tree and bytes, or what stands in their place.
func show_open(is_open: bool) -> void:
	_welcome.visible = not is_open
	split.visible = is_open
	place.visible = is_open
	if not is_open and tabs.get_current_tab_control() == _hex:
		tabs.current_tab = 0


## Lays the views out anew where the panel has become low, as it is when it opens, or high.
func turn(panel: Vector2) -> void:
	var is_low := panel.y < LOW * Looks.scale() and panel.x >= BROAD * Looks.scale()
	if vertical != is_low:
		return
	vertical = not is_low
	split_offset = 0
	(get_child(0) as Control).size_flags_stretch_ratio = 1.0 if is_low else 2.0
	var current := tabs.current_tab
	_hex.reparent(tabs if is_low else split, false)
	if is_low:
		tabs.set_tab_title(tabs.get_tab_count() - 1, "Bytes")
	tabs.current_tab = tabs.get_tab_count() - 1 if is_low and split.visible else mini(current, tabs.get_tab_count() - 1)
	_hex.show()
	share_width()


## Makes lines of sixteen bytes where there is room for them beside the tree, unless the user has moved the
## border.
func share_width() -> void:
	if not _is_split_chosen and _hex.get_parent() == split:
		var room := split.size.x - _tree.get_combined_minimum_size().x - split.get_theme_constant(&"separation")
		# The offset is counted from the right side; with 0 the bytes have the width that they need at least.
		split.split_offset = -ceili(_hex.width_of(HexView.WIDE)) if room >= _hex.width_of(HexView.WIDE) else 0
