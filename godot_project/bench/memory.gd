extends SceneTree
## Measures the memory that one side takes for one value. Every measurement needs a process of its own,
## because memory that was freed before would be reused and not counted; `cargo xtask bench memory` starts
## them.
##   ... -- --folder DIR                                      writes the bytes of every value there
##   ... -- --folder DIR --row N --side ours --what encode    prints `memory BYTES PEAK HELD`
##   ... -- --folder DIR --row 0 --what objects               the same of objects, with what they are charged for BYTES
## PEAK is the most that the process grew by meanwhile, HELD how much it has grown when it is done. It works
## on Linux only.

const DEFAULTS := {"folder": "", "row": -1, "side": "ours", "what": "encode"}
const ADDON := "res://addons/variant_stream/ci/"
const Memory := preload("res://tests/process_memory.gd")
const Values := preload("res://bench/values.gd")

var _rows := {
	"save of 20000": Values.save.bind(20_000),
	"array of ints": Values.ints.bind(1_000_000),
	"Array[String]": Values.typed_strings.bind(100_000),
	"dictionary, String keys": Values.dictionary.bind("String", 100_000),
	"text, CJK": Values.text.bind("cjk", 1_400_000),
	"packed strings, ASCII": Values.packed_strings.bind("ascii", 200_000),
	"PackedVector2Array": Values.packed.bind(TYPE_PACKED_VECTOR2_ARRAY, 1_000_000),
}


func _initialize() -> void:
	quit(2)
	var options: RefCounted = load(ADDON + "options.gd").new(OS.get_cmdline_user_args(), DEFAULTS)
	var missing: String = load(ADDON + "library_gate.gd").open_library()
	if not options.error.is_empty() or not missing.is_empty():
		printerr(options.error + missing)
	elif options.values.row < 0:
		_write(options.values.folder)
	elif options.values.what == "objects":
		load("res://bench/memory_objects.gd").new().measure(options.values.folder, Memory.new())
	else:
		load("res://bench/memory_side.gd").new().measure(options.values, Memory.new())
	quit(0)


func _write(folder: String) -> void:
	var objects := FileAccess.open(folder.path_join("objects.bin"), FileAccess.WRITE)
	objects.store_buffer(load("res://bench/memory_objects.gd").new().encoded())
	var index := 0
	for name: String in _rows:
		var file := FileAccess.open(folder.path_join("%d.bin" % index), FileAccess.WRITE)
		file.store_buffer(var_to_bytes(_rows[name].call()))
		print("row %s" % name)
		index += 1
