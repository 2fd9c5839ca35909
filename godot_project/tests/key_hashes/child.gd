extends SceneTree
## Prints verdicts on dictionaries and the memory that a check takes, for key_hashes_test.gd. That test starts
## it with an environment of its own. It judges nothing.

const ProcessMemory := preload("../process_memory.gd")
const BIG := 1 << 25


func _initialize() -> void:
	var codec := VariantCodec.new()
	codec.limits = VariantLimits.network()
	codec.limits.max_bytes = 2 * BIG
	codec.limits.max_heap_bytes = 8 * BIG
	var ordinary := {}
	var flood := {}
	for i in 2048:
		ordinary["item_%d" % i] = i
		flood[_of_one_hash(i)] = i
	var report := {"grown": _grown_by_check(codec)}
	for name: String in ["ordinary", "flood"]:
		var bytes := VariantStream.encode(ordinary if name == "ordinary" else flood)
		var verdicts := [codec.decode(bytes), codec.validate(bytes), codec.decode_into({}, bytes)]
		report[name] = verdicts
	report.small = [codec.decode(VariantStream.encode({"a": 1, 2: [{Vector2i(): 3}]}))]
	codec.limits = VariantLimits.save_file()
	var keyed := {}
	for number in 64:
		keyed[[NodePath("path/%d" % number)]] = number
	report.grown_by_keys = _grown_by_check(codec, keyed)
	codec.limits.max_key_probes = 16
	report.paths = _verdicts(codec, func(number: int) -> Variant: return NodePath("path/%d" % number))
	report.lists = _verdicts(codec, func(number: int) -> Variant: return [NodePath("path/%d" % number)])
	report.numbers = _verdicts(codec, func(number: int) -> Variant: return number)
	print("report ", Marshalls.variant_to_base64(report))
	quit()


## Collects the verdicts on many keys: as they are, in the midst of others, and under a schema.
func _verdicts(codec: VariantCodec, key: Callable) -> Array:
	var many := {}
	for number in 256:
		many[key.call(number)] = number
	var verdicts := []
	for value: Variant in [many, {"name": "x", "many": [many]}]:
		var bytes := VariantStream.encode(value)
		for schema: VariantSchema in [null, VariantSchema.any()]:
			codec.schema = schema
			verdicts += [codec.decode(bytes), codec.validate(bytes), codec.decode_into(value.duplicate(true), bytes)]
	codec.schema = null
	return verdicts


func _grown_by_check(codec: VariantCodec, keyed := {}) -> int:
	var big := PackedByteArray()
	big.resize(BIG)
	var bytes := VariantStream.encode([keyed, big])
	var memory := ProcessMemory.new()
	memory.reset()
	var before := memory.peak()
	codec.validate(bytes)
	return memory.peak() - before


## Spells texts of one hash: "aB" and "b!" hash alike, and so do texts that are spelled with them.
func _of_one_hash(number: int) -> String:
	var key := ""
	for bit in 11:
		key += "aB" if number >> bit & 1 else "b!"
	return key
