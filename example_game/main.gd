extends Label
## Plays the three parts of the example and shows the results. Without a window it prints them and quits: 0
## when all went well, 1 when not, 2 when the library is missing.

const Part := preload("res://part.gd")
const PARTS: Array[String] = ["res://saves.gd", "res://packets.gd", "res://replay.gd"]

var _checks := 0
var _failed := 0


func _ready() -> void:
	if not ClassDB.class_exists(&"VariantStream"):
		_end("VariantStream has no library for this platform: see the README of the addon", 2)
		return
	var lines := PackedStringArray()
	for path in PARTS:
		# It is load() and not preload(): the parts name the classes, and without the library they would not
		# compile.
		var part: Part = (load(path) as GDScript).new()
		part.checked.connect(_on_checked)
		lines.append(part.play())
	lines.append("== %d checks, %d failed" % [_checks, _failed])
	_end("\n".join(lines), 0 if _checks > 0 and _failed == 0 else 1)


func _on_checked(what: String, held: bool) -> void:
	_checks += 1
	if not held:
		_failed += 1
		printerr("failed: ", what)


func _end(words: String, code: int) -> void:
	text = words
	if DisplayServer.get_name() == "headless":
		print(words)
		get_tree().quit(code)
