extends "suite.gd"
## Tests VariantOutline: nodes as a view asks for them. tests/tests/nodes.rs shows that every recorded value
## unfolds.

const NEEDS := {
	"test_another_thread_can_cancel": "threads",
	"test_a_size_report_is_cancelled_by_what_comes_while_it_is_made": "threads",
}
const SAVE := {"hp": 80, "items": [Vector2(1, 2), {"a b": "x"}], 7: &"n", Vector2i(1, 2): NodePath("a/b:c")}


func test_children_and_their_bytes() -> void:
	var bytes := var_to_bytes(SAVE)
	var outline := VariantOutline.new()
	check_error(outline.open(bytes, VariantReader.FRAMING_NONE, VariantStream.GODOT_4), OK, "open")
	check_same(outline.get_count(), 1, "count")
	var root: Dictionary = outline.get_children(-1, 0, 10)[0]
	check_same([root.at, root.end, root.children, root.type], [0, bytes.size(), 4, TYPE_DICTIONARY], "the root")
	var children := outline.get_children(root.at, 0, 10)
	check_same(_all(children, "name"), ["hp", "items", "[7]", "[(1, 2)]"], "names")
	check_same(_all(children, "type"), [TYPE_INT, TYPE_ARRAY, TYPE_STRING_NAME, TYPE_NODE_PATH], "types")
	check_same(_all(children, "value"), ["80", "2 elements", '"n"', "2 names, 1 sub-name"], "values")
	check_bytes(bytes.slice(children[0].at, children[0].end), var_to_bytes(80), "the bytes of a value")
	check_bytes(bytes.slice(children[0].start, children[0].at), var_to_bytes("hp"), "the bytes of its key")
	check_same(_all(outline.get_children(root.at, 2, 1), "name"), ["[7]"], "one child alone")
	check_same(_all(outline.get_children(children[3].at, 0, 9), "value"), ['"a"', '"b"', '"c"'], "names of a path")


func test_every_byte_finds_its_node() -> void:
	var bytes := var_to_bytes(SAVE)
	var outline := VariantOutline.new()
	outline.open(bytes, VariantReader.FRAMING_NONE, VariantStream.GODOT_4)
	for byte in bytes.size():
		var way := outline.locate(byte)
		var inner: Dictionary = way[-1]
		check(inner.start <= byte and byte < inner.end, "byte %d: %s" % [byte, inner])
	check_same(outline.locate(bytes.size()), [] as Array[Dictionary], "past the end")


func test_broken_bytes_are_shown_as_far_as_they_go() -> void:
	var bytes := var_to_bytes({"hp": 80, "items": [1, 2, 3]})
	var outline := VariantOutline.new()
	bytes = bytes.slice(0, -12)
	check_error(outline.open(bytes, VariantReader.FRAMING_NONE, VariantStream.GODOT_4), OK, "open")
	var broken := outline.get_broken()
	check_same([broken.size(), broken[0].path, broken[0].byte_offset], [1, "items[1]", bytes.size()], "where")
	var items: Dictionary = outline.locate(bytes.size() - 1)[1]
	check_same([items.name, items.children, outline.get_children(items.at, 0, 9).size()], ["items", 3, 2], "items")


func test_streams_and_dialects() -> void:
	var stream := PackedByteArray()
	for value: Variant in [1, "two", [3]]:
		var bytes := var_to_bytes(value)
		var length := PackedByteArray([0, 0, 0, 0])
		length.encode_u32(0, bytes.size())
		stream += length + bytes
	check_same(VariantOutline.guess_framing(stream), VariantReader.FRAMING_U32, "the framing")
	check_same(VariantOutline.guess_framing(var_to_bytes(SAVE)), VariantReader.FRAMING_NONE, "no framing")
	var guessed := VariantOutline.new()
	for bytes: PackedByteArray in [var_to_bytes(SAVE), PackedByteArray([4, 0, 0, 0, 0, 0, 0, 0])]:
		check_error(guessed.open(bytes, VariantReader.FRAMING_AUTO, VariantStream.GODOT_4), OK, "open by what it looks like")
		check(guessed.get_broken().is_empty(), "it is read as what it is: %s" % [guessed.get_broken()])
	check_same(VariantOutline.guess_framing(stream.slice(0, -4)), VariantReader.FRAMING_U32, "of a stream that was cut off")
	check_same(VariantOutline.guess_framing(stream + PackedByteArray([1])), VariantReader.FRAMING_U32, "of one that goes on")
	var outline := VariantOutline.new()
	check_error(outline.open(stream, VariantReader.FRAMING_U32, VariantStream.GODOT_4), OK, "open")
	check_same(_all(outline.get_children(-1, 0, 10), "name"), ["#0", "#1", "#2"], "values of a stream")
	check_same(outline.get_size_report().types.keys(), ["int", "String", "Array"], "types of all values")
	var old := VariantStream.transcode(var_to_bytes(Color.RED), VariantStream.GODOT_4, VariantStream.GODOT_3)
	check_error(outline.open(old, VariantReader.FRAMING_NONE, VariantStream.GODOT_3), OK, "Godot 3")
	check_same(outline.get_children(-1, 0, 1)[0].type_name, "Color", "a type of Godot 3")


func test_a_hundred_thousand_elements_take_a_page() -> void:
	var bytes := var_to_bytes(range(100_000))
	var outline := VariantOutline.new()
	outline.open(bytes, VariantReader.FRAMING_NONE, VariantStream.GODOT_4)
	check_same(_all(outline.get_children(0, 99_998, 100), "value"), ["99998", "99999"], "the last two")
	check_same(outline.locate(bytes.size() - 1)[-1].name, "[99999]", "the last byte")


func test_another_thread_can_cancel() -> void:
	var bytes := var_to_bytes(range(3_000_000))
	var outline := VariantOutline.new()
	var thread := Thread.new()
	thread.start(outline.open.bind(bytes, VariantReader.FRAMING_NONE, VariantStream.GODOT_4))
	while thread.is_alive() and outline.get_progress() < 0.1:
		pass
	outline.cancel()
	var answer: int = thread.wait_to_finish()
	check(answer == ERR_SKIP, "it was answered %d at %f" % [answer, outline.get_progress()])
	check_same(outline.get_count(), 0, "nothing is open")


func test_a_size_report_is_cancelled_by_what_comes_while_it_is_made() -> void:
	var outline := VariantOutline.new()
	outline.open(var_to_bytes(range(1_000_000)), VariantReader.FRAMING_NONE, VariantStream.GODOT_4)
	outline.cancel()
	check(not outline.get_size_report().is_empty(), "a cancel before it stopped it")
	var thread := Thread.new()
	thread.start(outline.get_size_report)
	while thread.is_alive():
		outline.cancel()
	check_same(thread.wait_to_finish(), {}, "cancelled while it was made")
	check_same(outline.get_count(), 1, "what is open stays")


func test_wrong_arguments_are_answered() -> void:
	var outline := VariantOutline.new()
	outline.open(var_to_bytes(1), VariantReader.FRAMING_NONE, VariantStream.GODOT_4)
	for wrong: Array in [[0, -1, 1], [0, 0, 1], [-2, 0, 1], [1 << 40, 0, 1]]:
		check_same(outline.get_children(wrong[0], wrong[1], wrong[2]).size(), 0, str(wrong))
	check_same(outline.locate(-1).size(), 0, "no byte")


static func _all(nodes: Array, key: String) -> Array:
	return nodes.map(func(node: Dictionary) -> Variant: return node[key])
