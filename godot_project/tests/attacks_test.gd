extends "engine_suite.gd"
## Puts the attack corpus to the library in a running engine: each line gets its answer under network() and SAFE, with --long
## under every preset and strictness, which tests/tests/attacks.rs has each time. They come in bounded time and memory, and nothing is logged (run.gd checks that).

## The reason why run.gd skips this suite in a packed game.
const EDITOR_ONLY := "reads the corpus of the checkout"

const AttackRows := preload("attack_rows.gd")
const EngineProcess := preload("load/engine_process.gd")
const ProcessMemory := preload("process_memory.gd")
const ProcessorTime := preload("processor_time.gd")

const ROWS := 768
const STRICTNESSES := {
	"engine": VariantCodec.ENGINE, "safe": VariantCodec.SAFE, "canonical": VariantCodec.CANONICAL,
}
const PRESETS: PackedStringArray = ["network", "save_file", "engine"]
## Larger inputs are not put to the engine's own decoder, because it needs seconds for some.
const LARGEST_TO_ENGINE := 1 << 16
## The most that a refusal may take, measured.
const REFUSAL_USEC := 1000
## No answer may take more of the processor than FLAT_USEC and USEC_PER_BYTE for each byte. This is far above
## the real times, since other processes slow this one down by more than the time that they get.
const FLAT_USEC := 100_000
const USEC_PER_BYTE := 1.0
## The most that a decode may add to the memory of the process. The engine's own values need up to 35 bytes a
## byte.
const FLAT_MEMORY := 1 << 20
const MEMORY_PER_BYTE := 40

var _attacks := AttackRows.new()
var _memory := ProcessMemory.new()


func test_every_line_gives_its_answers() -> void:
	var rows := _attacks.rows()
	check_same(rows.size(), ROWS, "rows of the corpus")
	for row in rows:
		var bytes := _attacks.bytes(row.input)
		for strictness: String in STRICTNESSES if long else ["safe"]:
			# The column is for vectors of single precision; canonical_test.gd has those of both.
			if strictness == "canonical" and is_double:
				continue
			for preset in 3 if long else 1:
				var setting := "%s (%s, %s)" % [row.name, PRESETS[preset], strictness]
				_put(setting, bytes, _codec(preset, strictness), row[strictness][preset])
	check_same(_attacks.trouble, "", "the corpus is readable")


func test_the_engine_agrees_about_what_it_accepts() -> void:
	for row in _attacks.rows():
		var bytes := _attacks.bytes(row.input)
		if bytes.size() <= LARGEST_TO_ENGINE:
			check_buffer(bytes, row.name)


## Tests the measured time, because a bound on a time that stands still would always hold.
func test_the_time_is_really_measured() -> void:
	var processor := ProcessorTime.usec()
	var clock := Time.get_ticks_usec()
	while ProcessorTime.usec() - processor < 50_000 and Time.get_ticks_usec() - clock < 20_000_000:
		hash("work")
	check(ProcessorTime.usec() - processor >= 50_000, "20 seconds of work count as hardly any")
	var worked := ProcessorTime.usec()
	OS.delay_msec(200)
	var waited := ProcessorTime.usec() - worked
	check(waited < 100_000 or not ProcessorTime.is_told(), "200 ms of waiting count as %d us" % waited)


func test_the_memory_is_really_measured() -> void:
	_memory.reset()
	var before := _memory.peak()
	var bytes := PackedByteArray()
	bytes.resize(64 << 20)
	bytes.fill(1)
	var grown := _memory.peak() - before
	check(OS.get_name() != "Linux" or sanitized or grown > 32 << 20, "64 MiB count as %d bytes" % grown)


## Tests the time with `--long` only, because a busy machine would fail too often.
func test_no_refusal_takes_a_millisecond() -> void:
	var codec := _codec(0, "safe")
	var slowest := 0
	for row in _attacks.rows():
		var bytes := _attacks.bytes(row.input) if row.safe[0] != "ok" else PackedByteArray()
		if bytes.is_empty() or bytes.size() > LARGEST_TO_ENGINE:
			continue
		var least := 1 << 30
		for run in 20 if long else 1:
			var started := Time.get_ticks_usec()
			codec.decode(bytes)
			least = mini(least, Time.get_ticks_usec() - started)
		slowest = maxi(slowest, least)
		check(least <= REFUSAL_USEC or not long, "%s takes %d us" % [row.name, least])
	check(slowest > 0, "nothing was refused")


## Tests that a refusal leaves nothing: no value, no object, no node.
func test_refusals_leave_nothing_behind() -> void:
	var codec := _codec(0, "safe")
	var refused: Array[PackedByteArray] = []
	for row in _attacks.rows():
		if row.safe[0] != "ok":
			var bytes := _attacks.bytes(row.input)
			if bytes.size() <= LARGEST_TO_ENGINE:
				refused.append(bytes)
	check(refused.size() > 300, "%d refused" % refused.size())
	for bytes in refused:
		codec.decode(bytes)
	var objects := Performance.get_monitor(Performance.OBJECT_COUNT)
	var memory := OS.get_static_memory_usage()  # 0 where the engine does not count
	for bytes in refused:
		codec.decode(bytes)
	check_same(Performance.get_monitor(Performance.OBJECT_COUNT), objects, "objects afterwards")
	var grown := OS.get_static_memory_usage() - memory
	check(grown < 4096, "%d bytes more after %d refusals" % [grown, refused.size()])


func _put(setting: String, bytes: PackedByteArray, codec: VariantCodec, due: String) -> void:
	_memory.reset()
	var before := _memory.peak()
	var started := ProcessorTime.usec()
	var error := codec.decode(bytes)
	var usec := ProcessorTime.usec() - started
	var grown := _memory.peak() - before
	_check_answer(setting, codec, error, due)
	var is_slowed := sanitized or EngineProcess.is_emulated()
	check(is_slowed or usec < FLAT_USEC + USEC_PER_BYTE * bytes.size(), "%s: took %d us" % [setting, usec])
	check(grown < FLAT_MEMORY + MEMORY_PER_BYTE * bytes.size(), "%s: took %d bytes" % [setting, grown])
	check(codec.validate(bytes) == error, "%s: validate() disagrees" % setting)
	_check_answer(setting + ", validate()", codec, error, due)


func _check_answer(setting: String, codec: VariantCodec, error: int, due: String) -> void:
	if due == "ok":
		check(error == OK, "%s: %s" % [setting, codec.get_error_message()])
		return
	var parts := due.split("@")
	var found := codec.get_error()
	var code := ClassDB.class_get_integer_constant(&"VariantCodec", parts[0])
	check(error != OK and found.get("code") == code and found.get("byte_offset") == parts[1].to_int(),
			"%s: answered %s, not %s" % [setting, found, due])
	check(codec.data == null and codec.get_consumed() == 0, "%s: something is left of it" % setting)


func _codec(preset: int, strictness: String) -> VariantCodec:
	var codec := VariantCodec.new()
	codec.limits = [VariantLimits.network(), VariantLimits.save_file(), VariantLimits.engine()][preset]
	codec.strictness = STRICTNESSES[strictness]
	if is_double and preset < 2:
		codec.limits.max_heap_bytes *= 2  # All is charged twice.
	return codec
