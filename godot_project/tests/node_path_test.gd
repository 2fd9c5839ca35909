extends "suite.gd"
## Tests NodePaths that no text can give: names with '/' or ':' in them, empty ones, sub-names alone. The
## library builds them from their checked names through the engine; names and bytes have to be the engine's
## own.

## Godot 4.3 writes other bytes behind the texts of a path, and drops a second byte order mark. Before 4.6.3 the engine's bytes
## of one path differ in their padding from time to time.
const NEEDS := {
	"test_names_and_bytes_are_the_engines": "Godot 4.4", "test_second_byte_order_marks_stay": "Godot 4.6.3",
}
## The paths: absolute, names, sub-names.
const PATHS: Array[Array] = [
	[false, [], []],
	[true, [], []],
	[false, ["a"], []],
	[true, ["a", "b"], ["c", "d"]],
	[false, ["a/b"], []],
	[false, ["a:b"], []],
	[true, ["a/b:c", "d"], ["e:f", "g/h"]],
	[false, [""], []],
	[true, ["", ""], [""]],
	[false, ["a", "", "b"], []],
	[false, [], ["x"]],
	[true, [], ["x", "y"]],
	[false, [".", "..", "%u"], ["1"]],
	[false, ["/"], [":"]],
	[false, ["日本", "é/ü"], ["🌬"]],
]


func test_names_and_bytes_are_the_engines() -> void:
	for parts: Array in PATHS:
		var bytes := encoded(parts[0], parts[1], parts[2])
		var engine: NodePath = bytes_to_var(bytes)
		var codec := VariantCodec.new()
		codec.strictness = VariantCodec.ENGINE
		codec.limits = VariantLimits.engine()
		check(codec.decode(bytes) == OK, "%s: %s" % [parts, codec.get_error_message()])
		check(codec.data is NodePath, "%s is a NodePath" % [parts])
		var ours: NodePath = codec.data
		check(names(ours) == parts, "names %s of %s" % [names(ours), parts])
		check(names(ours) == names(engine), "%s as the engine reads it" % [parts])
		check_bytes(VariantStream.encode(ours), var_to_bytes(engine), "%s written as the engine does" % [parts])
		check(VariantStream.encode(ours) == bytes, "%s comes back" % [parts])
		check_bytes(VariantStream.encode({ours: [ours]}), var_to_bytes({engine: [engine]}), "%s inside" % [parts])


func test_safe_reads_them_too() -> void:
	for parts: Array in PATHS:
		var path: Variant = VariantStream.decode(encoded(parts[0], parts[1], parts[2]), ^"refused")
		check(names(path) == parts, "%s in SAFE" % [parts])


## Tests paths that are repeated, which are copied from a cached path of this decode or an earlier one; a new
## path in the same place is not.
func test_paths_that_come_again() -> void:
	var codec := VariantCodec.new()
	for turn in 4:
		for group: Array in [range(3), range(300), [1, 1, 1, 2, 2, 1], range(5000), range(2000, 9000)]:
			var paths: Array = group.map(func(i: int) -> NodePath: return NodePath("/root/level %d/player:position:x" % i))
			var bytes := var_to_bytes([paths, {"at": paths}])
			check(codec.decode(bytes) == OK, codec.get_error_message())
			check_same(codec.data, bytes_to_var(bytes), "%d paths, turn %d" % [paths.size(), turn])
			check_same(VariantStream.decode(bytes), bytes_to_var(bytes), "%d paths at once, turn %d" % [paths.size(), turn])


## Tests that paths of many names, each repeated often enough to be cached, leave few of them in the cache:
## fewer where messages may be smaller.
func test_many_paths_leave_little_behind() -> void:
	for limits: VariantLimits in [VariantLimits.network(), VariantLimits.save_file()]:
		var codec := VariantCodec.new()
		codec.limits = limits
		var most := (1 if limits.max_bytes <= 1 << 20 else 7) << 20
		var before := OS.get_static_memory_usage()
		for i in 2500:
			var heads := range(20).map(func(n: int) -> String: return "n%d%d" % [i, n])
			var bytes := encoded(false, heads, [])
			for again in 4:
				check_error(codec.decode(bytes), OK, "path %d" % i)
		codec.decode(PackedByteArray([0, 0, 0, 0]))
		var left := OS.get_static_memory_usage() - before
		# Release builds do not count.
		check(left < most, "%d bytes are left, of %d" % [left, most])


## Tests that no path is cached if messages may only be small.
func test_no_path_is_kept_of_small_messages() -> void:
	var bytes := var_to_bytes([^"kept/by/nobody:x", ^"kept/by/nobody:y"])
	var codec := VariantCodec.new()
	codec.limits = VariantLimits.network()
	codec.limits.max_bytes = bytes.size()
	for again in 5:
		check_error(codec.decode(bytes), OK, codec.get_error_message())
		check_same(codec.data, bytes_to_var(bytes), "again %d" % again)


## Tests that names are counted for each path that is copied: a refused message stays refused however often
## its paths have come.
func test_names_of_copies_are_counted() -> void:
	var paths: Array = range(40).map(func(i: int) -> NodePath: return NodePath("n%d/n%d" % [i % 7, i % 5]))
	var bytes := var_to_bytes(paths)
	var codec := VariantCodec.new()
	codec.limits = VariantLimits.network()
	check(codec.decode(bytes) == OK, codec.get_error_message())
	check(codec.decode(bytes) == OK, codec.get_error_message())
	codec.limits.max_path_segments = 1
	check(codec.decode(bytes) != OK, "a name too many is taken")
	codec.limits.max_path_segments = 2
	check(codec.decode(bytes) == OK, codec.get_error_message())
	codec.limits.max_string_bytes = 1
	check(codec.decode(bytes) != OK, "a name too long is taken")


## Tests that the names of a path which was cached by an earlier decode are counted in this one all the same.
func test_names_of_older_paths_are_counted() -> void:
	var paths: Array = range(400).map(func(_i: int) -> NodePath: return ^"counted/again")
	var bytes := var_to_bytes(paths)
	var codec := VariantCodec.new()
	codec.limits = VariantLimits.save_file()
	for turn in 4:
		check(codec.decode(bytes) == OK, codec.get_error_message())
	codec.limits.max_key_probes = 0
	check(codec.decode(bytes) != OK, "400 names are not counted")
	check(codec.get_error().get("code") == VariantCodec.TOO_MANY_PROBES, "answered %s" % codec.get_error())


## Tests byte order marks: the engine drops the leading one, and a second one stays text, also where the
## engine makes the value for us.
func test_second_byte_order_marks_stay() -> void:
	var codec := VariantCodec.new()
	codec.strictness = VariantCodec.ENGINE
	codec.limits = VariantLimits.engine()
	var text := var_to_bytes("??????mark").slice(4)
	for at in 2:
		for place in 3:
			text[4 + 3 * at + place] = [0xEF, 0xBB, 0xBF][place]
	var signal_bytes := PackedByteArray([TYPE_SIGNAL, 0, 0, 0]) + text + PackedByteArray([5, 0, 0, 0, 0, 0, 0, 0])
	var path := encoded(true, ["a/b", ""], [""])
	var path_bytes := path.slice(0, path.size() - 4) + text  # in place of the last, empty name
	for bytes: PackedByteArray in [signal_bytes, path_bytes, var_to_bytes([]).slice(0, 4) + PackedByteArray([1, 0, 0, 0]) + path_bytes]:
		check_error(codec.decode(bytes), OK, codec.get_error_message())
		check_bytes(var_to_bytes(codec.data), var_to_bytes(bytes_to_var(bytes)), "two marks before a name")
		check(var_to_bytes(codec.data).hex_encode().contains("efbbbf6d61726b"), "one of them stays")


func names(path: NodePath) -> Array:
	var heads: Array = []
	for at in path.get_name_count():
		heads.append(str(path.get_name(at)))
	var tails: Array = []
	for at in path.get_subname_count():
		tails.append(str(path.get_subname(at)))
	return [path.is_absolute(), heads, tails]


func encoded(absolute: bool, heads: Array, tails: Array) -> PackedByteArray:
	var bytes := PackedByteArray()
	bytes.resize(16)
	bytes.encode_u32(0, TYPE_NODE_PATH)
	bytes.encode_u32(4, heads.size() | 0x8000_0000)
	bytes.encode_u32(8, tails.size())
	bytes.encode_u32(12, int(absolute))
	for name: String in heads + tails:
		bytes.append_array(var_to_bytes(name).slice(4))  # a text is a String without its header
	return bytes
