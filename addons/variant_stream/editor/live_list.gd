@tool
extends VBoxContainer
## Lists what the running game tapped, what its codecs and readers judged, and what its protocols sent and received, the newest
## first, each with its verdict. A click shows its bytes. In place of the list it shows the protocols' traffic as a chart.

## Reports that a capture is to be shown; `reason` says why the game or the panel refused it.
signal capture_selected(bytes: PackedByteArray, title: String, reason: String)
signal count_changed(count: int)
## Reports that two captures are to be compared, with the later one last.
signal comparison_wanted(before: PackedByteArray, after: PackedByteArray, title: String)

const Legend := preload("legend.gd")
const Looks := preload("looks.gd")
const TrafficChart := preload("traffic_chart.gd")

## Captures that are kept, and bytes of them; the oldest go first.
const MOST := 1000
const MOST_BYTES := 64 << 20
## A capture of more bytes is not judged when it comes, so that a stream of them does not hold up the editor.
const MOST_JUDGED := 1 << 16
const COLUMNS: PackedStringArray = ["Verdict", "Message", "Peer", "Size", "Time", "Reason"]
const ICONS := {
	"accepted": &"StatusSuccess", "received": &"StatusSuccess", "sent": &"ArrowRight", "refused": &"StatusError"}
## The columns of numbers.
const RIGHT: PackedInt32Array = [2, 3, 4]
enum {VERDICT, MESSAGE, PEER, SIZE, TIME, REASON}

## Returns why bytes are refused by the rules of the panel, or an empty text.
var judge := Callable()

var chart := TrafficChart.new()
var _list := Tree.new()
var _scroll := ScrollContainer.new()
var _legend := Legend.new([&"accent", &"success", &"error", &""])
var _traffic := Button.new()
var _follow := CheckBox.new()
var _filter := LineEdit.new()
var _refused := CheckBox.new()
var _rate := Label.new()
var _compare := Button.new()
var _kept := 0
var _has_peers := false
## When the captures of the last second came, in milliseconds.
var _times := PackedInt64Array()


func _init() -> void:
	size_flags_vertical = SIZE_EXPAND_FILL
	var bar := HBoxContainer.new()
	_filter.placeholder_text = "Filter"
	_filter.tooltip_text = "Show the lines that have this text in their message, peer, verdict or reason."
	_filter.clear_button_enabled = true
	Looks.call_it(_filter, "Filter")
	_filter.size_flags_horizontal = SIZE_EXPAND_FILL
	_filter.text_changed.connect(func(_text: String) -> void: _filter_all())
	_refused.text = "Refused"
	_refused.tooltip_text = "Show only what is refused."
	_refused.toggled.connect(func(_is_on: bool) -> void: _filter_all())
	_follow.text = "Follow"
	_follow.tooltip_text = "Show each capture as it comes."
	_compare.text = "Compare"
	_compare.tooltip_text = "Compare the bytes with those of the capture before it that has the same message and peer."
	_compare.pressed.connect(_compare_selected)
	_rate.tooltip_text = "Captures in the last second."
	_rate.modulate.a = 0.7
	var clear_button := Button.new()
	clear_button.text = "Clear"
	clear_button.pressed.connect(clear)
	_traffic.text = "Traffic"
	_traffic.tooltip_text = "Show the bytes a second of each message of the game's VariantProtocol."
	_traffic.toggle_mode = true
	_traffic.toggled.connect(show_traffic)
	for control: Control in [_filter, _refused, _follow, _compare, clear_button, _traffic, _rate]:
		bar.add_child(control)
	_make_list()
	_scroll.size_flags_vertical = SIZE_EXPAND_FILL
	_scroll.horizontal_scroll_mode = ScrollContainer.SCROLL_MODE_DISABLED
	_scroll.add_child(chart)
	_legend.hide()
	_scroll.hide()
	chart.draw.connect(_name_colors)
	for view: Control in [bar, _list, _legend, _scroll]:
		add_child(view)
	var timer := Timer.new()
	timer.autostart = true
	timer.timeout.connect(_show_rate)
	add_child(timer)
	clear()


func _make_list() -> void:
	_list.column_titles_visible = true
	_list.hide_root = true
	_list.select_mode = Tree.SELECT_ROW
	_list.size_flags_vertical = SIZE_EXPAND_FILL
	_list.item_selected.connect(func() -> void: _show(_list.get_selected()))
	Looks.call_it(_list, "Captures")


## Gives the list its columns: that of peers has no width and that of reasons is not there before a line has one.
func _set_columns(count: int) -> void:
	_list.columns = count
	for column in count:
		_list.set_column_title(column, COLUMNS[column])
		_list.set_column_clip_content(column, true)
		_list.set_column_expand(column, column == REASON or (column == MESSAGE and count <= REASON))
		var side := HORIZONTAL_ALIGNMENT_RIGHT if column in RIGHT else HORIZONTAL_ALIGNMENT_LEFT
		_list.set_column_title_alignment(column, side)
		if column == PEER and not _has_peers:
			_list.set_column_title(column, "")
		else:
			Looks.widen(_list, column, COLUMNS[column])


## Takes bytes that the game tapped: their label, how many there were, and those that came.
func add_capture(label: String, size_of_all: int, bytes: PackedByteArray, msec: int) -> void:
	if size_of_all != bytes.size():
		_add("cut off", "only the beginning came", label, size_of_all, bytes, msec)
	elif bytes.size() > MOST_JUDGED or not judge.is_valid():
		_add("not judged", "", label, size_of_all, bytes, msec)
	else:
		var reason: String = judge.call(bytes)
		_add("accepted" if reason.is_empty() else "refused", reason, label, size_of_all, bytes, msec)


## Takes bytes that a codec of the game accepted.
func add_accepted(label: String, size_of_all: int, bytes: PackedByteArray, msec: int) -> void:
	_add("accepted", "", label, size_of_all, bytes, msec)


## Takes bytes that a codec or a reader of the game refused.
func add_refusal(label: String, size_of_all: int, bytes: PackedByteArray, reason: String, msec: int) -> void:
	_add("refused", reason, label, size_of_all, bytes, msec)


## Takes a message of a protocol: its name, whether it was sent, the peer (0 for several), its bytes on the wire, its value in
## Godot's format or the packet that was refused, and the reason.
func add_message(name: String, is_sent: bool, peer: int, size: int, value: PackedByteArray, reason: String, msec: int) -> void:
	var verdict := "refused" if not reason.is_empty() else "sent" if is_sent else "received"
	var words := Looks.short(name) if not name.is_empty() else "(unknown)"
	_add(verdict, reason, words, size, value, msec, "several" if peer == 0 else str(peer))


## Shows the traffic of protocols, or the list.
func show_traffic(is_on: bool) -> void:
	_traffic.set_pressed_no_signal(is_on)
	_list.visible = not is_on
	_scroll.visible = is_on
	_legend.visible = is_on
	_name_colors()


func _name_colors() -> void:
	var scale_words := "a bar is a second of the last %d; the highest has %s" % [TrafficChart.SECONDS, Looks.size_of(chart.most())]
	_legend.show_texts(["received", "sent", "refused", scale_words])


func clear() -> void:
	chart.clear()
	_list.clear()
	_list.remove_meta(&"widths")
	_has_peers = false
	_set_columns(REASON)
	_list.create_item()
	_kept = 0
	_times.clear()
	_show_rate()
	count_changed.emit(0)


func get_count() -> int:
	return _list.get_root().get_child_count()


## Selects a line and shows its bytes; line 0 is the newest.
func select(index: int) -> void:
	var item := _list.get_root().get_child(index)
	item.select(VERDICT)
	_list.scroll_to_item(item)


func _add(verdict: String, reason: String, message: String, size_of_all: int, bytes: PackedByteArray, msec: int, peer := "") -> void:
	var needs_peers := not peer.is_empty() and not _has_peers
	_has_peers = _has_peers or needs_peers
	if needs_peers or (not reason.is_empty() and _list.columns <= REASON):
		_set_columns(COLUMNS.size() if not reason.is_empty() else _list.columns)
	var item := _list.create_item(null, 0)
	item.set_metadata(VERDICT, [bytes, message, peer])
	var texts := [verdict, message.replace("\n", " "), peer, Looks.size_of(size_of_all), "%.2f s" % (msec / 1000.0), reason]
	for column in _list.columns:
		item.set_text(column, texts[column])
		if column != REASON and (column != PEER or _has_peers):
			Looks.widen(_list, column, texts[column], 48.0 if column == VERDICT else 16.0)
	item.set_icon(VERDICT, Looks.icon(self, ICONS.get(verdict, &"StatusWarning")))
	item.set_tooltip_text(MESSAGE, message)
	if not reason.is_empty():
		item.set_tooltip_text(REASON, reason)
	item.set_text_alignment(PEER, HORIZONTAL_ALIGNMENT_RIGHT)
	for column in [SIZE, TIME]:
		item.set_text_alignment(column, HORIZONTAL_ALIGNMENT_RIGHT)
		item.set_custom_color(column, Looks.dim(self))
	_filter_one(item)
	_kept += bytes.size()
	while get_count() > MOST or (_kept > MOST_BYTES and get_count() > 1):
		var oldest := _list.get_root().get_child(-1)
		_kept -= oldest.get_metadata(VERDICT)[0].size()
		oldest.free()
	_times.append(Time.get_ticks_msec())
	_show_rate()
	count_changed.emit(get_count())
	if _follow.button_pressed and item.visible:
		select(0)


func _show_rate() -> void:
	var now := Time.get_ticks_msec()
	while not _times.is_empty() and _times[0] < now - 1000:
		_times.remove_at(0)
	_rate.text = "%d/s" % _times.size()


func _filter_all() -> void:
	for item in _list.get_root().get_children():
		_filter_one(item)


func _filter_one(item: TreeItem) -> void:
	var words := "\n".join([VERDICT, MESSAGE, PEER, REASON].map(func(column: int) -> String: return _text(item, column)))
	var is_wanted := _filter.text.is_empty() or words.containsn(_filter.text)
	item.visible = is_wanted and (not _refused.button_pressed or item.get_text(VERDICT) == "refused")


func _text(item: TreeItem, column: int) -> String:
	return item.get_text(column) if column < _list.columns else ""


func _show(item: TreeItem) -> void:
	var capture: Array = item.get_metadata(VERDICT)
	var title: String = capture[1]
	if not capture[2].is_empty():
		title += ", several peers" if capture[2] == "several" else ", peer " + capture[2]
	capture_selected.emit(capture[0], title, _text(item, REASON) if item.get_text(VERDICT) == "refused" else "")


func _compare_selected() -> void:
	var later := _list.get_selected()
	var before := later.get_next() if later != null else null
	while before != null and before.get_metadata(VERDICT).slice(1) != later.get_metadata(VERDICT).slice(1):
		before = before.get_next()
	if before != null:
		var title := "%s, %s and %s" % [later.get_text(MESSAGE), before.get_text(TIME), later.get_text(TIME)]
		comparison_wanted.emit(before.get_metadata(VERDICT)[0], later.get_metadata(VERDICT)[0], title)
