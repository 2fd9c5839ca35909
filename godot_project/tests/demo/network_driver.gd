extends "driver.gd"
## Drives the tab "Network": every bad packet is refused with its reason and every good one is accepted. This
## holds for any share of hostile traffic, and no frame takes more packets than the budget allows.
##   godot --headless --path godot_project -s res://tests/demo/network_driver.gd

const ENOUGH := 500

var _tab: Control


func drive() -> void:
	await open()
	click_tab(1)
	_tab = page("NetworkTab")
	_tab.get_node("%Rate").value = 2000
	for share: float in [100.0, 0.0, 50.0]:
		await _run_with(share)
	await _switch_forms()
	await _spend_no_more_than_the_budget()
	await _rest_when_hidden()
	await _connect_anew()


func click_tab(index: int) -> void:
	var tabs: TabBar = main.get_node("%Tabs")
	click(tabs, tabs.get_tab_rect(index).get_center())


func _run_with(share: float) -> void:
	var gate: RefCounted = _tab.gate
	var honest: int = _tab.sent_honest
	var hostile := _sum(_tab.sent_hostile)
	_tab.get_node("%Hostile").value = share
	expect_same(_tab.get_node("%HostileText").text, "%d %%" % share, "the text of the slider")
	var start := _judged()
	var is_enough: bool = await until(func() -> bool: return _judged() - start >= ENOUGH)
	expect(is_enough, "%d %%: only %d packets" % [share, _judged() - start])
	await _pause()
	expect_same(gate.accepted, _tab.sent_honest, "%d %%: accepted" % share)
	expect_same(gate.rejected, _tab.sent_hostile, "%d %%: rejected by kind" % share)
	expect_same(_tab.wrong_verdicts, 0, "%d %%: wrong verdicts" % share)
	# The slider sets what is sent: nothing honest at 100 %, nothing hostile at 0 %.
	expect((_tab.sent_honest > honest) == (share < 100.0), "%d %%: %d honest ones" % [share, _tab.sent_honest - honest])
	expect((_sum(_tab.sent_hostile) > hostile) == (share > 0.0), "%d %%: %d hostile ones" % [share, hostile])
	_expect_figures()
	_tab.get_node("%Pause").button_pressed = false


func _expect_figures() -> void:
	expect_same(_tab.gate.rejected.size(), 12, "kinds of hostile packets")
	for chart: String in ["Verdicts", "Bytes", "Time"]:
		expect(_tab.get_node("%" + chart).count() > 0, chart + ": no sample is drawn")
	var rates: PackedFloat32Array = _tab.get_node("%Verdicts").latest()
	expect(rates.size() == 4 and rates[0] + rates[1] + rates[2] + rates[3] > 0.0, "the rates are %s" % rates)
	# The figures are those of the last sample; later packets are on their way.
	expect(_tab.get_node("%Reasons").count_of("OUT_OF_RANGE") > 0, "no bar for OUT_OF_RANGE")
	var accepted: String = _tab.get_node("%Accepted").text
	expect(accepted.replace(" ", "").is_valid_int(), "accepted: " + accepted)


## Tests the switches: states arrive as they were sent in each form, and the figures say what each form costs.
func _switch_forms() -> void:
	var world: RefCounted = _tab.world
	for presses: Array in [["%Packed", 1, true, false], ["%Delta", 2, true, true], ["%Packed", 0, false, false]]:
		var switch: CheckButton = _tab.get_node(presses[0])
		click(switch, switch.size / 2)
		expect_same(world.form, presses[1], "the form after " + presses[0])
		expect_same(_tab.get_node("%Packed").button_pressed, presses[2], "Packed after " + presses[0])
		expect_same(_tab.get_node("%Delta").button_pressed, presses[3], "Delta after " + presses[0])
		var before: int = world.arrived
		expect(await until(func() -> bool: return world.arrived >= before + 5), "no states arrive as form %d" % presses[1])
		expect_same(world.seen.entities.size(), 50, "entities")
	expect_same(world.wrong, 0, "wrong states")
	var chart: Control = _tab.get_node("%Bytes")
	var samples: int = chart.count()
	expect(await until(func() -> bool: return chart.count() > samples + 1), "no sample is taken")
	var rates := PackedInt32Array()
	for name: String in ["%PlainRate", "%PackedRate", "%DeltaRate"]:
		rates.append(_tab.get_node(name).text.replace(" ", "").to_int())
	expect(rates[1] > 0 and rates[0] > rates[1] * 8 and rates[1] > rates[2] * 2, "bytes a second: %s" % rates)


## Tests the budget: packets beyond it wait. A budget of a microsecond is one packet a frame, none is no
## packet.
func _spend_no_more_than_the_budget() -> void:
	var gate: RefCounted = _tab.gate
	gate.budget_usec = 0
	expect(await until(func() -> bool: return _tab.underway() >= 20), "nothing waits")
	var before := _judged()
	await frames(5)
	expect_same(_judged(), before, "judged without a budget")
	gate.budget_usec = 1
	await frames(1)
	before = _judged()
	await frames(10)
	expect(_judged() > before and _judged() <= before + 10, "in 10 frames of a packet each: %d" % (_judged() - before))
	gate.budget_usec = 2000
	await _pause()
	expect_same(_tab.underway(), 0, "packets left behind")
	expect_same(_tab.wrong_verdicts, 0, "wrong verdicts")


func _rest_when_hidden() -> void:
	_tab.get_node("%Pause").button_pressed = false
	click_tab(0)
	expect(await until(func() -> bool: return _tab.underway() == 0), "packets are still underway")
	var before := _judged()
	await frames(10)
	expect_same(_judged(), before, "judged while another tab is shown")


func _connect_anew() -> void:
	click_tab(1)
	_tab._link.close()
	var before := _judged()
	expect(await until(func() -> bool: return _judged() > before), "nothing comes after the connection was lost")
	await _pause()
	expect_same(_tab.wrong_verdicts, 0, "wrong verdicts after the connection was lost")


func _pause() -> void:
	_tab.get_node("%Pause").button_pressed = true
	expect(await until(func() -> bool: return _tab.underway() == 0), "%d packets never arrive" % _tab.underway())


func _judged() -> int:
	return _tab.gate.accepted + _tab.gate.rejected_in_all()


static func _sum(counts: Dictionary) -> int:
	var sum := 0
	for key: int in counts:
		sum += counts[key]
	return sum
