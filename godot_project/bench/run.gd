extends SceneTree
## Times encoding and decoding against the engine's own functions, row by row, in one process.
##   godot --headless --path godot_project -s res://bench/run.gd -- [--filter TEXT|TEXT...] [--long]
##   [--json FILE] [--svg FILE] [--scaling FILE] [--markdown FILE]
## Bytes and values are compared before anything is timed; a row that differs does not count. Rounds of ours
## and of the engine's take turns, so that other load on the machine affects both. The exit code is 0 if every
## row reached its goal, 1 if a row did not, 2 if nothing was measured. It judges nothing but times; the
## conformance run judges the bytes.

const DEFAULTS := {"filter": "", "long": false, "json": "", "svg": "", "scaling": "", "markdown": ""}
const ADDON := "res://addons/variant_stream/ci/"
## The microseconds that a direction of a row may take.
const BUDGET := 250_000
const LONG_BUDGET := 3_000_000
## The number of bytes to copy: more than the caches near most cores hold.
const COPIED := 8 << 20

var _judge: GDScript = load("res://bench/judge.gd")
var _moved: GDScript = load("res://bench/moved.gd")
var _lines: Array[Dictionary] = []
var _noise := PackedFloat64Array()
## The bytes that memory reads and writes in a second.
var _bytes_a_second := 0.0


func _initialize() -> void:
	quit(2)
	var options: RefCounted = load(ADDON + "options.gd").new(OS.get_cmdline_user_args(), DEFAULTS)
	if not options.error.is_empty():
		printerr(options.error)
		return
	var missing: String = load(ADDON + "library_gate.gd").open_library()
	if not missing.is_empty():
		printerr("VariantStream did not load: " + missing)
		return
	_measure_memory()
	_measure(options.values)
	_note_noise()
	_note_memory()
	var report: RefCounted = load("res://bench/report.gd").new(_lines)
	for kind: String in ["json", "svg", "scaling", "markdown"]:
		if not options.values[kind].is_empty():
			_write(options.values[kind], report.call(kind))
	quit(_conclude())


func _measure(options: Dictionary) -> void:
	var stopwatch: RefCounted = load("res://bench/stopwatch.gd").new()
	stopwatch.budget = LONG_BUDGET if options.long else BUDGET
	print("%-30s %10s %6s %12s %12s %8s %8s %6s" % [
		"workload", "bytes", "", "engine us", "ours us", "median", "of mins", "goal"])
	for row: Dictionary in load("res://bench/rows.gd").new().all():
		if not _is_wanted(row.name, options.filter):
			continue
		var jobs: RefCounted = load(row.get("jobs", "res://bench/static_jobs.gd")).new(row.make.call())
		var trouble: String = jobs.difference()
		for direction: String in ["encode", "decode"]:
			if row.has(direction):
				var result: Dictionary = {} if trouble else stopwatch.compare(jobs, direction)
				_close(row, direction, jobs, result, trouble)


## Tells whether a name has one of the texts in it that "|" parts. Without a text it has.
func _is_wanted(name: String, filter: String) -> bool:
	return filter.is_empty() or Array(filter.split("|")).any(name.contains)


func _close(row: Dictionary, direction: String, jobs: RefCounted, result: Dictionary, trouble: String) -> void:
	var line := {"name": row.name, "direction": direction, "bytes": jobs.size(), "trouble": trouble}
	line.goal = _judge.goal(row, direction, OS.get_environment("VARIANT_STREAM_RAW"), OS.is_debug_build())
	line.values = row.get("values", 0)
	line.moved = _moved.bytes(jobs.value, jobs.size(), direction)
	line.merge(result)
	if line.moved > 0 and trouble.is_empty():
		line.most = _moved.most(line, _bytes_a_second)
	line.passed = _judge.is_reached(line)
	_lines.append(line)
	if not trouble.is_empty():
		print("%-30s %s: DIFFERENT, %s" % [row.name, direction, trouble])
		return
	_noise.append(line.noise)
	print("%-30s %10d %s %12.2f %12.2f %8.2f %8.2f %6.2f  %s" % [
		row.name, line.bytes, direction, line.engine_usec, line.ours_usec, line.ratio, line.ratio_of_minima,
		line.goal, _judge.verdict(line)])


func _note_noise() -> void:
	if not _noise.is_empty():
		_noise.sort()
		print("noise: the middle half of rounds spreads %.0f %% around its median on half of the rows, %.0f %% at worst"
				% [100.0 * _noise[_noise.size() / 2], 100.0 * _noise[-1]])


## Measures how fast memory is, which bounds rows of megabytes: each byte of theirs has to be read or written.
func _measure_memory() -> void:
	var bytes := PackedByteArray()
	bytes.resize(COPIED)
	var least := INF
	var copy: PackedByteArray
	for i in 30:
		var start := Time.get_ticks_usec()
		copy = bytes.slice(0)
		least = minf(least, Time.get_ticks_usec() - start)
	_bytes_a_second = 2e6 * copy.size() / maxf(1.0, least)
	print("memory: a copy of %d MB takes %.0f us at best, %.0f GB/s read and written"
			% [COPIED >> 20, least, _bytes_a_second / 1e9])


## Tells of rows that memory keeps from their goals.
func _note_memory() -> void:
	for line in _lines:
		if line.has("most") and line.ratio < line.goal:
			print(_moved.told(line, _bytes_a_second))


func _write(path: String, text: String) -> void:
	var file := FileAccess.open(path, FileAccess.WRITE)
	if file == null:
		printerr("cannot write " + path)
	else:
		file.store_string(text)


func _conclude() -> int:
	var failed := _lines.filter(func(line: Dictionary) -> bool: return not line.passed).size()
	print("== %d rows, %d failed" % [_lines.size(), failed])
	return _judge.exit_code(_lines)
