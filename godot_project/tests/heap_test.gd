extends "suite.gd"
## Compares the memory that decoding really takes with the charge of max_heap_bytes. `-- --filter heap_test
## --long` prints the table. limits_test.gd tests which limit refuses what.

## The reason why run.gd skips this suite in a packed game.
const EDITOR_ONLY := "asks the engine for its memory, which only debug builds count"
const UNSANITIZED := "measures memory, and the sanitizer keeps what was given back"

const Shapes := preload("heap_shapes.gd")

## The most that a decode may take for each byte charged.
const MOST := 1.25
## The most that a refused input may leave behind, and the rounding of peaks.
const SLACK := 64 * 1024
const TIGHT := 1 << 20

var _kept := []


func test_memory_is_charged_before_it_is_spent() -> void:
	var shapes := Shapes.all()
	var table := PackedStringArray()
	check(shapes.size() > 40, "only %d shapes" % shapes.size())
	for name: String in shapes:
		var bytes: PackedByteArray = shapes[name]
		var charged := _charge(bytes)
		var codec := _limited(charged)
		codec.limits.live_references = not name.begins_with("plain")
		var grown := _grown_by_decode(bytes, codec)
		var line := "%-28s %9d bytes, charged %10d, real %10d, ratio %.2f" % [
			name, bytes.size(), charged, grown, float(grown) / charged]
		check(grown > 0 and grown <= MOST * charged, line)
		table.append(line)
	if long:
		expect_error(table[0])
		print("\n".join(table))


func test_a_refused_input_leaves_nothing_and_peaks_at_the_limit() -> void:
	var shapes := Shapes.all()
	for name: String in shapes:
		var bytes: PackedByteArray = shapes[name]
		var codec := _limited(TIGHT)
		_restart_peak()
		var before := OS.get_static_memory_usage()
		var resident := _status("VmRSS")
		check_error(codec.decode(bytes), ERR_OUT_OF_MEMORY, name)
		var peak := _status("VmHWM") - resident
		check_same(codec.get_error().code, VariantCodec.TOO_MUCH_MEMORY, name)
		var left := OS.get_static_memory_usage() - before
		check(left < SLACK, "%s: %d bytes are left" % [name, left])
		check(peak <= MOST * TIGHT + SLACK, "%s: peaks at %d of %d bytes" % [name, peak, TIGHT])


## Finds the least max_heap_bytes that lets the bytes pass.
func _charge(bytes: PackedByteArray) -> int:
	var refused := 0
	var passed := 1 << 32
	while passed - refused > 1:
		var middle := (refused + passed) / 2
		if _limited(middle).validate(bytes) == OK:
			passed = middle
		else:
			refused = middle
	return passed


## Returns the larger of what the engine's allocator counts and what the system's peak shows. The value is
## kept, so that no later one finds its memory free.
func _grown_by_decode(bytes: PackedByteArray, codec: VariantCodec) -> int:
	_restart_peak()
	var resident := _status("VmRSS")
	var counted := OS.get_static_memory_usage()
	check_error(codec.decode(bytes), OK, "decode")
	_kept.append(codec)
	return maxi(OS.get_static_memory_usage() - counted, _status("VmHWM") - resident)


func _limited(heap: int) -> VariantCodec:
	var codec := VariantCodec.new()
	codec.limits = VariantLimits.engine()
	codec.limits.max_heap_bytes = heap
	codec.limits.max_key_probes = 1 << 40  # so that its table is there and counts too
	return codec


## Resets the peak, which only Linux tells and lets a program reset.
func _restart_peak() -> void:
	if OS.get_name() == "Linux":
		FileAccess.open("/proc/self/clear_refs", FileAccess.WRITE).store_string("5")


func _status(row: String) -> int:
	if OS.get_name() != "Linux":
		return 0
	var file := FileAccess.open("/proc/self/status", FileAccess.READ)
	while not file.eof_reached():
		var line := file.get_line()
		if line.begins_with(row):
			return line.to_int() * 1024
	return 0
