@tool
extends RefCounted
## Bytes that the panel shows, and what is known of them: how they are read, their tree, what is wrong, where they go.
## Reading, walking and checking are done on a thread; the signals come on the main one. Shows nothing.

## The tree is there; dialect and framing are settled.
signal opened
## The list of problems is there, anew after each `check()`: all of them, or those before the check was cancelled.
signal checked
## The size report is there, or it is not: that was cancelled.
signal sized
## By the rules of a check the bytes are something else: packed, or no longer. They have to be read again.
signal became_other
## There is nothing to show: the file cannot be read, or it was cancelled.
signal failed(reason: String)

const Looks := preload("looks.gd")
const Packed := preload("packed.gd")
const Unpacked := preload("unpacked.gd")

enum Stage {IDLE, READING, WALKING, CHECKING, MEASURING}

const AUTO := -1
const CHUNK := 4 << 20
## Values of a stream that are looked up at once.
const PAGE := 512
const MOST_PROBLEMS := 200
## The largest file: all of it is kept in memory, and the editor has other things there.
const MOST_BYTES := Unpacked.MOST_BYTES

var title := ""
## Where the bytes are from; empty when no file.
var path := ""
var bytes := PackedByteArray()
## Holds the packed bytes, if the schema packed them: `bytes` are then the value that they hold.
var packed := Packed.new()
## When the file was changed last and its size, as they were before it was read.
var stamp := []
## The layer that was around the bytes, in words: they are shown as they were before they were compressed.
var layer := ""
var dialect := AUTO
var framing := AUTO
## Whether dialect and framing are guesses.
var is_dialect_guessed := false
var is_framing_guessed := false
var outline := VariantOutline.new()
var is_open := false
## The reason why the game refused these bytes, which the rules of the panel may accept.
var refusal := ""
var problems: Array[Dictionary] = []
## Whether every value was held to the rules: when that was cancelled, `problems` says nothing of the rest.
var is_checked := false
var sizes := {}
## The step that the thread is at.
var stage := Stage.IDLE

var _thread: Thread
var _read := 0.0
var _is_cancelled := false
var _rules := {}
var _next_rules := {}
## Whether the thread goes by rules that were replaced, and their check was cancelled before it began.
var _is_outdated := false


static func of_file(file: String) -> RefCounted:
	var document := new()
	document.path = file
	document.title = file.get_file()
	return document


static func of_bytes(given: PackedByteArray, name: String) -> RefCounted:
	var document := new()
	document.bytes = given
	document.title = name
	return document


## Tells whether the file is as it was read: "" if it is, else "changed" or "gone".
func file_state() -> String:
	if path.is_empty() or stamp.is_empty():
		return ""
	var now := _stamp_of(path)
	return "gone" if now.is_empty() else "changed" if now != stamp else ""


## Empty where no file can be opened. An engine logs it when it is asked for the time of a file that is not there.
static func _stamp_of(file_path: String) -> Array:
	var file := FileAccess.open(file_path, FileAccess.READ) if FileAccess.file_exists(file_path) else null
	return [FileAccess.get_modified_time(file_path), file.get_length()] if file != null else []


## Begins to read, walk and check by `rules`: strictness, limits and schema of a VariantCodec.
func start(rules: Dictionary) -> void:
	_rules = rules
	stage = Stage.READING
	_thread = Thread.new()
	_thread.start(_work)


## Checks again, by other rules: now, or when what is under way is done. A cancel that came before is over.
func check(rules: Dictionary) -> void:
	if is_busy():
		_next_rules = rules
		return
	finish()
	if is_open and is_other_by(rules):
		became_other.emit()
		return
	var is_new_schema: bool = rules.schema != _rules.schema
	_rules = rules.merged({"is_new_schema": is_new_schema}, true)
	_is_cancelled = false
	_is_outdated = false
	stage = Stage.CHECKING
	_thread = Thread.new()
	_thread.start(_judge)


func is_busy() -> bool:
	return stage != Stage.IDLE


## Returns the step in a word, for the progress bar.
func doing() -> String:
	return ["", "Reading", "Walking", "Checking", "Measuring"][stage]


## From 0 to 1.
func progress() -> float:
	return _read if stage == Stage.READING else outline.get_progress()


func cancel() -> void:
	_is_cancelled = true
	outline.cancel()
	if not _next_rules.is_empty():
		_next_rules = {}
		_is_outdated = true
		_found([], false)


## Whether the thread has ended.
func is_at_rest() -> bool:
	return _thread == null or not _thread.is_alive()


## Waits for the thread.
func finish() -> void:
	if _thread != null and _thread.is_started():
		_thread.wait_to_finish()


func _work() -> void:
	var reason := _read_file() if bytes.is_empty() and not path.is_empty() else ""
	if reason.is_empty() and layer.is_empty():
		reason = _unpack()
	if not reason.is_empty() or _is_cancelled:
		_end.call_deferred(reason if not _is_cancelled else "cancelled")
		return
	_take_packed()
	_guess()
	stage = Stage.WALKING
	if outline.open(bytes, framing, dialect) != OK or _is_cancelled:
		_end.call_deferred("cancelled")
		return
	_tell.call_deferred(opened)
	stage = Stage.CHECKING
	_judge()


## Checks, and measures what was not measured yet.
func _judge() -> void:
	var found: Array[Dictionary] = []
	var is_whole := _check(found)
	_found.call_deferred(found, is_whole)
	var report := sizes if not _rules.get("is_new_schema", false) else {}
	if report.is_empty() and not _is_cancelled:
		stage = Stage.MEASURING
		report = _with_bits(outline.get_size_report())
	_measured.call_deferred(report)


## The bits beside the bytes, of one value that the schema can pack.
func _with_bits(report: Dictionary) -> Dictionary:
	if not Packed.can_pack(_rules.schema) or outline.get_count() != 1 or bytes.size() > Packed.MOST_BYTES:
		return report
	var codec := VariantCodec.new()
	codec.dialect = dialect
	codec.limits = _rules.limits
	codec.schema = _rules.schema
	var first: Dictionary = outline.get_children(-1, 0, 1)[0]
	if codec.decode(bytes.slice(first.at, first.end)) != OK:
		return report
	return packed.measure(report, _rules.schema, codec.data, _rules.limits)


func _read_file() -> String:
	stamp = _stamp_of(path)
	var file := FileAccess.open(path, FileAccess.READ)
	if file == null:
		return "%s cannot be opened (%s)" % [Looks.shown(path), error_string(FileAccess.get_open_error())]
	var length := file.get_length()
	if length > MOST_BYTES:
		return "%s has %s, and %s is the most that is shown here; gdvar reads larger ones" % [
				Looks.shown(path), Looks.size_of(length), Looks.size_of(MOST_BYTES)]
	var whole := PackedByteArray()
	while whole.size() < length and not _is_cancelled:
		var chunk := file.get_buffer(mini(CHUNK, length - whole.size()))
		if chunk.is_empty() and file.eof_reached():
			return "%s became shorter while it was read; open it again" % Looks.shown(path)
		if chunk.is_empty():
			return "%s cannot be read (%s)" % [Looks.shown(path), error_string(file.get_error())]
		whole.append_array(chunk)
		_read = float(whole.size()) / length
	bytes = whole
	return "" if length > 0 else "%s is empty" % Looks.shown(path)


func _unpack() -> String:
	var unpacked := Unpacked.read(bytes, func() -> bool: return _is_cancelled)
	bytes = unpacked.bytes
	layer = unpacked.layer
	if not unpacked.error.is_empty():
		return "%s cannot be shown: %s" % [Looks.shown(title), unpacked.error]
	return "%s holds no bytes" % Looks.shown(title) if bytes.is_empty() else ""


## Returns the bytes as they came, packed or not.
func given() -> PackedByteArray:
	return packed.bytes if packed.is_packed() else bytes


## Tells whether the bytes are something else by other rules: packed, or no longer.
func is_other_by(rules: Dictionary) -> bool:
	var other := Packed.of(given(), rules.schema, rules.limits)
	return other.is_packed() != packed.is_packed() or other.error != packed.error


func _take_packed() -> void:
	packed = Packed.of(bytes, _rules.schema, _rules.limits)
	if packed.is_packed():
		bytes = packed.made
		layer = Packed.LAYER
		framing = VariantReader.FRAMING_NONE
		dialect = VariantStream.GODOT_4


func _guess() -> void:
	if framing == AUTO:
		framing = VariantOutline.guess_framing(bytes)
		is_framing_guessed = true
	if dialect == AUTO:
		var fitting := VariantStream.guess_dialect(_first_value())
		dialect = fitting[0] if not fitting.is_empty() else VariantStream.GODOT_4
		is_dialect_guessed = true


func _first_value() -> PackedByteArray:
	if framing == VariantReader.FRAMING_NONE or bytes.size() < 4:
		return bytes
	var length := bytes.decode_u32(0)
	if framing == VariantReader.FRAMING_U32_BE:
		length = bytes[0] << 24 | bytes[1] << 16 | bytes[2] << 8 | bytes[3]
	return bytes.slice(4, 4 + length)


## Every value of the stream by the rules; the byte of a problem counts from the start of the stream. False when it was
## cancelled on the way.
func _check(found: Array[Dictionary]) -> bool:
	if not _rules.schema_error.is_empty():
		found.append({"path": "(schema)", "message": _rules.schema_error, "byte": 0, "value": 0})
		return true
	if not packed.error.is_empty():
		var error: Dictionary = packed.error.duplicate()
		error.byte = clampi(error.byte_offset, 0, bytes.size() - 1)
		error.value = 0
		found.append(error)
		return true
	var codec := VariantCodec.new()
	codec.dialect = dialect
	codec.strictness = _rules.strictness
	codec.limits = _rules.limits
	codec.schema = _rules.schema
	var is_whole := true
	var first := 0
	var is_stream := outline.get_count() > 1
	while first < outline.get_count() and found.size() < MOST_PROBLEMS and is_whole:
		for node in outline.get_children(-1, first, PAGE):
			if _is_cancelled:
				is_whole = false
				break
			var value := bytes.slice(node.at, node.end) if is_stream or node.at > 0 else bytes
			codec.limits = _limits_for_objects() if _is_of_objects(node) else _rules.limits
			if codec.validate(value) != OK:
				_note(codec, node, is_stream, found)
		first += PAGE
	_add_broken(found)
	return is_whole


## Tells whether a value is a document of objects, in which RIDs stand for these.
func _is_of_objects(node: Dictionary) -> bool:
	var parts := outline.get_children(node.at, 0, 1)
	return not parts.is_empty() and parts[0].name == "form"


func _limits_for_objects() -> VariantLimits:
	var limits: VariantLimits = (_rules.limits as VariantLimits).duplicate()
	limits.allowed_types |= 1 << TYPE_RID
	return limits


func _note(codec: VariantCodec, node: Dictionary, is_stream: bool, found: Array[Dictionary]) -> void:
	for problem: Dictionary in codec.get_errors(MOST_PROBLEMS - found.size()):
		problem.byte = clampi(node.at + maxi(problem.byte_offset, 0), node.start, maxi(node.end - 1, node.start))
		problem.value = node.index
		if is_stream:
			problem.path = "%s %s" % [node.name, problem.path]
		found.append(problem)


## Adds the bytes that are no value and that the rules did not come to.
func _add_broken(found: Array[Dictionary]) -> void:
	if not found.is_empty():
		return
	for broken in outline.get_broken():
		broken.byte = clampi(broken.byte_offset, 0, maxi(bytes.size() - 1, 0))
		found.append(broken)


func _found(list: Array[Dictionary], is_whole: bool) -> void:
	problems = list if not _is_outdated else ([] as Array[Dictionary])
	is_checked = is_whole and not _is_outdated
	checked.emit()


func _measured(report: Dictionary) -> void:
	sizes = report
	sized.emit()
	_rest()


func _rest() -> void:
	stage = Stage.IDLE
	if not _next_rules.is_empty():
		var rules := _next_rules
		_next_rules = {}
		check(rules)


func _tell(what: Signal) -> void:
	is_open = true
	what.emit()


func _end(reason: String) -> void:
	stage = Stage.IDLE
	failed.emit(reason)
