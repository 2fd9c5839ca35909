extends RefCounted
## Lists the rows: what is timed, and how many times as fast as the engine it has to be, each way. It measures
## nothing.

const Values := preload("res://bench/values.gd")
const CODEC := "res://bench/codec_jobs.gd"
const INTO := "res://bench/into_jobs.gd"
const VALIDATE := "res://bench/validate_jobs.gd"
const STREAM := "res://bench/stream_jobs.gd"
const DEEP := "res://bench/deep_jobs.gd"
const SAVE_LOAD := "res://bench/save_load_jobs.gd"
const SAVE_PLAIN := "res://bench/save_plain_jobs.gd"
const SAVE_ASYNC := "res://bench/save_async_jobs.gd"
const SAVE_LIST := "res://bench/save_list_jobs.gd"
const PROTOCOL := "res://bench/protocol_jobs.gd"
const OBJECTS := "res://bench/objects_jobs.gd"
const OBJECTS_LOOP := "res://bench/objects_loop_jobs.gd"
const OBJECTS_CHECK := "res://bench/objects_check_jobs.gd"
const TIGHT := "res://bench/tight_jobs.gd"
const NEW_PATHS := "res://bench/new_paths_jobs.gd"
const RARE := "res://bench/rare_jobs.gd"
const RARE_INTO := "res://bench/rare_into_jobs.gd"
const RARE_SCHEMA := "res://bench/rare_schema_jobs.gd"
const RARE_STREAM := "res://bench/rare_stream_jobs.gd"
const REFUSED := "res://bench/refused_jobs.gd"
const REFUSED_UNLOGGED := "res://bench/refused_unlogged_jobs.gd"
## The goal of refusals with all messages off, as no game runs: those with the log have the goals that count.
const UNLOGGED_GOAL := 4.0
const SchemaValues := preload("res://bench/schema_values.gd")
const SCHEMA := "res://bench/schema_jobs.gd"
const SCHEMA_CHECK := "res://bench/schema_check_jobs.gd"
const SCHEMA_OBJECTS := "res://bench/schema_objects_jobs.gd"
const SCHEMA_REFUSED := "res://bench/schema_refused_jobs.gd"
const PackValues := preload("res://bench/pack_values.gd")
const PACK := "res://bench/pack_jobs.gd"
const PACK_LOSSLESS := "res://bench/pack_lossless_jobs.gd"
const PACK_DELTA := "res://bench/pack_delta_jobs.gd"
const PACK_REFUSED := "res://bench/pack_refused_jobs.gd"
const PACK_INTO := "res://bench/pack_into_jobs.gd"
const MOTION_DELTA := "res://bench/motion_delta_jobs.gd"
const MOTION_PEERS := "res://bench/motion_peers_jobs.gd"
const PROTOCOL_STATE := "res://bench/protocol_state_jobs.gd"

var _rows: Array[Dictionary] = []


func all() -> Array[Dictionary]:
	_packets()
	_schemas()
	_packing()
	_motion()
	_saves()
	_arrays()
	_texts()
	_dictionaries()
	_packed()
	_others()
	_rare()
	_tight()
	_save_files()
	_objects()
	_refused()
	_scaling()
	# This row is last, because 60 000 names that come and go fragment the memory of all rows after it.
	_told("array of node paths, all new", Values.node_paths.bind(5_000), NEW_PATHS)
	return _rows


## Adds a row; goals of 0 are for directions that are not timed.
func _row(name: String, make: Callable, encode: float, decode: float, jobs := "") -> void:
	var row := {"name": name, "make": make}
	if encode > 0.0:
		row.encode = encode
	if decode > 0.0:
		row.decode = decode
	if not jobs.is_empty():
		row.jobs = jobs
	_rows.append(row)


## Adds a row whose decoding is timed and not judged: docs/dev/BENCH.md says why.
func _told(name: String, make: Callable, jobs: String) -> void:
	_row(name, make, 0.0, 0.0, jobs)
	_rows[-1].decode = 0.0


func _packets() -> void:
	_row("packet", Values.packet, 6.0, 1.8)
	_row("packet, codec", Values.packet, 4.0, 1.6, CODEC)
	_row("packet as array", Values.packet_array, 4.0, 2.0)
	_row("packet, decode_into", Values.packet, 0.0, 3.0, INTO)
	_row("packet, validate", Values.packet, 0.0, 1.0, VALIDATE)
	# Against a dispatcher in GDScript that checks as much.
	_row("protocol, receive", load(PROTOCOL).move, 0.0, 3.3, PROTOCOL)
	_row("ten kinds of packets", Values.kinds, 1.0, 1.0)
	_row("stream of packets", Values.packets.bind(1000), 1.0, 1.0, STREAM)


## Adds the rows of schemas: the first against the engine's decoding alone, the second and third against
## checks in GDScript, the last against an accepted packet.
func _schemas() -> void:
	_row("schema, decode", SchemaValues.packet, 0.0, 1.0, SCHEMA)
	_row("schema, check by hand", SchemaValues.packet, 0.0, 10.0, SCHEMA_CHECK)
	_row("schema, check by objects", SchemaValues.packet, 0.0, 20.0, SCHEMA_OBJECTS)
	_row("schema, refused", SchemaValues.packet, 0.0, 1.0, SCHEMA_REFUSED)


## Adds the rows of packing by a schema, with the size of each: against the engine's functions, which check nothing, and a
## refused packet against an accepted one.
func _packing() -> void:
	_row("packing, a move", PackValues.move, 1.3, 0.9, PACK)
	_row("packing, 50 entities", PackValues.crowd.bind(0), 1.3, 1.4, PACK)
	_row("packing, 50 entities lossless", PackValues.crowd.bind(0), 1.3, 1.4, PACK_LOSSLESS)
	_row("packing, an inventory", PackValues.inventory, 1.3, 1.6, PACK)
	_row("packing, a tick as difference", PackValues.crowd.bind(3), 1.1, 1.2, PACK_DELTA)
	_row("packing, 50 entities, decode_into", PackValues.crowd.bind(0), 0.0, 12.0, PACK_INTO)
	_row("packing, a refused move", PackValues.move, 0.0, 1.0, PACK_REFUSED)
	_row("packing, 50 refused entities", PackValues.crowd.bind(0), 0.0, 1.0, PACK_REFUSED)


## Adds the rows of states that move: a tick of a server against the 4 ms that it may take, a difference from two states against
## one from one without columns, which may take two thirds of its time, and a received state against a dispatcher in GDScript.
## The 3.3 of a move are no goal of a state, which is applied to two others and built whole: it takes 2.4 times less.
func _motion() -> void:
	_row("states, 1000 bodies to 32 peers", load(MOTION_PEERS).bodies, 1.0, 0.0, MOTION_PEERS)
	_row("packing, 250 bodies from two states", load(MOTION_DELTA).bodies, 0.67, 0.0, MOTION_DELTA)
	_row("protocol, receive 50 entities", load(PROTOCOL_STATE).crowd.bind(0), 0.0, 2.2, PROTOCOL_STATE)


func _saves() -> void:
	_row("save of 200", Values.save.bind(200), 10.0, 2.0)
	_row("save of 20000", Values.save.bind(20_000), 4.5, 1.9)
	_row("save of 200, validate", Values.save.bind(200), 0.0, 1.0, VALIDATE)
	_row("save of 20000, validate", Values.save.bind(20_000), 0.0, 1.0, VALIDATE)
	_row("save of 200, decode_into", Values.save.bind(200), 0.0, 1.0, INTO)


func _arrays() -> void:
	_row("array of ints", Values.ints.bind(1_000_000), 3.2, 5.5)
	_row("array of floats", Values.floats.bind(1_000_000), 3.2, 5.5)
	_row("array of vectors", Values.vectors.bind(100_000), 3.4, 9.0)
	_row("Array[int]", Values.typed_ints.bind(1_000_000), 3.2, 4.3)
	_row("Array[String]", Values.typed_strings.bind(100_000), 9.0, 2.5)
	_row("wide ints and floats", Values.wide.bind(100_000), 1.0, 1.0)
	_row("array of transforms", Values.transforms.bind(20_000), 1.0, 1.0)
	_row("array of names", Values.names.bind(100_000), 1.0, 1.0)
	_row("array of node paths", Values.node_paths.bind(5_000), 1.0, 1.0)
	_row("array of 200 node paths", Values.node_paths.bind(200), 1.0, 1.0)
	_row("array of packed arrays", Values.packed_arrays.bind(5_000), 1.0, 1.0)


func _texts() -> void:
	_row("text, ASCII", Values.text.bind("ascii", 1_000_000), 4.5, 2.2)
	_row("text, ASCII but for its end", func() -> Variant: return "x".repeat(999_999) + "é", 1.0, 1.0)
	_row("text, CJK", Values.text.bind("cjk", 340_000), 4.8, 3.5)
	_row("text, Cyrillic", Values.text.bind("cyrillic", 550_000), 6.0, 1.9)
	_row("text, mixed with emoji", Values.text.bind("mixed", 300_000), 4.7, 1.2)
	_row("packed strings, ASCII", Values.packed_strings.bind("ascii", 100_000), 8.0, 1.8)
	_row("packed strings, others", Values.packed_strings.bind("mixed", 100_000), 2.9, 1.5)


func _dictionaries() -> void:
	_row("dictionary, int keys", Values.dictionary.bind("int", 100_000), 3.5, 1.1)
	_row("dictionary, String keys", Values.dictionary.bind("String", 100_000), 7.0, 1.3)
	_row("dictionary, name keys", Values.dictionary.bind("StringName", 100_000), 2.8, 1.05)
	_row("dictionary, typed", Values.typed_dictionary.bind(20_000), 1.0, 1.0)
	for kind: String in ["NodePath", "Array"]:
		_told("dictionary, 200 %s keys" % kind, Values.dictionary_by.bind(kind, 200), RARE)
		_told("dictionary, 200 %s keys, decode_into" % kind, Values.dictionary_by.bind(kind, 200), RARE_INTO)
	_row("nesting of 200", Values.nested.bind(200), 6.0, 1.3, DEEP)
	_row("deep mixed tree", Values.tree.bind(6), 1.0, 1.0)


func _packed() -> void:
	for type: int in [TYPE_PACKED_BYTE_ARRAY, TYPE_PACKED_INT32_ARRAY, TYPE_PACKED_INT64_ARRAY,
			TYPE_PACKED_FLOAT32_ARRAY, TYPE_PACKED_FLOAT64_ARRAY, TYPE_PACKED_VECTOR2_ARRAY,
			TYPE_PACKED_VECTOR3_ARRAY, TYPE_PACKED_VECTOR4_ARRAY, TYPE_PACKED_COLOR_ARRAY]:
		_row(type_string(type), Values.packed.bind(type, 1_000_000), 0.95, 0.95)


func _others() -> void:
	_row("one int", func() -> Variant: return 5, 1.0, 1.0)
	_row("one short text", func() -> Variant: return "player", 1.0, 1.0)
	_row("empty dictionary", func() -> Variant: return {}, 1.0, 1.0)
	_row("one matrix", func() -> Variant: return Transform3D.IDENTITY, 1.0, 1.0)
	_row("one name", func() -> Variant: return &"jumped", 1.0, 1.0)
	_row("array of two ints", Values.ints.bind(2), 1.0, 1.0)
	_row("two arrays of two", func() -> Variant: return [[1, 2], [3, 4]], 1.0, 1.0)
	_row("dictionary of one int key", func() -> Variant: return {1: 1}, 1.0, 1.0)
	_row("dictionary of two", func() -> Variant: return {"x": 1, "y": 2}, 1.0, 1.0)
	_row("ten ints", Values.ints.bind(10), 1.0, 1.0)
	_row("dictionary of names", func() -> Variant: return {&"state": &"idle", &"hp": 10}, 1.0, 1.0)
	_row("dictionary of Vector2i keys", func() -> Variant: return {Vector2i.ZERO: 1, Vector2i.ONE: 2}, 1.0, 1.0)
	_row("dictionary of 20 int keys", Values.dictionary.bind("int", 20), 1.0, 1.0)
	_row("Dictionary[String, int] of two", Values.typed_dictionary.bind(2), 1.0, 1.0)
	_row("Array[StringName] of two", func() -> Variant: return [&"idle", &"run"] as Array[StringName], 1.0, 1.0)
	_row("dictionary of a path", func() -> Variant: return {"target": ^"Player/Weapon"}, 1.0, 1.0)
	_row("entity", Values.entity, 1.0, 1.0)
	_row("three packed strings", func() -> Variant: return PackedStringArray(["a", "b", "c"]), 1.0, 1.0)
	_row("a Russian sentence", func() -> Variant: return "Привет, мир! Как дела?", 1.0, 1.0)
	_row("PackedByteArray of 100", Values.packed.bind(TYPE_PACKED_BYTE_ARRAY, 100), 1.0, 1.0)
	_row("PackedFloat32Array of 100", Values.packed.bind(TYPE_PACKED_FLOAT32_ARRAY, 100), 1.0, 1.0)


## Adds values that a limit might refuse, so that a walk judges them before they are built.
func _tight() -> void:
	_row("packet, tight", Values.packet, 0.0, 1.0, TIGHT)
	_row("save of 200, tight", Values.save.bind(200), 0.0, 1.0, TIGHT)
	_row("save of 20000, tight", Values.save.bind(20_000), 0.0, 1.0, TIGHT)
	_row("dictionary, int keys, tight", Values.dictionary.bind("int", 100_000), 0.0, 1.0, TIGHT)
	_row("dictionary, String keys, tight", Values.dictionary.bind("String", 100_000), 0.0, 1.0, TIGHT)
	_row("array of names, tight", Values.names.bind(100_000), 0.0, 1.0, TIGHT)
	_row("array of node paths, tight", Values.node_paths.bind(5_000), 0.0, 1.0, TIGHT)


## Adds a value without a fast path among many that have one.
func _rare() -> void:
	for kind: String in ["Array[Resource]", "Dictionary[String, Resource]", "a container as key", "a RID"]:
		_row("packet with " + kind, Values.packet_with.bind(kind), 0.0, 1.0, RARE)
		_row("300 KB with " + kind, Values.entities_with.bind(kind), 0.0, 1.0, RARE)
	_row("300 KB with all of them, decode_into", Values.entities_with.bind("all of them"), 0.0, 1.0, RARE_INTO)
	_row("300 KB with all of them, schema", Values.entities_with.bind("all of them"), 0.0, 1.0, RARE_SCHEMA)
	_row("300 KB with all of them, reader", Values.entities_with.bind("all of them"), 0.0, 1.0, RARE_STREAM)


## Adds the rows of VariantSave: a checked load against the engine's unchecked one, and against a load of a plain file, which
## may take 1.25 times as long; what save_async() costs the main thread; and a list of slots in 10 ms.
func _save_files() -> void:
	_row("save file, checked load", Values.save.bind(4_500), 0.0, 1.0, SAVE_LOAD)
	_row("save file, against a plain one", Values.save.bind(4_500), 0.0, 0.8, SAVE_PLAIN)
	_row("save file, main thread", Values.save.bind(4_500), 1.0, 0.0, SAVE_ASYNC)
	_row("save file, list of 100 slots", Values.save.bind(20), 0.0, 1.0, SAVE_LIST)


## Adds the rows of objects by a VariantClassSet: against the engine's functions with objects, which may take 0.85 of the time
## to decode, a quarter of it to encode and a twentieth of it to check; against a loop by hand; and of one object, against such
## a loop, which may take 1.2 times as long.
func _objects() -> void:
	_row("objects, 20000", Values.objects.bind(20_000), 4.0, 1.18, OBJECTS)
	_row("objects, 20000, validate", Values.objects.bind(20_000), 0.0, 20.0, OBJECTS_CHECK)
	_row("objects, 20000, loop by hand", Values.objects.bind(20_000), 1.0, 1.0, OBJECTS_LOOP)
	_row("objects, 10", Values.objects.bind(10), 1.0, 1.0, OBJECTS)
	_row("objects, one, loop by hand", Values.objects.bind(1), 0.0, 0.83, OBJECTS_LOOP)


## Adds the rows of refusals, against the engine's refusal as in every game, with a line in the log, and with
## all of its messages off, where only its bare work is left.
func _refused() -> void:
	_refused_row("packet, refused", Values.packet, 10.0)
	_refused_row("save of 200, refused at its end", Values.save.bind(200), 1.0)
	_refused_row("refused: 2^31 - 1 elements", Values.claimed_elements, 10.0)
	_refused_row("refused: unknown type", Values.unknown_type, 10.0)
	_refused_row("refused: no UTF-8", Values.broken_text, 10.0)


func _refused_row(name: String, make: Callable, goal: float) -> void:
	_row(name, make, 0.0, goal, REFUSED)
	_row(name + ", unlogged", make, 0.0, minf(goal, UNLOGGED_GOAL), REFUSED_UNLOGGED)


## Adds rows for the cost of a value in arrays from few values to many, of the types that games have.
func _scaling() -> void:
	for power in range(1, 7):
		var count := int(pow(10, power))
		_row("%d values" % count, Values.mixed.bind(count), 1.0, 1.0)
		_rows[-1].values = count
