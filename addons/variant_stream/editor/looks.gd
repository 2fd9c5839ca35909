@tool
extends RefCounted
## Returns colours, fonts and icons of the editor's theme, with fallbacks where a view runs outside of the
## editor. It draws nothing itself.

const ICONS := &"EditorIcons"
const EDITOR := &"Editor"
## The size at which the fallback font is measured and drawn.
const FALLBACK_SIZE := 14
## The least contrast of text and its ground, as WCAG demands it.
const LEAST_CONTRAST := 4.5
## The most times that a colour is made a tenth darker to reach it: an opaque one is nearly black then.
const MOST_DARKENED := 20
## Matches a character of format, a control, a filler, or an end of a line.
const MARKS := ("[\\x{0}-\\x{1f}\\x{7f}-\\x{9f}\\x{ad}\\x{61c}\\x{115f}-\\x{1160}\\x{180e}\\x{200b}-\\x{200f}\\x{2028}-\\x{202e}"
		+ "\\x{2060}-\\x{206f}\\x{3164}\\x{feff}\\x{ffa0}\\x{fff9}-\\x{fffb}\\x{1bca0}-\\x{1bca3}\\x{1d173}-\\x{1d17a}"
		+ "\\x{e0000}-\\x{e007f}]")
## The most letters of a name in the panel's upper lines.
const MOST_LETTERS := 40


## Returns the editor's scale; 1 outside of it.
static func scale() -> float:
	if Engine.is_editor_hint() and Engine.has_singleton(&"EditorInterface"):
		return Engine.get_singleton(&"EditorInterface").call(&"get_editor_scale")
	return 1.0


## Returns the control that has the theme: the given one, or the editor's window while it is not in there yet.
static func themed(control: Control) -> Control:
	if not control.is_inside_tree() and Engine.is_editor_hint() and Engine.has_singleton(&"EditorInterface"):
		return Engine.get_singleton(&"EditorInterface").call(&"get_base_control")
	return control


## Returns an icon of the editor, or null.
static func icon(asking: Control, name: StringName) -> Texture2D:
	var control := themed(asking)
	return control.get_theme_icon(name, ICONS) if control.has_theme_icon(name, ICONS) else null


## Returns the icon of a Variant type, or null.
static func type_icon(control: Control, type: int) -> Texture2D:
	if type < 0:
		return icon(control, &"StatusError")
	return icon(control, &"Variant" if type == TYPE_NIL else StringName(type_string(type)))


## Returns the font of the script editor.
static func mono(asking: Control) -> Font:
	var control := themed(asking)
	if control.has_theme_font(&"source", &"EditorFonts"):
		return control.get_theme_font(&"source", &"EditorFonts")
	return _plain_mono()


static func mono_size(asking: Control) -> int:
	var control := themed(asking)
	if control.has_theme_font_size(&"source_size", &"EditorFonts"):
		return maxi(control.get_theme_font_size(&"source_size", &"EditorFonts") - 1, 8)
	return FALLBACK_SIZE


static func _plain_mono() -> Font:
	var font := SystemFont.new()
	font.font_names = PackedStringArray(["JetBrains Mono", "DejaVu Sans Mono", "Consolas", "Menlo", "monospace"])
	return font


static func text(asking: Control) -> Color:
	var control := themed(asking)
	return control.get_theme_color(&"font_color", &"Label")


## Returns the colour of dim text, which is less dim in a light theme, because grey on white is hard to read.
static func dim(control: Control) -> Color:
	var color := text(control)
	color.a *= 0.7 if is_light(control) else 0.5
	return color


static func accent(control: Control) -> Color:
	return _readable(control, _editor_color(control, &"accent_color", Color(0.34, 0.62, 1.0)))


static func error(control: Control) -> Color:
	return _readable(control, _editor_color(control, &"error_color", Color(1.0, 0.47, 0.42)))


static func success(control: Control) -> Color:
	return _readable(control, _editor_color(control, &"success_color", Color(0.45, 0.95, 0.5)))


static func warning(control: Control) -> Color:
	return _readable(control, _editor_color(control, &"warning_color", Color(1.0, 0.87, 0.4)))


## Tells whether the editor's theme has dark text on a light ground.
static func is_light(control: Control) -> bool:
	return text(control).get_luminance() < 0.5


## Makes a colour darker where the editor's theme is light, in which many of its colours are too pale for
## text.
static func _readable(control: Control, color: Color) -> Color:
	var darker := color
	for turn in MOST_DARKENED if is_light(control) else 0:
		if contrast_on_white(darker) >= LEAST_CONTRAST:
			break
		darker = darker.darkened(0.1)
	return darker


## Returns the contrast from 1 to 21, as WCAG counts it.
static func contrast_on_white(color: Color) -> float:
	return 1.05 / (Color.WHITE.blend(color).srgb_to_linear().get_luminance() + 0.05)


## Makes a colour so transparent that text on it stays readable.
static func faint(color: Color, alpha: float) -> Color:
	return Color(color.r, color.g, color.b, alpha)


static func _editor_color(asking: Control, name: StringName, fallback: Color) -> Color:
	var control := themed(asking)
	return control.get_theme_color(name, EDITOR) if control.has_theme_color(name, EDITOR) else fallback


## Switches off translation and mirroring in an editor of any language: names in the bytes that are words of
## the editor as well would be translated, and bytes and numbers are read from the left.
static func keep_words(control: Control) -> void:
	control.auto_translate_mode = Node.AUTO_TRANSLATE_MODE_DISABLED
	control.layout_direction = Control.LAYOUT_DIRECTION_LTR


## Shows a file dialog, as large as is useful and no larger than the editor. `popup_file_dialog()` came with
## Godot 4.6.
static func pop_up(dialog: FileDialog) -> void:
	dialog.popup_centered_clamped(Vector2i(Vector2(900, 600) * scale()))


## Sets the name by which a screen reader calls a control without text. Godot has that from 4.5 on.
static func call_it(control: Control, name: String) -> void:
	if &"accessibility_name" in control:
		control.set(&"accessibility_name", name)


## Makes a screen reader read the text out when it changes, after what it is saying.
static func read_out(label: Label) -> void:
	if &"accessibility_live" in label:
		label.set(&"accessibility_live", 1)


## Escapes the characters of a name from outside that end a line, reorder or hide the text around them: `\u202e`. The list is
## that of `variant_core::EscapedText`, by which all messages of the library go.
static func shown(name: String) -> String:
	var marks := RegEx.create_from_string(MARKS)
	var text_of := ""
	var from := 0
	for mark in marks.search_all(name):
		text_of += name.substr(from, mark.get_start() - from)
		for unit in _units(mark.get_string()):
			text_of += "\\u%04x" % unit
		from = mark.get_end()
	return text_of + name.substr(from)


static func _units(character: String) -> PackedInt32Array:
	var bytes := character.to_utf16_buffer()
	var units := PackedInt32Array()
	for at in range(0, bytes.size(), 2):
		units.append(bytes.decode_u16(at))
	return units


## Shortens a name, which may be any text, to a line that a narrow panel has room for.
static func short(name: String) -> String:
	var line := shown(name.replace("\n", " "))
	return line if line.length() <= MOST_LETTERS else line.left(MOST_LETTERS / 2) + "…" + line.right(MOST_LETTERS / 2 - 1)


## Formats a number as `1 234 567`.
static func grouped(number: int) -> String:
	var digits := str(number)
	var text_of := ""
	for i in digits.length():
		var left := digits.length() - i
		text_of += (" " if i > 0 and left % 3 == 0 else "") + digits[i]
	return text_of


## Formats a size as `1.2 MiB`.
static func size_of(bytes: int) -> String:
	if bytes < 1024:
		return "%d B" % bytes
	if bytes < 1 << 20:
		return "%.1f KiB" % (bytes / 1024.0)
	return "%.1f MiB" % (bytes / 1048576.0)


## Returns how wide a text of a list or a chart is, with what stands around it in a column.
static func width_of(control: Control, text_of: String, beside := 16.0) -> int:
	var font := control.get_theme_font(&"font", &"Label")
	var pixels := control.get_theme_font_size(&"font_size", &"Label")
	return ceili(font.get_string_size(text_of, HORIZONTAL_ALIGNMENT_LEFT, -1, pixels).x + beside * scale())


## Makes a column as wide as a text in it, up to so many pixels at a scale of 1. It never gets narrower.
static func widen(tree: Tree, column: int, text_of: String, beside := 16.0, most := 240.0) -> void:
	var widths: Dictionary = tree.get_meta(&"widths", {})
	var wanted := mini(width_of(tree, text_of, beside), int(most * scale()))
	if wanted > widths.get(column, 0):
		widths[column] = wanted
		tree.set_meta(&"widths", widths)
		tree.set_column_custom_minimum_width(column, wanted)
