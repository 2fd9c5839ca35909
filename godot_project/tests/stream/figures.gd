extends SceneTree
## Measures streams on this machine, prints one line a figure, and PASS or FAIL at the end.
##   godot --headless --path godot_project -s res://tests/stream/figures.gd -- [--megabytes 1000] [--save 50]
##       [--packets 1000000] [--folder user://]
## The goals are: entries of a file of any size in 16 MB of memory; 99.9 % of the slices of a save within
## twice the budget; 100 000 small packets a second. --no-gate leaves times out of the verdict.

const Options := preload("res://addons/variant_stream/ci/options.gd")
const ProcessMemory := preload("res://tests/process_memory.gd")

const DEFAULTS := {"megabytes": 1000, "save": 50, "packets": 1000000, "folder": "user://", "no-gate": false}
const MOST_GROWTH := 16 << 20
const BUDGET_USEC := 500
const IN_TIME := 0.999
const LEAST_PACKETS := 100000
## The upper ends of the histogram's columns, in microseconds.
const COLUMNS: PackedInt32Array = [250, 500, 750, 1000, 2000, 5000, 10000, 100000]

var _options: Dictionary
var _wrong := PackedStringArray()


func _initialize() -> void:
	_options = Options.new(OS.get_cmdline_user_args(), DEFAULTS).values
	var path: String = _options.folder.path_join("figures.bin")
	_walk(path)
	_load_in_slices(path)
	_packets()
	DirAccess.remove_absolute(path)
	print("PASS" if _wrong.is_empty() else "FAIL: " + "; ".join(_wrong))
	quit(0 if _wrong.is_empty() else 1)


## Writes a file of one array and reads it entry by entry.
func _walk(path: String) -> void:
	var memory := ProcessMemory.new()
	var entry := {"id": 0, "name": "an entry of some length", "at": Vector3(1, 2, 3), "data": PackedByteArray()}
	entry.data.resize(3900)
	var count: int = _options.megabytes * 250
	memory.reset()
	var before := memory.now()
	var started := Time.get_ticks_usec()
	var writer := VariantWriter.new()
	writer.open_file(path)
	writer.begin_array()
	for i in count:
		entry.id = i
		writer.write(entry)
	writer.end()
	var closed := writer.close()
	var written := Time.get_ticks_usec()
	var bytes := FileAccess.open(path, FileAccess.READ).get_length()
	var reader := VariantReader.new()
	reader.open_file(path)
	reader.enter()
	var walked := 0
	while reader.next() == OK and reader.data.id == walked:
		walked += 1
	var read := Time.get_ticks_usec()
	var growth := memory.peak() - before
	print("walk: %d MB of %d entries, written in %.2f s (%.0f MB/s), read in %.2f s (%.0f MB/s), memory grew by %.1f MB" % [
		bytes / 1000000, walked, (written - started) / 1e6, bytes / float(written - started),
		(read - written) / 1e6, bytes / float(read - written), growth / 1e6])
	_expect(closed == OK and walked == count and reader.get_status() == VariantReader.END, "the walk ends early")
	_expect(growth < MOST_GROWTH, "memory grew by %d bytes" % growth)
	_expect(bytes > MOST_GROWTH * 2, "a file of %d bytes would prove nothing" % bytes)
	# The measurement itself is tested: held memory must be visible.
	var held := PackedByteArray()
	held.resize(MOST_GROWTH)
	held.fill(1)
	_expect(memory.peak() - before >= MOST_GROWTH or before == 0, "%d bytes that are held do not show" % MOST_GROWTH)


## Decodes a save as a game has it, a slice a frame.
func _load_in_slices(path: String) -> void:
	var writer := VariantWriter.new()
	writer.open_file(path)
	writer.begin_dictionary()
	var id := 0
	while writer.get_position() < _options.save * 1000000:
		writer.write_entry("region_%d" % id, _region(id))
		id += 1
	writer.end()
	writer.close()
	var thing := VariantSchema.dict({"id": VariantSchema.int(), "kind": VariantSchema.string_name(), "at": VariantSchema.vector3(),
		"items": VariantSchema.array(VariantSchema.any()), "hp": VariantSchema.int().optional(100)})
	var region := VariantSchema.dict({"name": VariantSchema.string(), "things": VariantSchema.array(thing),
		"map": VariantSchema.packed_int32_array(), "seen": VariantSchema.bool()})
	for schema: VariantSchema in [null, VariantSchema.map(VariantSchema.string(), region)]:
		# The goal is for an idle machine: on a busy one the best of three loads is judged, and all are shown.
		var best := 0.0
		for attempt in 3:
			if best < IN_TIME:
				best = maxf(best, _load_once(path, id, schema))
		_expect(best >= IN_TIME or _options["no-gate"], "%.2f %% of the slices are in time" % (best * 100))


## Loads once and returns the share of slices within twice the budget.
func _load_once(path: String, regions: int, schema: VariantSchema) -> float:
	var reader := VariantReader.new()
	reader.codec.schema = schema
	reader.codec.limits = VariantLimits.engine()
	reader.time_budget_usec = BUDGET_USEC
	reader.open_file(path)
	var slices := PackedInt32Array()
	var error := ERR_BUSY
	var waited := 0
	while error == ERR_BUSY:
		var waiting := _waited_usec()
		var started := Time.get_ticks_usec()
		error = reader.next()
		var taken := Time.get_ticks_usec() - started
		waiting = _waited_usec() - waiting
		waited += waiting
		slices.append(maxi(0, taken - waiting))
	_expect(error == OK and reader.data.size() == regions, "the save does not load")
	var columns := PackedInt32Array()
	columns.resize(COLUMNS.size() + 1)
	for usec in slices:
		columns[COLUMNS.bsearch(usec)] += 1
	var line := PackedStringArray()
	for i in columns.size():
		line.append("%s %d" % ["<= %d" % COLUMNS[i] if i < COLUMNS.size() else "more", columns[i]])
	slices.sort()
	var share := slices.bsearch(2 * BUDGET_USEC + 1) / float(slices.size())
	print("slices%s: %d MB in %d slices of %d us, %.2f %% within twice that, longest %d us; us: %s" % [
		" under a schema" if schema != null else "", _options.save, slices.size(), BUDGET_USEC, share * 100, slices[-1], ", ".join(line)])
	print("slices: besides, other programs kept this one from a core for %.2f s" % (waited / 1e6))
	return share


## Returns how long this thread was ready to run and had no core, where the system tells it.
static func _waited_usec() -> int:
	var file := FileAccess.open("/proc/thread-self/schedstat", FileAccess.READ) if OS.get_name() == "Linux" else null
	return file.get_line().get_slice(" ", 1).to_int() / 1000 if file != null else 0


static func _region(id: int) -> Dictionary:
	var things := []
	for i in 40:
		things.append({"id": id * 100 + i, "kind": &"chest", "at": Vector3(i, 0, id), "items": [i, "sword", 0.5]})
	return {"name": "region %d" % id, "things": things, "map": PackedInt32Array(range(300)), "seen": true}


## Reads small messages out of one stream, fed as a socket gives them.
func _packets() -> void:
	_count_packets("packets", null)
	_count_packets("packets under a schema", VariantSchema.dict({"seq": VariantSchema.int(0, 0xFFFF_FFFF),
		"dir": VariantSchema.vector2().max_length(1.01), "act": VariantSchema.string().max_chars(16)}))


func _count_packets(what: String, schema: VariantSchema) -> void:
	var message := {"seq": 1, "dir": Vector2(0.6, 0.8), "act": "jump"}
	var frame := StreamPeerBuffer.new()
	frame.put_var(message)
	var chunk := PackedByteArray()
	while chunk.size() < 60000:
		chunk += frame.data_array
	var reader := VariantReader.new()
	reader.framing = VariantReader.FRAMING_U32
	reader.codec.limits = VariantLimits.network()
	reader.codec.schema = schema
	var count := 0
	var waited := _waited_usec()
	var started := Time.get_ticks_usec()
	while count < _options.packets:
		reader.feed(chunk)
		while reader.next() == OK:
			count += int(reader.data.seq)
	var seconds := (Time.get_ticks_usec() - started - (_waited_usec() - waited)) / 1e6
	print("%s: %d of %d bytes in %.2f s, %.0f a second" % [what, count, frame.get_size(), seconds, count / seconds])
	_expect(count / seconds >= LEAST_PACKETS or _options["no-gate"], "only %.0f %s a second" % [count / seconds, what])


func _expect(ok: bool, message: String) -> void:
	if not ok:
		_wrong.append(message)
