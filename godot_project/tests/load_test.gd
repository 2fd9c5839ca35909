extends "engine_suite.gd"
## Tests the library under load: a server that gets hostile packets, and eight threads at once. load/ has the
## server.

## The reason why run.gd skips this suite in a packed game.
const EDITOR_ONLY := "starts scripts of the checkout"
const ONCE := "is about threads, processes and packets under load"

const NEEDS := {"test_eight_threads": "threads"}
const AttackRows := preload("attack_rows.gd")
const EngineProcess := preload("load/engine_process.gd")

const THREADS := 8
const LARGEST := 4096


## Tests three seconds, as many of control, and the answers; --long tests thirty, and the time of a frame.
func test_a_server_under_hostile_packets() -> void:
	var options := ["--seconds=30"] if long else ["--seconds=3", "--no-gate"]
	var words := EngineProcess.command("res://tests/load/server.gd", options)
	var output := []
	var code := OS.execute(words[0], words.slice(1), output, true)
	var text := str(output[0]).strip_edges() if not output.is_empty() else ""
	check(code == 0 and text.ends_with("PASS"), "the server ended with %d:\n%s" % [code, text])


## Tests eight threads, each with a codec of its own: every message gets the answer that it gets alone, down
## to the bytes that are written from the value, or the kind, place, path and message of the refusal.
func test_eight_threads() -> void:
	var messages := _messages()
	var alone := _answers(messages, 0, messages.size())
	var accepted := 0
	var different := {}
	for answer in alone:
		accepted += int(answer is PackedByteArray and not answer.is_empty())
		different[answer] = true
	check(different.size() > 200, "only %d different answers" % different.size())
	check(accepted > 50 and accepted < messages.size() - 50, "%d of %d accepted" % [accepted, messages.size()])
	var each := (1000000 if long else 100000) / THREADS
	var wrong := []
	wrong.resize(THREADS)
	wrong.fill(0)
	var work := func(thread: int) -> void:
		var answers := _answers(messages, thread * 31, each)
		for i in each:
			wrong[thread] += int(not _is_same(answers[i], alone[(thread * 31 + i) % messages.size()]))
	# Objects that are made once for all threads are no leak, so the first thread is not counted.
	var first := Thread.new()
	first.start(_answers.bind(messages, 0, messages.size()))
	first.wait_to_finish()
	first = null
	var objects := Performance.get_monitor(Performance.OBJECT_COUNT)
	var threads: Array[Thread] = []
	for i in THREADS:
		threads.append(Thread.new())
		threads[i].start(work.bind(i))
	for i in THREADS:
		threads[i].wait_to_finish()
	threads.clear()
	check_same(wrong.count(0), THREADS, "threads without a wrong answer of %s" % [wrong])
	check_same(Performance.get_monitor(Performance.OBJECT_COUNT), objects, "objects afterwards")


## Tests a thousand failures of each kind, of full objects too: no object is left.
func test_nothing_is_left_of_a_thousand_failures() -> void:
	var codec := VariantCodec.new()
	codec.full_objects = true
	codec.limits = VariantLimits.engine()
	var node := Node.new()
	var objects := var_to_bytes_with_objects([1, node, 2])
	node.free()
	var ids := var_to_bytes([EncodedObjectAsID.new(), 1]).slice(0, -2)
	var state := {"a": [1, 2]}
	for bytes: PackedByteArray in [objects, ids, var_to_bytes([[[1, "text"]], {}]).slice(0, -4)]:
		codec.decode(bytes)
		var count := Performance.get_monitor(Performance.OBJECT_COUNT)
		var failed := 0
		for i in 1000:
			failed += int(codec.decode(bytes) != OK and codec.decode_into(state, bytes) != OK)
		check_same(failed, 1000, "failures")
		check_same(Performance.get_monitor(Performance.OBJECT_COUNT), count, "objects afterwards")
	check_same(state, {"a": [1, 2]}, "what was decoded into")


func _messages() -> Array[PackedByteArray]:
	var rows := AttackRows.new()
	var messages: Array[PackedByteArray] = []
	for row in rows.rows():
		var bytes := rows.bytes(row.input)
		if bytes.size() <= LARGEST:
			messages.append(bytes)
	return messages


## Decodes `count` messages, and returns the bytes that are written from each accepted value, and all parts of
## each refusal.
func _answers(messages: Array[PackedByteArray], from: int, count: int) -> Array:
	var codec := VariantCodec.new()
	codec.limits = VariantLimits.network()
	var answers := []
	for i in count:
		var message := messages[(from + i) % messages.size()]
		var error := codec.decode(message)
		if error == OK:
			answers.append(codec.encode(codec.data))
		else:
			answers.append([error, codec.get_error(), codec.get_error_message()])
	return answers


## Compares two answers; `==` fails between bytes and a refusal.
static func _is_same(one: Variant, other: Variant) -> bool:
	return typeof(one) == typeof(other) and one == other
