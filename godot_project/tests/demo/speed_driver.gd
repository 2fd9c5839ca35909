extends "driver.gd"
## Drives the tab "Speed": both sides give the same bytes before anything is timed, and every workload gets
## its bars. Frames pass meanwhile. It judges no time, since the machine may be busy.
##   godot --headless --path godot_project -s res://tests/demo/speed_driver.gd

const WORKLOADS := 6

var _frames := 0


func drive() -> void:
	await open()
	var tab := page("SpeedTab")
	await frames(5)
	expect(tab.lanes.all(func(lane: RefCounted) -> bool: return lane.rounds == 0), "it is timed while nobody looks")
	expect_same(tab.lanes.size(), WORKLOADS * 2, "workloads, both ways")
	for lane: RefCounted in tab.lanes:
		expect(lane.is_equal, lane.name + ": not the same bytes")
	expect_same(tab.get_node("%Equal").text, "12 of 12", "what the tile says of it")
	main.open_page(2)
	process_frame.connect(func() -> void: _frames += 1)
	var is_timed := func(lane: RefCounted) -> bool: return lane.rounds >= 12
	expect(await until(func() -> bool: return tab.lanes.all(is_timed)), "some workload is not timed")
	expect(_frames >= 8, "only %d frames have passed: it blocks" % _frames)
	for bars: String in ["Encoding", "Decoding"]:
		expect_same(tab.get_node("%" + bars).drawn(), WORKLOADS, bars + ": bars")
	for mean: String in ["EncodeMean", "DecodeMean"]:
		var text: String = tab.get_node("%" + mean).text
		expect(text.ends_with("×") and text.to_float() > 0.0, "%s: %s" % [mean, text])
	await _pause_and_begin_anew(tab)


func _pause_and_begin_anew(tab: Control) -> void:
	click(tab.get_node("%Pause"))
	await frames(2)
	expect_same(tab.get_node("%Pause").text, "Go on", "the button")
	var rounds: int = tab.lanes[0].rounds
	await frames(10)
	expect_same(tab.lanes[0].rounds, rounds, "rounds while it pauses")
	click(tab.get_node("%Again"))
	await frames(1)
	expect_same(tab.lanes[0].rounds, 0, "rounds after a new beginning")
