extends "drive.gd"
## Drives the panel with packed bytes: the schema opens them, a value marks its bits, a byte leads to its value, what is wrong
## has its byte, and the sizes stand beside each other.

const InspectorPanel := preload("res://addons/variant_stream/editor/inspector_panel.gd")

const VALUE := {"hp": 80, "at": Vector2(1, 0.5), "items": [7, 9]}

var panel: InspectorPanel


static func _schema() -> VariantSchema:
	return VariantSchema.dict({
		"hp": VariantSchema.int(0, 100),
		"at": VariantSchema.vector2().quantized(0.5, -2, 2),
		"items": VariantSchema.array(VariantSchema.int(0, 255)).max_size(4),
	})


func drive_a_schema_opens_packed_bytes() -> void:
	var packed := _schema().pack(VALUE)
	await _open(packed)
	check(not panel.document.packed.is_packed(), "bytes without a schema are no packed ones")
	panel.rules.set_schema(_schema(), "move.json")
	await _settle()
	check(panel.document.packed.is_packed(), "the schema opens them")
	check_same(panel.hex.bytes, packed, "the bytes are the packed ones")
	check_same(panel.document.problems, [] as Array[Dictionary], "nothing is wrong")
	check_same(_item(["(root)", "hp"]).get_text(2), "80", "a value")
	panel.rules.set_schema(null, "")
	await _settle()
	check(not panel.document.packed.is_packed(), "and without it they are bytes again")
	check_same(panel.document.bytes, packed, "the same")


func drive_a_schema_that_comes_while_they_are_read() -> void:
	_show()
	panel.open_bytes(_schema().pack(VALUE), "test")
	panel.rules.set_schema(_schema(), "move.json")
	check(panel.document.is_busy(), "they are being read")
	await _settle()
	await _settle()
	check(panel.document.packed.is_packed(), "the schema opens them")
	check_same(panel.document.problems, [] as Array[Dictionary], "nothing is wrong")


func drive_a_value_marks_its_bits() -> void:
	await _open_packed(_schema().pack(VALUE))
	_item(["(root)", "hp"]).select(0)
	await frames()
	# Behind 16 bits of the tag stands "at" with 8, then hp with 7.
	check_same([panel.hex.bit_start, panel.hex.bit_end], [24, 31], "the bits of hp")
	check_same([panel.hex.value_start, panel.hex.value_end], [3, 4], "its byte")
	check(panel.place.text.begins_with("hp    int    bits 24–30  (7)"), panel.place.text)
	_item(["(root)", "items", "[1]"]).select(0)
	await frames()
	check_same([panel.hex.bit_start, panel.hex.bit_end], [42, 50], "the bits of an item")
	await click(panel.hex, panel.hex.position_of(2))
	check_same(panel.tree.get_selected().get_text(0), "at", "the value under a byte")
	check_same([panel.hex.bit_start, panel.hex.bit_end], [16, 24], "its bits")
	await click(panel.hex, panel.hex.position_of(0))
	check_same(panel.tree.get_selected().get_text(0), "(root)", "the tag is of the whole")


static func _packed(tagging: VariantSchema.Tagging) -> PackedByteArray:
	var codec := VariantCodec.new()
	codec.schema = _schema()
	codec.form = VariantCodec.FORM_PACKED
	codec.tagging = tagging
	return codec.encode(VALUE)


func drive_bytes_without_a_tag() -> void:
	await _open_packed(_packed(VariantSchema.BARE))
	check(panel.document.packed.is_packed(), "they are no value otherwise")
	_item(["(root)", "hp"]).select(0)
	await frames()
	check_same([panel.hex.bit_start, panel.hex.bit_end], [8, 15], "the bits of hp")
	await _open_packed(var_to_bytes(VALUE))
	check(not panel.document.packed.is_packed(), "bytes of the engine stay what they are")
	_item(["(root)", "hp"]).select(0)
	await frames()
	check_same([panel.hex.bit_start, panel.hex.bit_end], [0, 0], "whole bytes are marked")


func drive_what_is_wrong_has_its_byte() -> void:
	var packed := _schema().pack(VALUE)
	packed[3] |= 0x7F
	await _open_packed(packed)
	check_same(panel.document.problems.size(), 1, "one fault")
	var problem: Dictionary = panel.document.problems[0]
	check_same([problem.path, problem.byte, problem.bit_offset], ["hp", 3, 24], "where")
	check(panel.hex.wrong.has(3), "the byte is marked")


func drive_sizes_stand_beside_each_other() -> void:
	for bytes: PackedByteArray in [_schema().pack(VALUE), var_to_bytes(VALUE)]:
		await _open_packed(bytes)
		var sizes: Dictionary = panel.sizes.chart.report
		check_same(sizes.total_bits, 34, "the bits of all")
		check_same(sizes.bits, {"(root)": 0, "items": 3, "items[]": 16, "at": 8, "hp": 7}, "the bits of each place")
		check_same(sizes.total, var_to_bytes(VALUE).size(), "the bytes of the engine")
		check(panel.sizes.legend.shown().contains("7 B packed by the schema: 34 bits and a tag of 2 bytes"), panel.sizes.legend.shown())
	for tagging: int in [VariantSchema.TAGGED, VariantSchema.BARE, VariantSchema.TAGGED_LONG]:
		var packed := _packed(tagging)
		await _open_packed(packed)
		check_same(panel.bar.facts.text, "%d B, packed" % packed.size(), "the upper line")
		check(panel.sizes.legend.shown().contains(", %d B packed by the schema" % packed.size()), panel.sizes.legend.shown())
	panel.rules.set_schema(VariantSchema.any(), "any")
	await _settle()
	check(not panel.sizes.chart.report.get("bits", {}).has("hp"), "another schema: %s" % panel.sizes.chart.report)


func _open_packed(bytes: PackedByteArray) -> void:
	await _open(bytes)
	panel.rules.set_schema(_schema(), "move.json")
	await _settle()


func _open(bytes: PackedByteArray) -> void:
	_show()
	panel.open_bytes(bytes, "test")
	await _settle()


func _show() -> void:
	if panel != null:
		panel.queue_free()
	panel = InspectorPanel.new()
	panel.size = Vector2(1200, 700)
	root.add_child(panel)


func _settle() -> void:
	await frames()
	await until(func() -> bool: return panel.document == null or not panel.document.is_busy(), "the end of the work")
	await frames()


func _item(names: Array) -> TreeItem:
	var item := panel.tree.get_root()
	for wanted: String in names:
		var found: TreeItem = null
		for child in item.get_children():
			if child.get_text(0) == wanted:
				found = child
		if found == null:
			return null
		found.collapsed = false
		item = found
	return item
