extends "driver.gd"
## Drives the window around the tabs: both themes and every size show all text, and the keyboard reaches each
## control. The other examples are where the sheet says, and without the library a page tells what to do.
##   godot --headless --path godot_project -s res://tests/demo/window_driver.gd

## The labels whose text may be longer than their place: refusals, which are in the tooltip as well.
const LONG_TEXTS: PackedStringArray = ["Last", "Pointed"]


func drive() -> void:
	expect_same(ProjectSettings.get_setting("application/run/main_scene"), MAIN, "what the editor's play button runs")
	await open()
	await _show_all_text()
	await _tell_light_from_dark()
	await _reach_by_keyboard()
	await _list_examples()
	main.free()
	await _miss_the_library()


func _show_all_text() -> void:
	for index in 3:
		main.open_page(index)
		await frames(30 if index > 0 else 3)
		var least := main.get_combined_minimum_size()
		expect(least.x <= 1024.0 and least.y <= 600.0, "tab %d needs %s" % [index, least])
		for label: Label in main.find_children("*", "Label", true, false):
			if label.is_visible_in_tree() and not LONG_TEXTS.has(label.name):
				expect(not _is_cut(label), "%s is cut: %s" % [label.get_path(), label.text])


func _is_cut(label: Label) -> bool:
	var width := label.get_theme_font(&"font").get_string_size(
			label.text, HORIZONTAL_ALIGNMENT_LEFT, -1, label.get_theme_font_size(&"font_size")).x
	# Wrapped texts are as high as their lines.
	return label.autowrap_mode == TextServer.AUTOWRAP_OFF and width > label.size.x + 1.0


func _tell_light_from_dark() -> void:
	var brightness: Button = main.get_node("%Brightness")
	var seen := []
	for i in 2:
		click(brightness)
		await frames(1)
		var text: Color = main.theme.get_color(&"text", &"Demo")
		var ground: Color = main.theme.get_color(&"surface", &"Demo")
		seen.append(text.get_luminance() > ground.get_luminance())
		for name: StringName in [&"text", &"muted", &"accent", &"bad", &"warn", &"info", &"odd", &"engine"]:
			var contrast := _contrast(main.theme.get_color(name, &"Demo"), ground)
			expect(contrast >= 4.5, "%s on a card has a contrast of %.1f" % [name, contrast])
	seen.sort()
	expect_same(seen, [false, true], "light text, one time each")
	click(main.get_node("%Scale"))
	expect_same([root.content_scale_factor, main.get_node("%Scale").text], [1.5, "150 %"], "the scale")
	main.set_scale_factor(1.0)


func _reach_by_keyboard() -> void:
	main.open_page(0)
	root.gui_release_focus()
	press_key(KEY_TAB)
	expect_same(root.gui_get_focus_owner(), main.get_node("%Tabs"), "what the first Tab gives the keyboard to")
	var reached := {}
	for i in 60:
		press_key(KEY_TAB)
		reached[root.gui_get_focus_owner()] = true
	for control: String in ["Save", "Load", "Hex", "At", "Hp", "OldSave"]:
		expect(reached.has(page("SaveTab").get_node("%" + control)), "the keyboard never gets to " + control)


func _list_examples() -> void:
	click(main.get_node("%Examples"))
	await frames(2)
	var sheet: PopupPanel = main.get_node("%ExamplesSheet")
	expect(sheet.visible, "the sheet of examples does not open")
	for example: Array in sheet.EXAMPLES:
		expect(example[3].contains(example[1]) and ResourceLoader.exists(example[3].get_slice(" ", 4)), "no " + example[3])
	sheet.hide()


func _miss_the_library() -> void:
	await open({"needed_class": &"NoSuchClass"})
	var missing := page("Missing")
	expect(missing.visible and not main.get_node("%Tabs").visible, "no page tells what to do")
	var wanted: String = missing.get_node("%Wanted").text
	expect(wanted.begins_with("res://addons/variant_stream/bin/"), wanted)
	expect(missing.get_node("%Command").text == "cargo xtask build", missing.get_node("%Command").text)


## Computes the contrast by the formula of the Web Content Accessibility Guidelines.
static func _contrast(one: Color, other: Color) -> float:
	var lights := [_light(one), _light(other)]
	lights.sort()
	return (lights[1] + 0.05) / (lights[0] + 0.05)


static func _light(color: Color) -> float:
	var linear := color.srgb_to_linear()
	return 0.2126 * linear.r + 0.7152 * linear.g + 0.0722 * linear.b
