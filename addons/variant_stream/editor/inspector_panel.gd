@tool
extends VBoxContainer
## Implements the panel "Variant Inspector": tree, bytes and problems of opened, pasted or tapped bytes. Each
## view leads to the others. This script connects the views; each knows its own content.

const Comparison := preload("comparison.gd")
const Document := preload("document.gd")
const EditDialog := preload("edit_dialog.gd")
const HexView := preload("hex_view.gd")
const LiveList := preload("live_list.gd")
const Looks := preload("looks.gd")
const NodeText := preload("node_text.gd")
const OutlineTree := preload("outline_tree.gd")
const PanelBar := preload("panel_bar.gd")
const ProblemList := preload("problem_list.gd")
const RulesBar := preload("rules_bar.gd")
const SizeView := preload("size_view.gd")
const SavesView := preload("saves/saves_view.gd")
const Splice := preload("splice.gd")
const Views := preload("views.gd")
const Welcome := preload("welcome.gd")

const PROBLEMS := 0
const SIZES := 1
const LIVE := 2
const SAVES := 3

var document: Document
var bar := PanelBar.new()
var rules := RulesBar.new()
var tree := OutlineTree.new()
var hex := HexView.new()
var problems := ProblemList.new()
var sizes := SizeView.new()
var live := LiveList.new()
var saves := SavesView.new()
var welcome := Welcome.new()
var views := Views.new(tree, hex, welcome)
var tabs := views.tabs
var place := views.place
var comparison := Comparison.new()
var editing := EditDialog.new()

## The document whose tree and bytes are shown: the previous one, while the next is read.
var _shown: Document
## Whether the next document is the shown one read again, in which the chosen byte is chosen anew.
var _is_again := false
## The dialect and framing in which the document was asked to be read.
var _asked := [Document.AUTO, Document.AUTO]
## The chosen node, or an empty Dictionary.
var _node := {}
## Documents that were cancelled and whose threads have not ended.
var _leaving: Array[Document] = []


func _init() -> void:
	name = "VariantInspector"
	custom_minimum_size.y = 340 * Looks.scale()
	Looks.keep_words(self)
	_lay_out()
	bar.file_chosen.connect(open_file)
	bar.bytes_given.connect(open_bytes)
	bar.cancelled.connect(cancel)
	bar.reload_wanted.connect(reload)
	bar.copy_wanted.connect(func(form: int) -> void: DisplayServer.clipboard_set(text_of_chosen(form)))
	bar.edit_wanted.connect(_edit)
	editing.value_given.connect(replace_chosen)
	rules.example = _example
	rules.reading_changed.connect(_read_again)
	rules.rules_changed.connect(_check_again)
	tree.node_selected.connect(_show_node)
	hex.byte_selected.connect(_show_byte)
	problems.problem_selected.connect(_show_problem)
	live.capture_selected.connect(_open_capture)
	live.judge = _reason_against
	live.comparison_wanted.connect(comparison.show_difference)
	live.count_changed.connect(func(_count: int) -> void: _name_tabs())
	saves.save_opened.connect(open_bytes)
	saves.comparison_wanted.connect(comparison.show_difference)
	welcome.action.connect(bar.act)
	for target: Control in [self, welcome, tree, hex, problems]:
		target.set_drag_forwarding(Callable(), _takes, _take)


func open_file(path: String) -> void:
	_begin(Document.of_file(path))


## Reads the shown file again. If it is gone, its old content stays visible.
func reload() -> void:
	if document == null or document.path.is_empty():
		return
	if not FileAccess.file_exists(document.path):
		bar.show_file("gone")
		return
	var is_again := _shown != null and _shown.path == document.path
	_begin(Document.of_file(document.path))
	_is_again = is_again


func open_bytes(bytes: PackedByteArray, title: String) -> void:
	_begin(Document.of_bytes(bytes, title))


func _open_capture(bytes: PackedByteArray, title: String, reason: String) -> void:
	open_bytes(bytes, title)
	document.refusal = reason


## Checks the bytes against this schema from now on, also while it is edited.
func hold_to(schema: VariantSchema) -> void:
	rules.set_schema(schema, schema.resource_path.get_file() if not schema.resource_path.is_empty() else "Schema")


## Adds bytes that the game tapped.
func add_capture(label: String, size_of_all: int, bytes: PackedByteArray) -> void:
	live.add_capture(label, size_of_all, bytes, Time.get_ticks_msec())


## Adds bytes that a codec of the game accepted.
func add_accepted(label: String, size_of_all: int, bytes: PackedByteArray) -> void:
	live.add_accepted(label, size_of_all, bytes, Time.get_ticks_msec())


## Adds bytes that a codec or a reader of the game refused.
func add_refusal(label: String, size_of_all: int, bytes: PackedByteArray, reason: String) -> void:
	live.add_refusal(label, size_of_all, bytes, reason, Time.get_ticks_msec())


## Adds a message of a protocol.
func add_message(name: String, is_sent: bool, peer: int, size: int, value: PackedByteArray, reason: String) -> void:
	live.add_message(name, is_sent, peer, size, value, reason, Time.get_ticks_msec())


## Adds the counts of a second of the game's protocols.
func add_traffic(traffic: Dictionary) -> void:
	live.chart.add_second(traffic)


## Returns why the rules of the panel refuse bytes, or an empty text.
func _reason_against(bytes: PackedByteArray) -> String:
	var by := rules.rules()
	if by.schema != null and not Document.Packed.of(bytes, by.schema, by.limits).made.is_empty():
		return ""
	var codec := VariantCodec.new()
	codec.dialect = maxi(rules.dialect(), VariantStream.GODOT_4)
	codec.strictness = by.strictness
	codec.limits = by.limits
	codec.schema = by.schema
	if not by.schema_error.is_empty():
		return by.schema_error
	return "" if codec.validate(bytes) == OK else codec.get_error_message()


## Returns the chosen value, or the first one, as text in a form of node_text.gd.
func text_of_chosen(form: int) -> String:
	var node := _chosen()
	return "" if node.is_empty() else NodeText.write(_shown.bytes.slice(node.at, node.end), _shown.dialect, form)


func _chosen() -> Dictionary:
	if _shown == null or _shown != document or not document.is_open:
		return {}
	return _node if not _node.is_empty() else _shown.outline.get_children(-1, 0, 1)[0]


func _edit() -> void:
	var node := _chosen()
	if not node.is_empty():
		editing.ask(node.name, text_of_chosen(NodeText.Form.GDSCRIPT))


## Puts a value in place of the chosen one. A file is written and read again; other bytes are shown as they are now.
func replace_chosen(value: Variant) -> void:
	var node := _chosen()
	if node.is_empty():
		return
	if _shown.packed.is_packed():
		place.text = "not replaced: the bytes are packed"
		return
	var frame: Dictionary = _shown.outline.locate(node.at)[0]
	var made := Splice.replace(_shown.bytes, _shown.dialect, _shown.framing, node, frame, value)
	var trouble: String = made.error
	if trouble.is_empty() and not _shown.path.is_empty():
		trouble = "the file has changed since it was read: reload it first" if not _shown.file_state().is_empty() else (
				Splice.save(_shown.path, made.bytes, _shown.layer))
	if not trouble.is_empty():
		place.text = "not replaced: " + trouble
	elif _shown.path.is_empty():
		open_bytes(made.bytes, _shown.title)
	else:
		reload()


## Tells whether the dragged data is one file of the editor's dock, which can be dropped here.
func _takes(_at: Vector2, what: Variant) -> bool:
	return what is Dictionary and what.get("type", "") == "files" and what.files.size() == 1


func _take(_at: Vector2, what: Variant) -> void:
	open_file(what.files[0])


func cancel() -> void:
	if document != null and document.is_busy():
		document.cancel()
		if not document.is_open:
			close()


## Closes the document, so that nothing is shown.
func close() -> void:
	if document != null:
		_leave(document)
	document = null
	_show_nothing()


func _begin(next: Document) -> void:
	if document != null:
		_leave(document)
	document = next
	_is_again = false
	_asked = [rules.dialect(), rules.framing()]
	document.dialect = _asked[0]
	document.framing = _asked[1]
	# Nothing is bound: a document that held itself would stay for as long as the editor runs.
	document.opened.connect(_opened)
	document.checked.connect(_checked)
	document.sized.connect(_sized)
	document.became_other.connect(_read_again)
	document.failed.connect(_failed)
	welcome.tell("")
	bar.show_title(document.title, document.path)
	document.start(rules.rules())
	set_process(true)


## Releases a document; its thread may need a moment.
func _leave(old: Document) -> void:
	old.opened.disconnect(_opened)
	old.checked.disconnect(_checked)
	old.sized.disconnect(_sized)
	old.became_other.disconnect(_read_again)
	old.failed.disconnect(_failed)
	old.cancel()
	_leaving.append(old)
	set_process(true)


func _process(_delta: float) -> void:
	_leaving = _leaving.filter(func(old: Document) -> bool:
		var is_at_rest := old.is_at_rest()
		if is_at_rest:
			old.finish()
		return not is_at_rest)
	var is_busy := document != null and document.is_busy()
	bar.show_progress(document.doing() if is_busy else "", document.progress() if is_busy else 0.0)
	if not is_busy and _leaving.is_empty():
		set_process(false)


# It does not do so when it leaves the tree, because that also happens when the panel is moved into a window
# of its own.
func _notification(what: int) -> void:
	if what == NOTIFICATION_APPLICATION_FOCUS_IN or what == NOTIFICATION_VISIBILITY_CHANGED:
		_look_at_file()
	if what == NOTIFICATION_PREDELETE:
		# Nothing is drawn any more: in an editor that is shut down the theme has gone before its panels.
		if document != null:
			_leave(document)
		for old in _leaving:
			old.finish()


## Checks whether the file is still as it was read, when the user comes back from another program.
func _look_at_file() -> void:
	if document != null and document.is_open:
		bar.show_file(document.file_state())


## Checks the bytes by other rules; progress is shown, so that it can be cancelled.
func _check_again() -> void:
	if document != null:
		document.check(rules.rules())
		set_process(true)


func _opened() -> void:
	if _asked != [rules.dialect(), rules.framing()]:
		# It was chosen while the bytes were read.
		_read_again()
		return
	_node = {}
	views.show_open(true)
	# This may also be a byte that was chosen while the file was read.
	var byte := hex.cursor() if _is_again else -1
	_shown = document
	tree.set_outline(document.outline)
	hex.set_bytes(document.given())
	views.share_width()
	sizes.show_report({})
	problems.clear()
	rules.show_guess(document.dialect if document.is_dialect_guessed else Document.AUTO,
			document.framing if document.is_framing_guessed else Document.AUTO)
	bar.show_size(document.given().size(), document.outline.get_count(), document.layer)
	place.text = ""
	if byte >= 0 and byte < document.given().size():
		hex.set_cursor(byte)
		_show_byte(byte)


func _checked() -> void:
	problems.show_problems(document.problems, document.is_checked, document.refusal)
	hex.wrong.clear()
	for problem in document.problems:
		hex.wrong[problem.byte] = true
	hex.queue_redraw()
	set_process(true)
	bar.show_verdict(document.problems.size(), document.is_checked, document.refusal)
	_name_tabs()


func _sized() -> void:
	sizes.show_report(document.sizes, document.sizes.is_empty())


func _failed(reason: String) -> void:
	close()
	welcome.tell(reason)


func _show_nothing() -> void:
	rules.show_guess(Document.AUTO, Document.AUTO)
	# The content may be large.
	_shown = null
	tree.set_outline(null)
	hex.set_bytes(PackedByteArray())
	problems.clear()
	sizes.show_report({})
	_name_tabs()
	views.show_open(false)
	welcome.tell("")
	bar.show_title("", "")
	bar.show_progress("", 0.0)


func _show_node(node: Dictionary) -> void:
	_node = node
	if _shown.packed.is_packed():
		var bits := _shown.packed.bits_of(node.at)
		hex.mark_bits(bits.x, bits.y)
		@warning_ignore("integer_division")
		hex.show_byte(bits.x / 8)
	else:
		hex.go_to(node.start, node.at, node.end)
	_tell_place(_shown.outline.locate(node.at), node)


## Shows a byte; while the next document is read, in the one that is still shown.
func _show_byte(byte: int) -> void:
	var is_packed := _shown != null and _shown.packed.is_packed()
	var at := _shown.packed.byte_under(byte) if is_packed else byte
	var way := _shown.outline.locate(at) if _shown != null else ([] as Array[Dictionary])
	if way.is_empty():
		return
	tree.reveal(way)
	var node: Dictionary = way[-1]
	_node = node
	if is_packed:
		var bits := _shown.packed.bits_of(node.at)
		hex.mark_bits(bits.x, bits.y)
	else:
		hex.mark(node.start, node.at, node.end)
	_tell_place(way, node)


func _show_problem(problem: Dictionary) -> void:
	hex.set_cursor(problem.byte)
	_show_byte(problem.byte)


func _tell_place(way: Array[Dictionary], node: Dictionary) -> void:
	var path := ""
	for step in way:
		if step.name.begins_with("#"):
			path = "" if _shown.outline.get_count() == 1 else step.name + " "
		else:
			path += step.name if path.is_empty() or step.name.begins_with("[") else "." + step.name
		if step.at == node.at:
			break
	var unit := "bytes"
	var range_of := Vector2i(node.start, node.end)
	if _shown.packed.is_packed():
		unit = "bits"
		range_of = _shown.packed.bits_of(node.at)
	# A value without any bits has a place, too.
	place.text = "%s    %s    %s %d–%d  (%s)" % [path if not path.is_empty() else "(root)", node.type_name, unit,
			range_of.x, maxi(range_of.y - 1, range_of.x), Looks.grouped(range_of.y - range_of.x)]


## Reads the bytes again, by another dialect or framing.
func _read_again() -> void:
	if document != null and document.is_open:
		var next := Document.of_bytes(document.given(), document.title)
		next.path = document.path
		next.layer = document.layer if not document.packed.is_packed() else ""
		next.stamp = document.stamp
		next.refusal = document.refusal
		var is_again := _is_again or _shown == document
		_begin(next)
		_is_again = is_again


func _example() -> VariantSchema:
	if document == null or not document.is_open:
		return null
	var codec := VariantCodec.new()
	codec.dialect = document.dialect
	codec.strictness = VariantCodec.ENGINE
	var first: Dictionary = document.outline.get_children(-1, 0, 1)[0]
	return VariantSchema.from_example(codec.data) if codec.decode(document.bytes.slice(first.at, first.end)) == OK else null


func _name_tabs() -> void:
	var count := document.problems.size() if document != null else 0
	tabs.set_tab_title(PROBLEMS, "Problems (%d)" % count if count > 0 else "Problems")
	tabs.set_tab_icon(PROBLEMS, Looks.icon(self, _verdict_icon()) if document != null else null)
	tabs.set_tab_title(LIVE, "Live (%d)" % live.get_count() if live.get_count() > 0 else "Live")


func _verdict_icon() -> StringName:
	if not document.problems.is_empty() or not document.refusal.is_empty():
		return &"StatusError"
	return &"StatusSuccess" if document.is_checked else &"StatusWarning"


func _lay_out() -> void:
	add_theme_constant_override(&"separation", int(6 * Looks.scale()))
	resized.connect(func() -> void: views.turn(size))
	for tab: Array in [["Problems", problems], ["Sizes", sizes], ["Live", live], ["Saves", saves]]:
		views.add_tab(tab[0], tab[1])
	bar.take_rules(rules.button)
	for child: Node in [bar, rules, views, comparison, editing]:
		add_child(child)
