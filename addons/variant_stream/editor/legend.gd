@tool
extends HFlowContainer
## Names the colours of a chart, a square and a text for each, and says in what the chart counts.

const Looks := preload("looks.gd")
const SIDE := 10

## The names of colours in looks.gd, in the order of the squares.
var _colors: Array[StringName] = []
var _squares: Array[ColorRect] = []
var _texts: Array[Label] = []


## Takes the names of functions of looks.gd that return a colour; without one, a text has no square.
func _init(colors: Array[StringName]) -> void:
	_colors = colors
	size_flags_horizontal = SIZE_EXPAND_FILL
	add_theme_constant_override(&"h_separation", int(14 * Looks.scale()))
	add_theme_constant_override(&"v_separation", 0)
	for color in colors:
		var pair := HBoxContainer.new()
		var square := ColorRect.new()
		square.custom_minimum_size = Vector2(SIDE, SIDE) * Looks.scale()
		square.size_flags_vertical = SIZE_SHRINK_CENTER
		square.visible = not color.is_empty()
		var label := Label.new()
		label.modulate.a = 0.8
		pair.add_child(square)
		pair.add_child(label)
		add_child(pair)
		_squares.append(square)
		_texts.append(label)


func _notification(what: int) -> void:
	if what == NOTIFICATION_THEME_CHANGED or what == NOTIFICATION_READY:
		for at in _colors.size():
			if not _colors[at].is_empty():
				_squares[at].color = Callable(Looks, _colors[at]).call(self)


## Sets the texts; an entry without one is not shown.
func show_texts(texts: PackedStringArray) -> void:
	for at in _texts.size():
		_texts[at].text = texts[at]
		(_texts[at].get_parent() as Control).visible = not texts[at].is_empty()


## Returns the texts that are shown, for tests.
func shown() -> String:
	return ", ".join(_texts.map(func(label: Label) -> String: return label.text).filter(func(text: String) -> bool: return not text.is_empty()))
