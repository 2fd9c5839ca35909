@tool
extends VBoxContainer
## Implements the tab "Sizes": the bar chart, by path or by type, and what its colours are.

const Legend := preload("legend.gd")
const Looks := preload("looks.gd")
const SizeChart := preload("size_chart.gd")

const HINT := "Elements of an array are counted together, as items[]."
const CANCELLED := "Cancelled: not measured. Any change of the rules measures again."

var chart := SizeChart.new()
var legend := Legend.new([&"accent", &"success", &""])

var _by := OptionButton.new()


func _init() -> void:
	var bar := HBoxContainer.new()
	legend.show_texts(["", "", HINT])
	Looks.call_it(_by, "Order of the sizes")
	_by.add_item("By path")
	_by.add_item("By type")
	_by.size_flags_vertical = SIZE_SHRINK_BEGIN
	_by.item_selected.connect(func(index: int) -> void: chart.set_by_type(index == 1))
	bar.add_child(legend)
	bar.add_child(_by)
	add_child(bar)
	add_child(chart)


## Shows a report of VariantOutline with what `packed.gd` adds to it.
func show_report(report: Dictionary, is_cancelled := false) -> void:
	var plain := ""
	var packed := ""
	if report.has("total"):
		plain = "%s as the engine writes it" % Looks.size_of(report.total)
	if report.has("total_bits"):
		packed = "%s packed by the schema: %s bits%s" % [Looks.size_of(report.packed_bytes), Looks.grouped(report.total_bits),
				" and a tag of %d bytes" % report.tag_bytes if report.tag_bytes > 0 else ""]
	legend.show_texts([plain, packed, CANCELLED if is_cancelled else HINT])
	chart.show_report(report)
