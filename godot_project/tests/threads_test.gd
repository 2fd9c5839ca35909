extends "suite.gd"
## Tests the classes off the main thread: made there, called from pools, one codec shared by mistake, errors
## per thread.

const NEEDS := {"*": "threads"}
const ROUNDS := 3000
const WORKERS := 4
const STATE := {"players": [{"hp": 80, "name": "Zoë"}, {"hp": 1, "name": "Bo"}], "tick": 77}


func test_codec_made_in_a_thread() -> void:
	var thread := Thread.new()
	thread.start(func() -> Variant:
		var codec := VariantCodec.new()
		codec.limits = VariantLimits.network()
		return codec.data if codec.decode(codec.encode(STATE)) == OK else codec.get_error())
	check_same(thread.wait_to_finish(), STATE, "from a thread")


func test_static_calls_from_the_pool() -> void:
	var right := [0, 0, 0, 0]
	var work := func(worker: int) -> void:
		for i in ROUNDS:
			var value := {"worker": worker, "round": i, "state": STATE}
			var bytes := VariantStream.encode(value)
			right[worker] += int(bytes == var_to_bytes(value) and VariantStream.decode(bytes, {}) == value)
	var task := WorkerThreadPool.add_group_task(work, WORKERS, WORKERS)
	WorkerThreadPool.wait_for_group_task_completion(task)
	check_same(right, [ROUNDS, ROUNDS, ROUNDS, ROUNDS], "right results per worker")


func test_one_codec_each() -> void:
	var right := [0, 0, 0, 0]
	var work := func(worker: int) -> void:
		var codec := VariantCodec.new()
		for i in ROUNDS:
			right[worker] += int(codec.decode(codec.encode([worker, i])) == OK and codec.data == [worker, i])
	var task := WorkerThreadPool.add_group_task(work, WORKERS, WORKERS)
	WorkerThreadPool.wait_for_group_task_completion(task)
	check_same(right, [ROUNDS, ROUNDS, ROUNDS, ROUNDS], "right results per worker")


## Tests a mistake in the game: one codec in two threads. Every answer is right or ERR_BUSY, and nothing
## breaks.
func test_one_codec_in_two_threads_is_busy_or_right() -> void:
	var codec := VariantCodec.new()
	var bytes := VariantStream.encode(range(2000))
	var answers := [{}, {}]
	var rounds := [0, 0]
	var work := func(worker: int) -> void:
		for i in ROUNDS / 4:
			var error := codec.decode(bytes)
			answers[worker][error] = answers[worker].get(error, 0) + 1
			var written := codec.encode(STATE)
			if not written.is_empty() and written != var_to_bytes(STATE):
				answers[worker]["wrong bytes"] = true
			rounds[worker] += 1
	var task := WorkerThreadPool.add_group_task(work, 2, 2)
	WorkerThreadPool.wait_for_group_task_completion(task)
	check_same(rounds, [ROUNDS / 4, ROUNDS / 4], "rounds of each")
	for answer: Dictionary in answers:
		for error: Variant in answer:
			check(error is int and (error == OK or error == ERR_BUSY), "answers %s" % [answers])
	check_error(codec.decode(bytes), OK, "the codec afterwards")
	check_same(codec.data, range(2000), "the codec's data afterwards")


func test_last_error_belongs_to_the_thread() -> void:
	VariantStream.decode(PackedByteArray([1, 2, 3]))
	var mine := VariantStream.get_last_error()
	check(not mine.is_empty(), "no error in this thread")
	var thread := Thread.new()
	thread.start(func() -> Array:
		var before := VariantStream.get_last_error()
		VariantStream.decode(VariantStream.encode({"there": 5}).slice(0, -4))
		return [before, VariantStream.get_last_error().get("path")])
	check_same(thread.wait_to_finish(), [{}, "there"], "the other thread's error")
	check_same(VariantStream.get_last_error(), mine, "this thread's error")
