extends Control
## Implements the demo's window: header, tabs, theme and scale. It names no class of the library, so that it
## opens and says what to do where the library is missing; the pages, which do name them, are loaded only when
## it is there.

const DemoTheme := preload("theme/demo_theme.gd")
const Palette := preload("theme/palette.gd")

const PAGES: PackedStringArray = [
	"res://demo/save_game/save_tab.tscn",
	"res://demo/network/network_tab.tscn",
	"res://demo/speed/speed_tab.tscn",
]
const MISSING := "res://demo/missing/missing.tscn"
const SCALES: PackedFloat32Array = [1.0, 1.5, 2.0]
const LEAST := Vector2i(1024, 600)

## The class whose presence shows that the library is there.
@export var needed_class := &"VariantStream"

var _is_dark := true


func _ready() -> void:
	_is_dark = not DisplayServer.is_dark_mode_supported() or DisplayServer.is_dark_mode()
	show_in(_is_dark)
	set_scale_factor(_screen_scale())
	%Brightness.pressed.connect(func() -> void: show_in(not _is_dark))
	%Scale.pressed.connect(_on_scale_pressed)
	%Examples.pressed.connect(func() -> void: %ExamplesSheet.popup_centered())
	%Tabs.tab_changed.connect(open_page)
	var has_library := ClassDB.class_exists(needed_class)
	%Tabs.visible = has_library
	for path in PAGES if has_library else PackedStringArray([MISSING]):
		var page: Control = load(path).instantiate()
		page.visible = false
		%Pages.add_child(page)
	open_page(0)


## Gives the focus to the tabs at the first press of Tab, when no control had it.
func _unhandled_key_input(event: InputEvent) -> void:
	var is_nowhere := get_viewport().gui_get_focus_owner() == null
	if event.is_action_pressed(&"ui_focus_next") and is_nowhere and %Tabs.visible:
		%Tabs.grab_focus()
		get_viewport().set_input_as_handled()


## Brings a page to the front; hidden pages do no work.
func open_page(index: int) -> void:
	%Tabs.current_tab = mini(index, %Tabs.tab_count - 1)
	for page: Control in %Pages.get_children():
		page.visible = page.get_index() == index


func show_in(is_dark: bool) -> void:
	_is_dark = is_dark
	theme = DemoTheme.make(Palette.DARK if is_dark else Palette.LIGHT)
	%ExamplesSheet.theme = theme
	%Brightness.text = "Light" if is_dark else "Dark"


func set_scale_factor(factor: float) -> void:
	var window := get_window()
	window.content_scale_factor = factor
	window.min_size = Vector2i(Vector2(LEAST) * factor)
	%Scale.text = "%d %%" % roundi(factor * 100)


func _on_scale_pressed() -> void:
	var next := SCALES.find(get_window().content_scale_factor) + 1
	var room := DisplayServer.screen_get_usable_rect().size
	# A screen without a size is a headless one.
	var fits: bool = next < SCALES.size() and (room == Vector2i.ZERO or (
			room.x >= LEAST.x * SCALES[next] and room.y >= LEAST.y * SCALES[next]))
	set_scale_factor(SCALES[next] if fits else 1.0)


## Returns the scale that the screen asks for, as far as the window has room for it.
func _screen_scale() -> float:
	var wanted := clampf(DisplayServer.screen_get_scale(), 1.0, 2.0)
	return 2.0 if wanted >= 1.75 and get_window().size.x >= LEAST.x * 2 else 1.0
