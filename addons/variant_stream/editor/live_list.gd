@tool
extends VBoxContainer
## What the running game tapped, the newest first. A click shows its bytes.

signal capture_selected(bytes: PackedByteArray, label: String)
signal count_changed(count: int)

const Looks := preload("looks.gd")

## Captures that are kept, and bytes of them; the oldest go first.
const MOST := 1000
const MOST_BYTES := 64 << 20

var _list := ItemList.new()
var _follow := CheckBox.new()
var _hint := Label.new()
var _kept := 0


func _init() -> void:
	size_flags_vertical = SIZE_EXPAND_FILL
	var bar := HBoxContainer.new()
	_hint.text = "VariantStream.tap(bytes, \"label\") in the running game shows up here."
	_hint.size_flags_horizontal = SIZE_EXPAND_FILL
	_hint.text_overrun_behavior = TextServer.OVERRUN_TRIM_ELLIPSIS
	_hint.modulate.a = 0.7
	_follow.text = "Follow"
	_follow.tooltip_text = "Show each capture as it comes."
	var clear_button := Button.new()
	clear_button.text = "Clear"
	clear_button.pressed.connect(clear)
	for control: Control in [_hint, _follow, clear_button]:
		bar.add_child(control)
	_list.size_flags_vertical = SIZE_EXPAND_FILL
	_list.item_selected.connect(_show)
	Looks.call_it(_list, "Captures")
	add_child(bar)
	add_child(_list)


## Takes one capture: its label, how many bytes there were, and those that came.
func add_capture(label: String, size_of_all: int, bytes: PackedByteArray, msec: int) -> void:
	var cut := "" if size_of_all == bytes.size() else ", the beginning"
	var line := "%8.2f s   %s   %s%s" % [msec / 1000.0, label.replace("\n", " "), Looks.size_of(size_of_all), cut]
	_list.set_item_metadata(_list.add_item(line), [bytes, label])
	_list.move_item(_list.item_count - 1, 0)
	_kept += bytes.size()
	while _list.item_count > MOST or (_kept > MOST_BYTES and _list.item_count > 1):
		var oldest := _list.item_count - 1
		_kept -= _list.get_item_metadata(oldest)[0].size()
		_list.remove_item(oldest)
	count_changed.emit(_list.item_count)
	if _follow.button_pressed:
		select(0)


func clear() -> void:
	_list.clear()
	_kept = 0
	count_changed.emit(0)


func get_count() -> int:
	return _list.item_count


func select(index: int) -> void:
	_list.select(index)
	_show(index)


func _show(index: int) -> void:
	var capture: Array = _list.get_item_metadata(index)
	capture_selected.emit(capture[0], capture[1])
