extends RefCounted
## Makes the demo's theme from a palette. It is code and not a file, so that light and dark cannot drift
## apart. The colours for controls that draw themselves are in it under the type `Demo`. It knows no scene.

const Icons := preload("icons.gd")

const TYPE := &"Demo"
const TEXT_SIZE := 14
const ROUND := 8

var _colors: Dictionary
var _theme := Theme.new()


static func make(palette: Dictionary) -> Theme:
	var maker: RefCounted = new()
	maker._colors = palette
	maker._fonts()
	maker._panels()
	maker._buttons()
	maker._tabs()
	maker._inputs()
	maker._sliders()
	maker._popups()
	return maker._theme


func _fonts() -> void:
	for name: String in _colors:
		_theme.set_color(name, TYPE, _colors[name])
	var bold := FontVariation.new()
	bold.base_font = ThemeDB.fallback_font
	bold.variation_embolden = 0.7
	_theme.set_font(&"bold", TYPE, bold)
	_theme.default_font_size = TEXT_SIZE
	_theme.set_color(&"font_color", &"Label", _colors.text)
	_label(&"Heading", _colors.text, 16, bold)
	_label(&"Title", _colors.text, 17, bold)
	_label(&"Muted", _colors.muted, 13)
	_label(&"Small", _colors.muted, 12)
	_label(&"Figure", _colors.text, 22, bold)
	_label(&"EngineKey", _colors.engine, 12)
	_label(&"NumberKey", _colors.info, 12)
	_label(&"VectorKey", _colors.odd, 12)
	_label(&"OursKey", _colors.accent, 12)
	_label(&"Chip", _colors.text, 13, bold)
	for name: String in ["accent", "bad", "warn", "info"]:
		_label(name.capitalize() + "Figure", _colors[name], 22, bold)
	_label(&"BigFigure", _colors.text, 40, bold)


func _label(variation: StringName, color: Color, size: int, font: Font = null) -> void:
	_theme.set_type_variation(variation, &"Label")
	_theme.set_color(&"font_color", variation, color)
	_theme.set_font_size(&"font_size", variation, size)
	if font != null:
		_theme.set_font(&"font", variation, font)


func _panels() -> void:
	_theme.set_stylebox(&"panel", &"Panel", _box(_colors.background, 0, 0))
	_theme.set_stylebox(&"panel", &"PanelContainer", _box(_colors.surface, ROUND, 14))
	var card := _box(_colors.surface, 12, 14)
	card.shadow_color = _colors.shadow
	card.shadow_size = 4
	card.shadow_offset = Vector2(0, 2)
	_variation(&"Card", &"PanelContainer", card)
	_variation(&"Inset", &"PanelContainer", _box(_colors.inset, ROUND, 8))
	var tile := card.duplicate()
	tile.set_content_margin_all(9)
	_variation(&"Tile", &"PanelContainer", tile)
	var chip := _box(_colors.surface, 6, 3)
	chip.content_margin_left = 8
	chip.content_margin_right = 8
	_variation(&"ChipTile", &"PanelContainer", chip)
	var header := _box(_colors.surface, 0, 10)
	header.content_margin_left = 16
	header.content_margin_right = 16
	header.border_width_bottom = 1
	header.border_color = _colors.outline
	_variation(&"Header", &"PanelContainer", header)
	for name: String in ["accent", "bad", "warn", "info"]:
		var verdict := _box(_colors[name + "_soft"], 12, 14)
		verdict.corner_radius_top_left = 2
		verdict.corner_radius_bottom_left = 2
		verdict.border_width_left = 5
		verdict.border_color = _colors[name]
		_variation(name.capitalize() + "Verdict", &"PanelContainer", verdict)
	for name: StringName in [&"HBoxContainer", &"VBoxContainer"]:
		_theme.set_constant(&"separation", name, 8)
	_theme.set_constant(&"h_separation", &"GridContainer", 8)
	_theme.set_constant(&"v_separation", &"GridContainer", 8)


func _variation(name: StringName, of: StringName, panel: StyleBox) -> void:
	_theme.set_type_variation(name, of)
	_theme.set_stylebox(&"panel", name, panel)


func _buttons() -> void:
	for type: StringName in [&"Button", &"OptionButton"]:
		_button(type, _colors.raised, _colors.text)
	_theme.set_type_variation(&"PrimaryButton", &"Button")
	_button(&"PrimaryButton", _colors.accent, _colors.on_accent)
	_theme.set_type_variation(&"QuietButton", &"Button")
	_button(&"QuietButton", Color(_colors.raised, 0.0), _colors.muted)
	_theme.set_stylebox(&"hover", &"QuietButton", _padded(_colors.raised))
	_theme.set_icon(&"arrow", &"OptionButton", Icons.down(_colors.muted))
	_theme.set_constant(&"arrow_margin", &"OptionButton", 8)
	var plain := StyleBoxEmpty.new()
	for state: StringName in [&"normal", &"hover", &"pressed", &"hover_pressed", &"disabled"]:
		_theme.set_stylebox(state, &"CheckBox", plain)
	_theme.set_stylebox(&"focus", &"CheckBox", _focus())
	_inks(&"CheckBox", _colors.text)
	_theme.set_icon(&"checked", &"CheckBox", Icons.checked(_colors.accent, _colors.on_accent))
	_theme.set_icon(&"unchecked", &"CheckBox", Icons.unchecked(_colors.faint))
	_theme.set_constant(&"h_separation", &"CheckBox", 8)


func _button(type: StringName, fill: Color, ink: Color) -> void:
	var light: Color = _colors.text
	_theme.set_stylebox(&"normal", type, _padded(fill))
	_theme.set_stylebox(&"hover", type, _padded(fill.lerp(light, 0.12)))
	_theme.set_stylebox(&"pressed", type, _padded(fill.lerp(light, 0.2)))
	_theme.set_stylebox(&"disabled", type, _padded(Color(fill, fill.a * 0.4)))
	_theme.set_stylebox(&"focus", type, _focus())
	_inks(type, ink)
	_theme.set_color(&"font_disabled_color", type, Color(ink, 0.45))


func _inks(type: StringName, ink: Color) -> void:
	for state: StringName in [&"font_color", &"font_hover_color", &"font_pressed_color", &"font_focus_color",
			&"font_hover_pressed_color"]:
		_theme.set_color(state, type, ink)


func _tabs() -> void:
	var plain := _padded(Color(_colors.raised, 0.0))
	var chosen := _padded(_colors.accent_soft)
	for box: StyleBoxFlat in [plain, chosen]:
		box.content_margin_left = 16
		box.content_margin_right = 16
	_theme.set_stylebox(&"tab_unselected", &"TabBar", plain)
	_theme.set_stylebox(&"tab_hovered", &"TabBar", _wide(_colors.raised))
	_theme.set_stylebox(&"tab_selected", &"TabBar", chosen)
	_theme.set_stylebox(&"tab_focus", &"TabBar", _focus())
	_theme.set_color(&"font_selected_color", &"TabBar", _colors.accent)
	_theme.set_color(&"font_unselected_color", &"TabBar", _colors.muted)
	_theme.set_color(&"font_hovered_color", &"TabBar", _colors.text)
	_theme.set_font_size(&"font_size", &"TabBar", 15)
	_theme.set_font(&"font", &"TabBar", _theme.get_font(&"bold", TYPE))


func _inputs() -> void:
	var field := _box(_colors.inset, 6, 0)
	field.set_border_width_all(1)
	field.border_color = _colors.outline
	field.content_margin_left = 9
	field.content_margin_right = 9
	field.content_margin_top = 5
	field.content_margin_bottom = 5
	_theme.set_stylebox(&"normal", &"LineEdit", field)
	_theme.set_stylebox(&"read_only", &"LineEdit", field)
	_theme.set_stylebox(&"focus", &"LineEdit", _focus())
	_theme.set_color(&"font_color", &"LineEdit", _colors.text)
	_theme.set_color(&"caret_color", &"LineEdit", _colors.accent)
	_theme.set_color(&"selection_color", &"LineEdit", _colors.info_soft)
	_theme.set_constant(&"minimum_character_width", &"LineEdit", 3)
	for icon: Array in [[&"up", Icons.up(_colors.muted)], [&"down", Icons.down(_colors.muted)]]:
		for state: String in ["", "_hover", "_pressed", "_disabled"]:
			_theme.set_icon(icon[0] + state, &"SpinBox", icon[1])
	_theme.set_icon(&"updown", &"SpinBox", Icons.up_down(_colors.muted))
	for state: String in ["", "_hover", "_pressed", "_disabled"]:
		_theme.set_color("up%s_icon_modulate" % state, &"SpinBox", Color.WHITE)
		_theme.set_color("down%s_icon_modulate" % state, &"SpinBox", Color.WHITE)


func _sliders() -> void:
	var rail := _box(_colors.outline, 3, 0)
	rail.content_margin_top = 3
	rail.content_margin_bottom = 3
	var filled := _box(_colors.accent, 3, 0)
	_theme.set_stylebox(&"slider", &"HSlider", rail)
	_theme.set_stylebox(&"grabber_area", &"HSlider", filled)
	_theme.set_stylebox(&"grabber_area_highlight", &"HSlider", filled)
	_theme.set_stylebox(&"focus", &"HSlider", _focus())
	_theme.set_icon(&"grabber", &"HSlider", Icons.grabber(_colors.accent, _colors.surface))
	_theme.set_icon(&"grabber_highlight", &"HSlider", Icons.grabber(_colors.accent, _colors.text))
	_theme.set_icon(&"grabber_disabled", &"HSlider", Icons.grabber(_colors.faint, _colors.surface))
	var narrow := StyleBoxEmpty.new()
	narrow.content_margin_left = 4
	narrow.content_margin_right = 4
	_theme.set_stylebox(&"scroll", &"VScrollBar", narrow)
	_theme.set_stylebox(&"grabber", &"VScrollBar", _box(_colors.outline, 4, 0))
	_theme.set_stylebox(&"grabber_highlight", &"VScrollBar", _box(_colors.faint, 4, 0))
	_theme.set_stylebox(&"grabber_pressed", &"VScrollBar", _box(_colors.faint, 4, 0))
	_theme.set_stylebox(&"focus", &"ScrollContainer", StyleBoxEmpty.new())


func _popups() -> void:
	var panel := _box(_colors.raised, ROUND, 8)
	panel.set_border_width_all(1)
	panel.border_color = _colors.outline
	_theme.set_stylebox(&"panel", &"PopupMenu", panel)
	_theme.set_stylebox(&"hover", &"PopupMenu", _box(_colors.info_soft, 4, 0))
	_theme.set_color(&"font_color", &"PopupMenu", _colors.text)
	_theme.set_color(&"font_hover_color", &"PopupMenu", _colors.text)
	_theme.set_icon(&"radio_checked", &"PopupMenu", Icons.dot(_colors.accent))
	_theme.set_icon(&"radio_unchecked", &"PopupMenu", Icons.dot(Color(_colors.faint, 0.3)))
	var sheet := _box(_colors.surface, 12, 18)
	sheet.set_border_width_all(1)
	sheet.border_color = _colors.outline
	_theme.set_stylebox(&"panel", &"PopupPanel", sheet)
	_theme.set_stylebox(&"panel", &"TooltipPanel", panel)
	_theme.set_color(&"font_color", &"TooltipLabel", _colors.text)


## Makes the mark of the keyboard focus: a ring that nothing else looks like.
func _focus() -> StyleBoxFlat:
	var ring := _box(Color.TRANSPARENT, ROUND, 0)
	ring.draw_center = false
	ring.set_border_width_all(2)
	ring.border_color = _colors.info
	ring.set_expand_margin_all(2)
	return ring


func _padded(fill: Color) -> StyleBoxFlat:
	var box := _box(fill, ROUND, 0)
	box.content_margin_left = 12
	box.content_margin_right = 12
	box.content_margin_top = 6
	box.content_margin_bottom = 6
	return box


func _wide(fill: Color) -> StyleBoxFlat:
	var box := _padded(fill)
	box.content_margin_left = 16
	box.content_margin_right = 16
	return box


func _box(fill: Color, corner: int, margin: int) -> StyleBoxFlat:
	var box := StyleBoxFlat.new()
	box.bg_color = fill
	box.set_corner_radius_all(corner)
	box.set_content_margin_all(margin)
	return box
