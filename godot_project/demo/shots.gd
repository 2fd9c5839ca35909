extends SceneTree
## Makes a picture of each tab in a good state, dark and light: demo_save_dark.png, demo_network_light.png and
## so on, and one of the scene with bodies that move.
##   godot --path godot_project -s res://demo/shots.gd -- FOLDER [dark|light]
## The options are --size=1280x720, --scale=1, and --seconds=12 for the charts to fill. The exit code is 0 if
## all pictures are written, 1 if not. It needs a window, because a headless engine draws nothing.

const MAIN := "res://demo/main.tscn"
const MOTION := "res://demo/motion/motion.tscn"
const SAVES := "user://demo_shots"
## The path in the dump of the byte to break: the low byte of the third item's count.
const BROKEN := "item[2].count"

var _folder := ""
var _brightnesses: PackedStringArray = ["dark", "light"]
var _options := {"size": "1280x720", "scale": "1", "seconds": "12"}
var _main: Control
var _failed := false


func _initialize() -> void:
	for argument in OS.get_cmdline_user_args():
		if not argument.begins_with("--"):
			_take_word(argument)
			continue
		_options[argument.get_slice("=", 0).trim_prefix("--")] = argument.get_slice("=", 1)
	if _folder.is_empty() or DisplayServer.get_name() == "headless":
		printerr("shots: needs a folder and a window")
		quit(1)
		return
	_go()


func _take_word(word: String) -> void:
	if word in ["dark", "light"]:
		_brightnesses = [word]
	else:
		_folder = word


func _go() -> void:
	await process_frame
	_forget_save()
	_main = load(MAIN).instantiate()
	root.size = Vector2i(_options.size.get_slice("x", 0).to_int(), _options.size.get_slice("x", 1).to_int())
	root.add_child(_main)
	_main.set_scale_factor(_options.scale.to_float())
	if not ClassDB.class_exists(&"VariantStream"):
		await _shoot("missing")
	else:
		await _break_a_save()
		await _run_network()
		await _run_speed()
		await _run_motion()
	_forget_save()
	quit(1 if _failed else 0)


## Breaks a save in a file of its own, so that the user's save stays.
func _break_a_save() -> void:
	var tab: Control = _page("SaveTab")
	tab.keep_in(SAVES)
	_fill_slots(tab)
	var bytes := FileAccess.get_file_as_bytes(SAVES.path_join("slot1.save"))
	for byte in bytes.size():
		if tab.field_at(byte).contains(BROKEN):
			# The type and the value have four bytes each; the value's first makes a count of 250.
			tab.get_node("%Hex").byte_pressed.emit(byte + 4)
			tab.get_node("%Hex").byte_pointed.emit(byte + 4)
			break
	await _shoot("save")
	tab.get_node("%OldSave").pressed.emit()
	await _shoot("godot3")


## Saves another hero into the second slot, and goes back to the first.
func _fill_slots(tab: Control) -> void:
	tab.choose_slot(2)
	tab.get_node("%Name").text = "Ada"
	tab.get_node("%Hp").value = 35
	tab.get_node("%At").at = Vector2(760, 640)
	tab.save_hero()
	tab.choose_slot(1)


func _run_network() -> void:
	_main.open_page(1)
	var tab: Control = _page("NetworkTab")
	tab.get_node("%Delta").button_pressed = true
	for share: float in [10.0, 35.0, 60.0, 30.0]:
		tab.get_node("%Hostile").value = share
		await create_timer(_options.seconds.to_float() / 4.0).timeout
	await _shoot("network")


func _run_speed() -> void:
	_main.open_page(2)
	await create_timer(_options.seconds.to_float() / 2.0).timeout
	await _shoot("speed")


## The scene has one look, in the engine's own theme.
func _run_motion() -> void:
	_main.queue_free()
	_main = null
	root.add_child(load(MOTION).instantiate())
	await create_timer(_options.seconds.to_float() / 2.0).timeout
	await _shoot("motion")


func _page(name: String) -> Control:
	return _main.get_node("%Pages/" + name)


func _shoot(name: String) -> void:
	for brightness in _brightnesses:
		if _main != null:
			_main.show_in(brightness == "dark")
		elif brightness == "light":
			continue
		# It takes a frame to arrange and one to draw.
		for i in 3:
			await process_frame
		RenderingServer.force_draw()
		var image := root.get_texture().get_image()
		var path: String = _folder.path_join("demo_%s_%s.png" % [name, brightness])
		if image == null or image.save_png(path) != OK:
			printerr("shots: cannot write ", path)
			_failed = true


func _forget_save() -> void:
	if not DirAccess.dir_exists_absolute(SAVES):
		return
	for name in DirAccess.get_files_at(SAVES):
		DirAccess.remove_absolute(SAVES.path_join(name))
	DirAccess.remove_absolute(SAVES)
