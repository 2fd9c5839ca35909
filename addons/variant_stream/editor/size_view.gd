@tool
extends VBoxContainer
## Implements the tab "Sizes": the bar chart, by path or by type.

const Looks := preload("looks.gd")
const SizeChart := preload("size_chart.gd")

const HINT := "Where the bytes go. Elements of an array are counted together, as items[]."
const PACKED := "%s bytes as the engine writes them, %s packed by the schema: %s bits."
const CANCELLED := "Cancelled: not measured. Any change of the rules measures again."

var chart := SizeChart.new()

var _by := OptionButton.new()
var _hint := Label.new()


func _init() -> void:
	var bar := HBoxContainer.new()
	_hint.text = HINT
	_hint.modulate.a = 0.7
	_hint.size_flags_horizontal = SIZE_EXPAND_FILL
	_hint.text_overrun_behavior = TextServer.OVERRUN_TRIM_ELLIPSIS
	Looks.call_it(_by, "Order of the sizes")
	_by.add_item("By path")
	_by.add_item("By type")
	_by.item_selected.connect(func(index: int) -> void: chart.set_by_type(index == 1))
	bar.add_child(_hint)
	bar.add_child(_by)
	add_child(bar)
	add_child(chart)


func show_report(report: Dictionary, is_cancelled := false) -> void:
	_hint.text = CANCELLED if is_cancelled else HINT
	if report.has("total_bits"):
		@warning_ignore("integer_division")
		var packed: int = (report.total_bits + 7) / 8
		_hint.text = PACKED % [Looks.grouped(report.total), Looks.grouped(packed), Looks.grouped(report.total_bits)]
	chart.show_report(report)
