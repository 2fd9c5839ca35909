@tool
extends VBoxContainer
## One part of a schema as a form: its type, what is demanded of it, and the parts in it, indented. Writes into the
## Dictionary of the part; what is checked and saved, schema_form.gd says.

## A value was edited; the form stays as it is.
signal edited
## The form has to be made anew: parts came, went or changed their type.
signal reshaped

const Looks := preload("../looks.gd")
const SchemaText := preload("schema_text.gd")
const Words := preload("schema_words.gd")

## Parts of the form that are folded, by their place; it outlives a form that is made anew.
static var folded := {}

var part: Dictionary

## Where in the schema, for `folded`.
var _place: String
var _types := OptionButton.new()
var _body := VBoxContainer.new()


## `beside` stands before the type: what the part is called. `may_be_missing`: it is the value of a dictionary's key.
func _init(of: Dictionary, place := "", beside: Control = null, may_be_missing := false) -> void:
	part = of
	_place = place
	size_flags_horizontal = SIZE_EXPAND_FILL
	_add_head(beside)
	var margin := MarginContainer.new()
	margin.add_theme_constant_override(&"margin_left", int(20 * Looks.scale()))
	margin.add_theme_constant_override(&"margin_bottom", int(6 * Looks.scale()))
	margin.add_child(_body)
	add_child(margin)
	margin.visible = not folded.get(_place, false)
	_add_flags(may_be_missing)
	_add_rules(may_be_missing)
	_add_children(_body)


func _add_head(beside: Control) -> void:
	var row := HBoxContainer.new()
	row.add_child(_fold_button())
	if beside != null:
		row.add_child(beside)
	_types.fit_to_longest_item = false
	_types.clip_text = true
	_types.size_flags_horizontal = SIZE_EXPAND_FILL
	for word in Words.TYPES:
		_types.add_item(word)
	_types.select(Words.TYPES.find(part.type))
	_types.item_selected.connect(func(index: int) -> void: _retype(Words.TYPES[index]))
	row.add_child(_types)
	add_child(row)


func _fold_button() -> Button:
	var button := Button.new()
	button.flat = true
	button.tooltip_text = "Fold or unfold"
	var show_arrow := func() -> void:
		button.icon = Looks.icon(self, &"GuiTreeArrowRight" if folded.get(_place, false) else &"GuiTreeArrowDown")
		button.text = "" if button.icon != null else ("+" if folded.get(_place, false) else "-")
	button.pressed.connect(func() -> void:
		folded[_place] = not folded.get(_place, false)
		_body.get_parent().visible = not folded[_place]
		show_arrow.call())
	show_arrow.call()
	return button


func _add_flags(may_be_missing: bool) -> void:
	var row := HFlowContainer.new()
	if may_be_missing:
		row.add_child(_check("optional", "optional", "The key may be missing."))
	row.add_child(_check("nullable", "or null", "null is fine as well."))
	_body.add_child(row)


func _add_rules(may_be_missing: bool) -> void:
	var grid := GridContainer.new()
	grid.columns = 2
	grid.size_flags_horizontal = SIZE_EXPAND_FILL
	var rules := Words.rules_of(part.type)
	for rule: String in rules:
		if rules[rule] == Words.Kind.FLAG:
			_body.add_child(_check(rule, Words.TITLES[rule], ""))
		else:
			_add_line(grid, Words.TITLES[rule], _shown(rule), _set_rule.bind(rule, rules[rule]), Words.placeholder(rule, part.type))
	if part.type == "enum":
		_add_line(grid, "Values", ", ".join(part.values.map(SchemaText.literal)), _set_values)
	if part.type == "ref":
		_add_line(grid, "Of", part.name, _set_text.bind("name"))
	if part.type == "discriminated":
		_add_line(grid, "By key", part.by, _set_text.bind("by"))
	if may_be_missing:
		_add_line(grid, "Default", SchemaText.literal(part.default) if part.has("default") else "", _set_default, "none")
	if part.has("description"):
		_add_line(grid, "Description", part.description, _set_text.bind("description"), "none")
	_body.add_child(grid)
	_body.move_child(grid, 1)
	grid.visible = grid.get_child_count() > 0


func _add_children(body: Control) -> void:
	match part.type:
		"dict":
			for key: String in part.keys:
				_add_named(body, key)
			_add_button(body, "Add key", _add_key)
			body.add_child(_check("open", "other keys are fine", "Keys that are not listed are let through."))
		"array":
			_add_child(body, "Each", part.items)
		"map":
			_add_child(body, "Keys", part.key)
			_add_child(body, "Values", part.value)
		"tuple", "union":
			var parts: Array = part.items if part.type == "tuple" else part.of
			for i in parts.size():
				_add_child(body, "Item %d" % i if part.type == "tuple" else "Or", parts[i], _drop_at.bind(parts, i))
			_add_button(body, "Add", _append.bind(parts, {"type": "any"}))
		"discriminated":
			for i: int in part.cases.size():
				_add_child(body, SchemaText.literal(part.cases[i].value), part.cases[i]["is"], _drop_at.bind(part.cases, i))
	if part.has("define"):
		for name_of: String in part.define:
			_add_child(body, "define " + name_of, part.define[name_of])


## A key of a dictionary: its name, its part, and a button that takes both away.
func _add_named(body: Control, key: String) -> void:
	var field := LineEdit.new()
	field.name = "Key_" + key.validate_node_name()
	field.text = key
	field.size_flags_horizontal = SIZE_EXPAND_FILL
	field.add_theme_font_override(&"font", Looks.mono(self))
	field.text_submitted.connect(func(text: String) -> void: _rename(key, text))
	field.focus_exited.connect(func() -> void: _rename(key, field.text))
	_add_form(body, part.keys[key], field, key, func() -> void:
		part.keys.erase(key)
		reshaped.emit())


func _add_child(body: Control, title: String, child: Dictionary, drop := Callable()) -> void:
	var label := Label.new()
	label.text = title
	label.modulate.a = 0.7
	label.size_flags_horizontal = SIZE_EXPAND_FILL
	_add_form(body, child, label, title, drop)


func _add_form(body: Control, child: Dictionary, beside: Control, title: String, drop: Callable) -> void:
	# Not new(): a script cannot preload itself.
	var form: Control = (get_script() as GDScript).new(child, "%s/%s" % [_place, title], beside, beside is LineEdit)
	form.edited.connect(func() -> void: edited.emit())
	form.reshaped.connect(func() -> void: reshaped.emit())
	if drop.is_valid():
		form.get_child(0).add_child(_remove_button("Remove " + title, drop))
	body.add_child(form)


func _check(rule: String, title: String, tip: String) -> CheckBox:
	var box := CheckBox.new()
	box.name = "Flag_" + rule
	box.text = title
	box.tooltip_text = tip
	box.button_pressed = part.get(rule, false)
	box.toggled.connect(func(on: bool) -> void:
		if on or rule == "open":
			part[rule] = on
		else:
			part.erase(rule)
		edited.emit())
	return box


func _add_line(grid: Control, title: String, text: String, apply: Callable, empty := "any") -> void:
	var label := Label.new()
	label.text = title
	label.modulate.a = 0.7
	var field := LineEdit.new()
	field.name = "Rule_" + title.validate_node_name().replace(" ", "_")
	field.text = text
	field.placeholder_text = empty
	field.size_flags_horizontal = SIZE_EXPAND_FILL
	field.text_changed.connect(func(typed: String) -> void:
		apply.call(typed)
		edited.emit())
	grid.add_child(label)
	grid.add_child(field)


func _add_button(body: Control, title: String, act: Callable) -> void:
	var button := Button.new()
	button.text = title
	button.pressed.connect(act)
	body.add_child(button)


func _remove_button(tip: String, act: Callable) -> Button:
	var button := Button.new()
	button.flat = true
	button.tooltip_text = tip
	button.icon = Looks.icon(self, &"Remove")
	button.text = "" if button.icon != null else "×"
	button.pressed.connect(act)
	return button


func _shown(rule: String) -> String:
	if part.get(rule) is Array:
		return ", ".join((part[rule] as Array).map(func(number: Variant) -> String: return str(number)))
	return str(part[rule]) if part.has(rule) else ""


func _set_rule(text: String, rule: String, kind: int) -> void:
	var trimmed := text.strip_edges()
	if trimmed.is_empty():
		part.erase(rule)
	elif kind == Words.Kind.TEXT:
		part[rule] = text
	elif kind == Words.Kind.BOX:
		part[rule] = SchemaText.box_of(trimmed)
	elif kind == Words.Kind.REAL and trimmed.is_valid_float():
		part[rule] = trimmed.to_float()
	elif trimmed.is_valid_int():
		part[rule] = trimmed.to_int()
	else:
		part[rule] = trimmed  # the library says what is wrong with it


func _set_values(text: String) -> void:
	var values: Variant = str_to_var("[%s]" % text)
	if values is Array:
		part.values = values.map(func(value: Variant) -> Variant: return SchemaText.value_of(var_to_str(value)))
	else:
		part.values = Array(text.split(",")).map(func(word: String) -> String: return word.strip_edges())


func _set_text(text: String, field: String) -> void:
	part[field] = text


func _set_default(text: String) -> void:
	if text.strip_edges().is_empty():
		part.erase("default")
	else:
		part.default = SchemaText.value_of(text)


func _retype(type: String) -> void:
	var next := Words.retyped(part, type)
	part.clear()
	part.merge(next)
	reshaped.emit()


func _add_key() -> void:
	var name_of := "key"
	var number := 2
	while part.keys.has(name_of):
		name_of = "key%d" % number
		number += 1
	part.keys[name_of] = {"type": "any"}
	reshaped.emit()


## The keys keep their order.
func _rename(from: String, to: String) -> void:
	if from == to or to.is_empty() or part.keys.has(to) or not part.keys.has(from):
		return
	var renamed := {}
	for key: String in part.keys:
		renamed[to if key == from else key] = part.keys[key]
	part.keys = renamed
	reshaped.emit()


func _append(parts: Array, fresh: Dictionary) -> void:
	parts.append(fresh)
	reshaped.emit()


func _drop_at(parts: Array, index: int) -> void:
	parts.remove_at(index)
	reshaped.emit()
