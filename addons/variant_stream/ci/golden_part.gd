extends "part.gd"
## Compares recorded values: we read the recorded bytes as the engine does, and write the value back as
## recorded. Full objects are not decoded by us yet: there the refusal is compared.

const GoldenFiles := preload("golden_files.gd")
const Oracle := preload("oracle.gd")
const ValueCompare := preload("value_compare.gd")

## The scripts of the recorded objects, by the paths at which they were recorded.
const SCRIPTS := {
	"res://item.gd": preload("recorded_objects/item.gd"),
	"res://item_res.gd": preload("recorded_objects/item_res.gd"),
	"res://hidden.gd": preload("recorded_objects/hidden.gd"),
	"res://gpl.gd": preload("recorded_objects/gpl.gd"),
	"res://node_script.gd": preload("recorded_objects/node_script.gd"),
}

var _recorded_by := 0
## Whether vectors were recorded as wide as this engine has them.
var _is_as_wide := true
## The number of values that this engine writes in another form because of their width alone.
var _of_other_width := 0
var _borrowed := {}
## Recorded paths, in hex, at which this project has scripts of its own.
var _taken := PackedStringArray()


func _init() -> void:
	title = "golden"


func run() -> bool:
	var found := GoldenFiles.read(golden)
	refused = found.error
	for name: String in found.left_out:
		notes.append("golden: left out %s, another dialect" % name)
	_borrow_paths()
	for file: Dictionary in found.files:
		_recorded_by = _version_in(file.engine)
		_is_as_wide = str(file.engine).contains("double precision") == Oracle.is_double()
		for case: Dictionary in file.cases:
			came_through(case.name, _compare(case))
	_give_paths_back()
	if _of_other_width > 0:
		notes.append("golden: %d recorded in another precision, as this engine writes them" % _of_other_width)
	return true


func _compare(case: Dictionary) -> bool:
	var bytes := str(case.hex).hex_decode()
	var objects: bool = case.get("with_objects", false)
	var plain := _compare_plain(case.name, bytes)
	if objects and _needs_taken_path(case.hex):
		return plain
	if objects and Oracle.consumed(bytes) == 0:
		checks += 1
		if subject.decode_with_objects(bytes) != OK:
			pass
		elif Oracle.reads_otherwise(Oracle.engine_hex, bytes):
			engine_older += 1
		else:
			differ(case.name, "decodes full objects, which is to be refused for now")
	var value: Variant = Oracle.decode_with_objects(bytes) if objects else Oracle.decode(bytes)
	var engine := Oracle.encode_with_objects(value) if objects else Oracle.encode(value)
	var ours: PackedByteArray = subject.encode_with_objects(value) if objects else subject.encode(value)
	checks += 1
	if ours != engine and not Oracle.same_bytes(ours, engine):
		differ(case.name, "bytes differ: " + parting(ours, engine), value)
	if not case.get("volatile", false):
		checks += 1
		var recorded := str(case.get("reencoded_hex", case.hex)).hex_decode()
		if ours != recorded and engine != recorded and Oracle.engine_hex < _recorded_by:
			engine_older += 1
		elif ours != recorded and ours == engine and not _is_as_wide:
			_of_other_width += 1
		elif ours != recorded and not (ours == engine and Oracle.same_bytes(recorded, ours)):
			differ(case.name, "not as recorded: " + parting(ours, recorded), value)
	return plain and _read_as_recorded(case, bytes) and _free_nodes(value)


## Compares verdict, consumed size and value, without permission to make objects.
func _compare_plain(case: String, bytes: PackedByteArray) -> bool:
	checks += 2
	var what := _plain_difference(bytes)
	if not what.is_empty() and Oracle.reads_otherwise(Oracle.engine_hex, bytes):
		engine_older += 1
	elif not what.is_empty():
		differ(case, what)
	return true


func _plain_difference(bytes: PackedByteArray) -> String:
	var size := Oracle.consumed(bytes)
	if subject.decode(bytes) != OK:
		return "" if size == 0 else "we refuse (%s), the engine reads %d bytes" % [subject.error_message(), size]
	if size == 0:
		return "we read it, the engine refuses"
	if subject.consumed() != size:
		return "consumed %d, engine %d" % [subject.consumed(), size]
	var parted := ValueCompare.difference(subject.data(), Oracle.decode(bytes))
	return "" if parted.is_empty() else "decoded values differ: " + parted


## Compares the recorded text where that is possible: this very engine, the value unchanged by reading, no
## class names, which reading turns into EncodedObjectAsID.
func _read_as_recorded(case: Dictionary, bytes: PackedByteArray) -> bool:
	if Oracle.engine_hex != _recorded_by or not _is_as_wide or not case.has("text") or case.has("reencoded_hex"):
		return true
	var text := var_to_str(subject.data() if subject.decode(bytes) == OK else null)
	if not text.contains("EncodedObjectAsID"):
		checks += 1
		if text != case.text:
			differ(case.name, "reads %s, recorded was %s" % [text.left(200), str(case.text).left(200)])
	return true


## Reads the version of `Godot 4.6.3.stable (...)` as the engine numbers versions.
static func _version_in(text: String) -> int:
	var numbers := text.get_slice(" ", 1).split(".")
	return (numbers[0].to_int() << 16) | (numbers[1].to_int() << 8) | numbers[2].to_int()


## Makes the recorded paths lead to our scripts, in this process only; a project's own script stays.
func _borrow_paths() -> void:
	for path: String in SCRIPTS:
		if ResourceLoader.exists(path):
			_taken.append(path.to_utf8_buffer().hex_encode())
			notes.append("golden: recorded objects of %s left out, the path is the project's own" % path)
		else:
			_borrowed[path] = SCRIPTS[path].resource_path
			SCRIPTS[path].take_over_path(path)


func _needs_taken_path(recorded: String) -> bool:
	for path in _taken:
		if recorded.contains(path):
			return true
	return false


func _give_paths_back() -> void:
	for path: String in _borrowed:
		SCRIPTS[path].take_over_path(_borrowed[path])


static func _free_nodes(value: Variant) -> bool:
	var open := [value]
	while not open.is_empty():
		var next: Variant = open.pop_back()
		if next is Array:
			open.append_array(next)
		elif next is Dictionary:
			open.append_array(next.values())
		elif next is Object and not next is RefCounted:
			next.free()
	return true
