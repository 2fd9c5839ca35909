extends RefCounted
## Causes every kind of error that a script can cause, for the table in docs/ERRORS.md. There is one example
## for each; strictness_test.gd and limits_test.gd test which inputs lead to which kind.

const Cast := preload("objects/cast.gd")

## The kinds that no example can show, with the reason.
const UNSHOWN := {
	"TOO_LONG": "would take 2 GiB; see tests/tests/errors.rs",
	"ILL_FORMED_SCHEMA": "is a mistake in code, and logged as one",
	"NOT_CONSTRUCTED": "is code of the game's own that failed; see objects_test.gd",
	"REFUSED": "a sink of the Rust crate may say so; see tests/tests/errors.rs",
}

## Bytes that a codec with limits save_file() refuses.
const BYTES := {
	"INCOMPLETE": "02000000",
	"UNKNOWN_TYPE": "27000000",
	"INVALID_LENGTH": "04000000 ffffffff",
	"INVALID_UTF8": "04000000 01000000 80000000",
	"INVALID_NODE_PATH": "16000000 03000000 612f6200",
	"INVALID_ELEMENT_TYPE": "1c000100 27000000 00000000",
	"UNKNOWN_FLAGS": "00010000",
	"INVALID_BOOL": "01000000 02000000",
	"DIRTY_PADDING": "04000000 03000000 616263ff",
	"LEADING_BOM": "04000000 04000000 efbbbf78",
	"EMBEDDED_NUL": "04000000 03000000 61006200",
	"DUPLICATE_KEY": "1b000000 02000000 02000000 01000000 00000000 02000000 01000000 00000000",
	"WRONG_ELEMENT_TYPE": "1c000100 02000000 01000000 04000000 01000000 78000000",
	"TRAILING_BYTES": "00000000 00000000",
	"TYPE_NOT_ALLOWED": "17000000 07000000 00000000",
}

## A limit, its setting, and a value beyond it.
const BEYOND := {
	"TOO_MANY_BYTES": [&"max_bytes", 8, "a long text"],
	"TOO_DEEP": [&"max_depth", 2, {"items": [{}]}],
	"TOO_MANY_VALUES": [&"max_values", 3, [1, 2, 3]],
	"TOO_MANY_ENTRIES": [&"max_entries", 1, {"items": {1: 1, 2: 2}}],
	"STRING_TOO_LONG": [&"max_string_bytes", 8, {"name": "a long text"}],
	"PATH_TOO_LONG": [&"max_path_segments", 1, ^"a/b"],
	"TOO_MUCH_MEMORY": [&"max_heap_bytes", 1000, {"items": ["a", "b", [1, 2, 3]]}],
	"KEY_TYPE_NOT_ALLOWED": [&"allowed_key_types", 1 << TYPE_STRING, {"scores": {1: 10}}],
}

## A schema in its JSON form, and a value that it refuses.
const UNLIKE := {
	"WRONG_TYPE": [{"type": "int"}, "text"],
	"OUT_OF_RANGE": [{"type": "int", "min": 1, "max": 99}, 250],
	"NOT_MULTIPLE": [{"type": "int", "multiple_of": 5}, 7],
	"WRONG_SIZE": [{"type": "string", "max_chars": 3}, "a long text"],
	"PATTERN_MISMATCH": [{"type": "string", "pattern": "^[a-z]+$"}, "Name"],
	"NOT_FINITE": [{"type": "vector2"}, Vector2.INF],
	"NOT_NORMALIZED": [{"type": "vector2", "normalized": true}, Vector2(3, 4)],
	"NOT_IN_ENUM": [{"type": "enum", "values": ["none", "jump"]}, "dance"],
	"MISSING_KEY": [{"type": "dict", "keys": {"hp": {"type": "int"}}}, {}],
	"UNKNOWN_KEY": [{"type": "dict", "keys": {}}, {"cheat": true}],
	"NOT_UNIQUE": [{"type": "array", "items": {"type": "int"}, "unique": true}, [1, 2, 1]],
	"NO_ALTERNATIVE": [{"type": "union", "of": [{"type": "int", "max": 9}, {"type": "int", "min": 90}]}, 50],
}

## The names of the codes that refused calls return.
const CODES := {
	FAILED: "FAILED", ERR_UNAVAILABLE: "ERR_UNAVAILABLE", ERR_UNAUTHORIZED: "ERR_UNAUTHORIZED",
	ERR_OUT_OF_MEMORY: "ERR_OUT_OF_MEMORY", ERR_FILE_EOF: "ERR_FILE_EOF", ERR_LOCKED: "ERR_LOCKED",
	ERR_FILE_NOT_FOUND: "ERR_FILE_NOT_FOUND", ERR_CONNECTION_ERROR: "ERR_CONNECTION_ERROR", ERR_SKIP: "ERR_SKIP",
	ERR_FILE_UNRECOGNIZED: "ERR_FILE_UNRECOGNIZED", ERR_FILE_CORRUPT: "ERR_FILE_CORRUPT",
	ERR_INVALID_DATA: "ERR_INVALID_DATA", ERR_INVALID_PARAMETER: "ERR_INVALID_PARAMETER", ERR_BUSY: "ERR_BUSY",
}
const NO_BYTES := "no bytes"

## An object whose stored property runs `hook` when it is read, that is while it is encoded.
const Watched := preload("watched.gd")


## Returns {code, returns, message} of a call that fails with the kind called `name`; empty when there is
## none.
static func provoke(name: String) -> Dictionary:
	var codec := VariantCodec.new()
	if name in BYTES:
		return _told(codec, codec.decode(BYTES[name].replace(" ", "").hex_decode()))
	if name in BEYOND:
		codec.limits = VariantLimits.save_file()
		codec.limits.set(BEYOND[name][0], BEYOND[name][1])
		return _told(codec, codec.decode(var_to_bytes(BEYOND[name][2])))
	if name in UNLIKE:
		var form: Dictionary = UNLIKE[name][0].merged({"schema_version": 1})
		codec.schema = VariantSchema.from_json(JSON.stringify(form))
		return _told(codec, codec.decode(var_to_bytes(UNLIKE[name][1])))
	match name:
		"CHECK_FAILED":
			codec.schema = VariantSchema.int().check_with(func(number: int) -> bool: return number % 2 == 0)
			return _told(codec, codec.decode(var_to_bytes(3)))
		"TOO_MANY_PROBES":
			codec.limits = VariantLimits.save_file()
			codec.limits.max_key_probes = 0
			var scores := {}
			for i in 2000:
				scores[i] = 0
			return _told(codec, codec.decode(var_to_bytes(scores)))
		"OUTPUT_TOO_LARGE":
			codec.limits = VariantLimits.save_file()
			codec.limits.max_output_bytes = 8
			return _unwritten(codec, "a long text")
		"OBJECT_NOT_ALLOWED":
			codec.limits = VariantLimits.engine()
			return _told(codec, codec.decode(var_to_bytes_with_objects(RefCounted.new())))
		"NOT_INSTANTIABLE":
			return _unwritten(codec, [Input])
		"SCRIPT_WITHOUT_PATH":
			return _unwritten(codec, [_object_of_unsaved_script()])
		"CHANGED_WHILE_ENCODING":
			var list := [Watched.new(), 2]
			list[0].hook = list.clear
			return _unwritten(codec, {"list": list})
		"NOT_CANONICAL":
			codec.strictness = VariantCodec.CANONICAL
			return _told(codec, codec.decode("1c000000 01000000 02000100 05000000 00000000".replace(" ", "").hex_decode()))
		"NOT_IN_DIALECT":
			codec.dialect = VariantStream.GODOT_3
			return _unwritten(codec, {"cell": Vector2i.ONE})
		"INVALID_ARGUMENT":
			return _told(codec, codec.call(&"decode", "text"))
		"BUSY":
			return _busy(codec)
		"FILE_FAILED":
			var reader := VariantReader.new()
			return _told(reader, reader.open_file("user://no/such/file.bin"))
		"PEER_FAILED":
			var reader := VariantReader.new()
			return _told(reader, reader.feed_peer(StreamPeerTCP.new()))
		"CANCELLED":
			return _cancelled()
		"NOT_A_SAVE", "SAVE_DAMAGED", "SAVE_CUT_SHORT", "SAVE_NEWER", "WRONG_KEY", "NOT_AUTHENTIC", "NO_INTACT_SAVE", \
		"MIGRATION_MISSING", "MIGRATION_FAILED", "SAVE_LOCKED":
			return _of_save(name)
		"NOT_A_DOCUMENT", "CLASS_NOT_ALLOWED", "CLASS_NEWER", "UNKNOWN_PROPERTY", "WRONG_CLASS", "BAD_REFERENCE", \
		"UNUSED_OBJECT", "TOO_MANY_OBJECTS", "SCRIPT_IN_DATA", "CIRCULAR_REFERENCE":
			return _of_objects(name)
		"UNKNOWN_MESSAGE", "WRONG_DIRECTION", "RATE_LIMITED", "PROTOCOL_MISMATCH", "NOT_GREETED", "BAD_CONTROL", \
		"PEER_NOT_HEARD", "BASELINE_MISMATCH":
			return _of_protocol(name)
		"UNPACKABLE", "SCHEMA_MISMATCH":
			return _of_packing(name)
	return {}


## Returns the error of a protocol that has one message of clients and one state.
static func _of_protocol(name: String) -> Dictionary:
	var sides: Array[VariantProtocol] = [VariantProtocol.new(), VariantProtocol.new()]
	sides[1].role = VariantProtocol.ROLE_CLIENT
	for side in sides:
		side.add(&"move", VariantSchema.int(0, 100), {"sender": VariantProtocol.CLIENT, "rate": 1})
		side.add_state(&"world", VariantSchema.int(0, 100))
		side.on(&"move", Callable())
	sides[0].connect_peer(2)
	sides[1].connect_peer(1)
	sides[1].greet_peer(1)
	var move := sides[1].encode(&"move", 5)
	match name:
		"UNKNOWN_MESSAGE":
			return _told(sides[0], sides[0].receive(2, PackedByteArray([9])))
		"WRONG_DIRECTION":
			return _told(sides[0], sides[0].receive(2, PackedByteArray([2, 1, 0, 0, 5])))
		"RATE_LIMITED":
			sides[0].greet_peer(2)
			sides[0].receive(2, move)
			return _told(sides[0], sides[0].receive(2, move))
		"PROTOCOL_MISMATCH":
			var other := VariantProtocol.new()
			other.add(&"move", VariantSchema.string().max_chars(5), {"sender": VariantProtocol.BOTH})
			return _told(sides[0], sides[0].check_hello(other.hello()))
		"NOT_GREETED":
			return _told(sides[0], sides[0].receive(2, move))
		"BAD_CONTROL":
			return _told(sides[0], sides[0].receive(2, PackedByteArray([0, 77])))
		"PEER_NOT_HEARD":
			sides[0].greet_peer(2)
			return _told(sides[1], sides[1].send(&"move", 5, 1))
		"BASELINE_MISMATCH":
			return _told(sides[1], sides[1].receive(1, PackedByteArray([2, 9, 0, 1, 0, 0, 5])))
	return {}


## Packs what cannot be packed, or unpacks what another schema or baseline is for.
static func _of_packing(name: String) -> Dictionary:
	var codec := VariantCodec.new()
	codec.form = VariantCodec.FORM_PACKED
	codec.schema = VariantSchema.int(0, 100)
	var packed := codec.encode(80)
	codec.baseline = packed
	match name:
		"UNPACKABLE":
			codec.schema = VariantSchema.rid()
			packed = codec.encode(RID())
		"SCHEMA_MISMATCH":
			codec.schema = VariantSchema.string()
			packed = codec.apply_delta(packed)
		"BASELINE_MISMATCH":
			var delta := codec.encode(81)
			codec.baseline = codec.schema.pack(79)
			packed = codec.apply_delta(delta)
	return {"code": codec.get_error().get("code", 0), "returns": NO_BYTES if packed.is_empty() else "bytes",
		"message": codec.get_error_message()}


## Returns the error of `told`, an object that has get_error().
static func _told(told: Object, returned: Error) -> Dictionary:
	return {"code": told.call("get_error").get("code", 0), "returns": CODES.get(returned, str(returned)),
		"message": told.call("get_error_message")}


static func _unwritten(codec: VariantCodec, value: Variant) -> Dictionary:
	codec.full_objects = true
	codec.limits = codec.limits if codec.limits else VariantLimits.engine()
	var bytes := codec.encode(value)
	return {"code": codec.get_error().get("code", 0), "returns": NO_BYTES if bytes.is_empty() else "bytes",
		"message": codec.get_error_message()}


## Uses a codec in a getter of the very object that it encodes.
static func _busy(codec: VariantCodec) -> Dictionary:
	var seen := {}
	var watched := Watched.new()
	watched.hook = func() -> void: seen.merge(_told(codec, codec.decode(PackedByteArray())))
	codec.limits = VariantLimits.engine()
	codec.full_objects = true
	codec.encode(watched)
	watched.hook = Callable()
	return seen


## Spoils a document of two objects.
static func _of_objects(name: String) -> Dictionary:
	var codec := VariantCodec.new()
	codec.classes = Cast.classes()
	codec.limits = VariantLimits.network()
	var hero := Cast.Hero.new()
	hero.items = [Cast.Item.new()]
	var document: Array = bytes_to_var(codec.encode([hero]))
	match name:
		"NOT_A_DOCUMENT":
			document[0] = "hello"
		"CLASS_NOT_ALLOWED":
			document[1][1][0] = "shop"
		"CLASS_NEWER":
			document[1][1][1] = 2
		"UNKNOWN_PROPERTY":
			document[1][1][2] = PackedStringArray(["name", "script"])
		"WRONG_CLASS":
			document[1][0][3][0][3] = [document[2][0], document[1][0][3][0][3][0]]
		"BAD_REFERENCE":
			document[2].append(RID())
		"UNUSED_OBJECT":
			document[1][0][3][0][3] = []
		"TOO_MANY_OBJECTS":
			codec.limits.max_objects = 1
		"CIRCULAR_REFERENCE":
			codec.limits = VariantLimits.network()
			codec.classes = VariantClassSet.new()
			codec.classes.allow("link", preload("objects/cast.gd").Link, VariantClassSet.VARIABLES)
			codec.classes.property("link", "next", VariantClassSet.object("link").nullable())
			document[1] = [["link", 1, PackedStringArray(["next"]), [[rid_from_int64(1 << 32)]]]]
			document[2] = rid_from_int64(1 << 32)
		"SCRIPT_IN_DATA":
			codec.read_engine_objects = true
			return _told(codec, codec.decode(var_to_bytes_with_objects([GDScript.new()])))
	return _told(codec, codec.decode(var_to_bytes(document)))


## Spoils a save, or asks for it in the wrong way.
static func _of_save(name: String) -> Dictionary:
	var path := "user://error_examples.save"
	var save := VariantSave.new()
	save.save(path, {"gold": 1})
	save.save(path, {"gold": 2})
	var bytes := FileAccess.get_file_as_bytes(path)
	var damaged := bytes.duplicate()
	damaged[60] ^= 1
	var told := {}
	match name:
		"NOT_A_SAVE":
			told = _told(save, save.from_bytes("{}".to_utf8_buffer()))
		"SAVE_DAMAGED":
			told = _told(save, save.from_bytes(damaged))
		"SAVE_CUT_SHORT":
			told = _told(save, save.from_bytes(bytes.slice(0, 100)))
		"SAVE_NEWER":
			save.version = 0
			told = _told(save, save.from_bytes(bytes))
		"WRONG_KEY":
			var locked := VariantSave.new()
			locked.key = PackedByteArray(range(32))
			told = _told(save, save.from_bytes(locked.to_bytes({"gold": 1})))
		"NOT_AUTHENTIC":
			save.key = PackedByteArray(range(32))
			told = _told(save, save.from_bytes(bytes))
		"NO_INTACT_SAVE", "SAVE_LOCKED":
			for file: String in [path, path + ".bak"]:
				FileAccess.open(file, FileAccess.WRITE).store_buffer(damaged)
			told = _told(save, save.load(path) if name == "NO_INTACT_SAVE" else save.save(path, {"gold": 3}))
		"MIGRATION_MISSING", "MIGRATION_FAILED":
			save.version = 2
			if name == "MIGRATION_FAILED":
				save.migrate(1, func(_data: Dictionary) -> Variant: return null)
			told = _told(save, save.from_bytes(bytes))
	save.remove(path)
	return told


## Cancels a save that waits for another of the same file; if its turn came too early, tries again.
static func _cancelled() -> Dictionary:
	var path := "user://error_examples.bin"
	var told := {}
	for attempt in 20:
		VariantStream.save_file_async(path, "x".repeat(4_000_000))
		var job := VariantStream.save_file_async(path, 5)
		job.cancel()
		told = _told(job, job.wait())
		if told.code != 0:
			break
	VariantStream.save_file_async(path, 5).wait()
	DirAccess.remove_absolute(path)
	return told


static func _object_of_unsaved_script() -> RefCounted:
	var script := GDScript.new()
	script.source_code = "extends RefCounted\n"
	script.reload()
	return script.new()
