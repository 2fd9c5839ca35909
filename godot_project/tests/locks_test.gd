extends "engine_suite.gd"
## Tests that no lock is held while a script runs: checks, getters, loggers, and what ends when a handler, a schema or a
## result makes room may all use the very object that led to them. A fault shows as a hang. stream/waits.gd has the one about jobs.


## Does something when it ends.
class Mortal:
	extends RefCounted

	var deed: Callable

	func _init(last_deed: Callable) -> void:
		deed = last_deed

	func _notification(what: int) -> void:
		if what == NOTIFICATION_PREDELETE and deed.is_valid():
			deed.call()


## Does something when it is put into words.
class Talker:
	extends RefCounted

	var deed: Callable

	func _to_string() -> String:
		deed.call()
		return "talker"


func test_a_check_may_ask_the_protocol_that_it_serves() -> void:
	var protocol := VariantProtocol.new()
	var answers := []
	var weak: WeakRef = weakref(protocol)
	var asks := func(number: int) -> bool:
		if number == 1:
			var asked: VariantProtocol = weak.get_ref()
			answers.append([asked.get_stats().rejected, asked.send(&"buy", 2), asked.encode(&"buy", 2).size()])
		return number < 50
	protocol.add(&"buy", VariantSchema.int(0, 100).check_with(asks), {"sender": VariantProtocol.BOTH})
	protocol.add_state(&"shop", VariantSchema.dict({"price": VariantSchema.int(0, 100).check_with(asks)}))
	protocol.carrier = func(_peer: int, _packet: PackedByteArray, _mode: int) -> void: pass
	protocol.on(&"buy", Callable())
	protocol.connect_peer(4)
	protocol.greet_peer(4)
	check_error(protocol.send(&"buy", 1), OK, "send: " + protocol.get_error_message())
	check_error(protocol.queue(&"buy", 1), OK, "queue: " + protocol.get_error_message())
	check_error(protocol.send_state(&"shop", {"price": 1}), OK, "send_state: " + protocol.get_error_message())
	check_same(protocol.encode(&"buy", 1).size(), 2, "encode")
	check_error(protocol.receive(4, protocol.encode(&"buy", 1)), OK, "receive")
	check_same(answers.size(), 6, "times that a check asked")
	for answer: Array in answers:
		check_same(answer, [0, OK, 2], "what it was told")
	check(protocol.send(&"buy", 60) != OK, "a refused value is sent")
	check_same(protocol.get_error().code, VariantCodec.CHECK_FAILED, protocol.get_error_message())


func test_what_ends_may_ask_the_protocol_that_held_it() -> void:
	var protocol := VariantProtocol.new()
	protocol.add(&"chat", VariantSchema.string().max_chars(8))
	var weak: WeakRef = weakref(protocol)
	var told := []
	var ask := func() -> void: told.append((weak.get_ref() as VariantProtocol).get_stats().rejected)
	_handle(protocol, Mortal.new(ask))
	_handle(protocol, null)
	check_same(told.size(), 1, "a handler makes room")
	protocol.is_well_formed()
	_handle(protocol, Mortal.new(ask))
	_handle(protocol, null)
	check_same(told.size(), 2, "a handler makes room while the protocol runs")
	_carry(protocol, Mortal.new(ask))
	_carry(protocol, null)
	check_same(told.size(), 3, "a carrier makes room")
	_limit(protocol, Mortal.new(ask))
	_limit(protocol, null)
	check_same(told.size(), 4, "limits make room")
	var talker := Talker.new()
	talker.deed = ask
	expect_error("VariantProtocol.policy")
	protocol.policy = {"decay": talker}
	check(told.size() > 4, "a policy is put into words")
	talker.deed = Callable()


# What a call makes on its way ends with it, so each of these is one.
func _handle(protocol: VariantProtocol, kept: RefCounted) -> void:
	check_error(protocol.on(&"chat", _keeping(kept)), OK, "on")


func _carry(protocol: VariantProtocol, kept: RefCounted) -> void:
	protocol.carrier = _keeping(kept)


func _limit(holder: RefCounted, kept: RefCounted) -> void:
	var limits := VariantLimits.network()
	limits.set_meta(&"kept", kept)
	holder.set(&"limits", limits)


func _keeping(kept: RefCounted) -> Callable:
	return func(_peer: int, _value: Variant, _mode := 0) -> void: print(kept)


func test_a_logger_may_ask_who_complains() -> void:
	if not ClassDB.class_exists(&"Logger"):
		return
	var script := GDScript.new()
	script.source_code = "extends Logger\nvar deed: Callable\n" \
			+ "func _log_error(_f, _g, _l, _c, _r, _e, _t, _b) -> void:\n\tdeed.call()\n"
	check_error(script.reload(), OK, "the logger")
	var logger: Object = script.new()
	var protocol := VariantProtocol.new()
	var wrong := VariantSchema.int(5, 4)
	var told := []
	logger.deed = func() -> void: told.append([protocol.get_stats().rejected, wrong.is_valid(5)])
	OS.call(&"add_logger", logger)
	expect_error("VariantSchema")
	protocol.add(&"wrong", wrong)
	check(not protocol.is_well_formed(), "it is well formed")
	var other := VariantSchema.int(7, 4)
	expect_error("VariantSchema")
	check(not other.is_valid(5), "a value is valid")
	expect_error("VariantSchema")
	check_same(VariantSchema.int(9, 4).coerce(5), null, "what a value becomes")
	OS.call(&"remove_logger", logger)
	check(told.size() >= 3, "the logger heard %d" % told.size())
	logger.deed = Callable()


func test_what_ends_may_ask_the_save_that_held_it() -> void:
	var told := []
	var save := VariantSave.new()
	var weak: WeakRef = weakref(save)
	var ask := func() -> void: told.append((weak.get_ref() as VariantSave).version)
	_hold(save, ask)
	_hold(save, Callable())
	check_same(told.size(), 3, "a schema, a step and classes make room")
	_limit(save, Mortal.new(ask))
	_limit(save, null)
	check_same(told.size(), 4, "limits make room")


func _hold(save: VariantSave, ask: Callable) -> void:
	save.schema = _checked_by(Mortal.new(ask))
	save.migrate(1, func(data: Variant) -> Variant: return data, "", {"schema": _checked_by(Mortal.new(ask))})
	save.classes = VariantClassSet.new()
	save.classes.set_meta(&"kept", Mortal.new(ask))


func _checked_by(kept: RefCounted) -> VariantSchema:
	return VariantSchema.int().check_with(_asking(kept))


func _asking(kept: RefCounted) -> Callable:
	return func(_value: Variant) -> bool: return kept == null
