@tool
extends VBoxContainer
## Shows a part of a schema as a form: its type, its demands, and the parts in it, indented. It writes into
## the Dictionary of the part, with brackets: a dot makes a key a StringName. schema_form.gd checks and saves.

## Reports that a value was edited; the form stays as it is.
signal edited
## Reports that the form has to be made anew: parts came, went or changed their type.
signal reshaped

const Looks := preload("../looks.gd")
const SchemaText := preload("schema_text.gd")
const ValueText := preload("value_text.gd")
const Words := preload("schema_words.gd")

## The folded parts of the form, by their place; it outlives a form that is made anew.
static var folded := {}

var part: Dictionary

## The place in the schema, for `folded`.
var _place: String
var _types := OptionButton.new()
var _body := VBoxContainer.new()


## Makes the form. `beside` stands before the type: the name of the part. `may_be_missing` says that it is the
## value of a dictionary's key, or an item of a tuple.
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
		row.add_child(_check("optional", "Optional", "It may be missing; in a tuple only the last ones may."))
	row.add_child(_check("nullable", "Nullable", "null is fine as well."))
	_body.add_child(row)


func _add_rules(may_be_missing: bool) -> void:
	var grid := GridContainer.new()
	grid.columns = 2
	grid.size_flags_horizontal = SIZE_EXPAND_FILL
	var rules := Words.rules_of(part.type)
	for rule: String in rules:
		if rules[rule] == Words.Kind.FLAG:
			_body.add_child(_check(rule, Words.TITLES[rule], Words.TIPS.get(rule, "")))
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
	if _is_root() or part.has("description"):
		_add_line(grid, "Description", part.get("description", ""), _set_description, "none")
	_body.add_child(grid)
	_body.move_child(grid, 1)
	grid.visible = grid.get_child_count() > 0


func _add_children(body: Control) -> void:
	match part.type:
		"dict":
			for key: String in part.keys:
				_add_named(body, "Key_", key, part.keys, true)
			_add_button(body, "Add key", _add_part.bind(part.keys, "key"))
			body.add_child(_check("open", "Allow other keys", "Keys that are not listed are let through."))
		"array":
			_add_child(body, "Each", part.items)
		"map":
			_add_child(body, "Keys", part.key)
			_add_child(body, "Values", part.value)
		"tuple":
			for i: int in part.items.size():
				_add_child(body, "Item %d" % i, part.items[i], _drop_at.bind(part.items, i), true)
			_add_button(body, "Add item", _append.bind(part.items, {"type": "any"}))
		"union":
			for i: int in part.of.size():
				_add_child(body, "Or", part.of[i], _drop_at.bind(part.of, i))
			_add_button(body, "Add", _append.bind(part.of, {"type": "any"}))
		"discriminated":
			for i: int in part.cases.size():
				_add_case(body, i)
			_add_button(body, "Add case", _append_case)
	for name_of: String in part.get("define", {}):
		_add_named(body, "Define_", name_of, part.define, false)
	if _is_root():
		_add_button(body, "Define a part for ref", _define)


## Adds a key of a dictionary, or a name for `ref`: the name, its part, and a button that removes both.
func _add_named(body: Control, prefix: String, key: String, parts: Dictionary, may_be_missing: bool) -> void:
	var field := _name_field(prefix + key.validate_node_name(), key, _rename.bind(parts, key))
	_add_form(body, parts[key], field, key, func() -> void:
		parts.erase(key)
		if part.has("define") and part.define.is_empty():
			part.erase("define")
		reshaped.emit(), may_be_missing)


## Adds a case: the value that the key has to have, and the part that is meant then.
func _add_case(body: Control, index: int) -> void:
	var case: Dictionary = part.cases[index]
	var title := SchemaText.literal(case.value)
	var field := _name_field("Case_%d" % index, title, func(text: String) -> void:
		var value: Variant = SchemaText.value_of(text)
		if text != title and not text.strip_edges().is_empty() and not is_same(value, case.value):
			case["value"] = value
			reshaped.emit())
	_add_form(body, case["is"], field, title, _drop_at.bind(part.cases, index))


## Makes the field of a name, which is taken over when it is finished, not while it is typed.
func _name_field(called: String, text: String, take: Callable) -> LineEdit:
	var field := LineEdit.new()
	field.name = called
	field.text = text
	field.size_flags_horizontal = SIZE_EXPAND_FILL
	field.add_theme_font_override(&"font", Looks.mono(self))
	Looks.call_it(field, "Name")
	field.text_submitted.connect(take)
	field.focus_exited.connect(func() -> void: take.call(field.text))
	return field


func _add_child(body: Control, title: String, child: Dictionary, drop := Callable(), may_be_missing := false) -> void:
	var label := Label.new()
	label.text = title
	label.modulate.a = 0.7
	label.size_flags_horizontal = SIZE_EXPAND_FILL
	_add_form(body, child, label, title, drop, may_be_missing)


func _add_form(
		body: Control, child: Dictionary, beside: Control, title: String, drop: Callable, may_be_missing := false) -> void:
	# It is not new(), because a script cannot preload itself.
	var form: Control = (get_script() as GDScript).new(child, "%s/%s" % [_place, title], beside, may_be_missing)
	form.edited.connect(func() -> void: edited.emit())
	form.reshaped.connect(func() -> void: reshaped.emit())
	if drop.is_valid():
		form.get_child(0).add_child(_remove_button("Remove " + title, drop))
	body.add_child(form)


## Tells whether this part is the whole schema.
func _is_root() -> bool:
	return _place.is_empty()


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
	Looks.call_it(field, title)
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
	var typed := ValueText.read("[%s]" % text)
	if not typed.is_empty():
		part["values"] = typed[0].map(SchemaText.in_tree)
	else:
		part["values"] = Array(text.split(",")).map(func(word: String) -> String: return word.strip_edges())


func _set_text(text: String, field: String) -> void:
	part[field] = text


func _set_description(text: String) -> void:
	if text.is_empty():
		part.erase("description")
	else:
		part["description"] = text


func _set_default(text: String) -> void:
	if text.strip_edges().is_empty():
		part.erase("default")
	else:
		part["default"] = SchemaText.value_of(text)


func _retype(type: String) -> void:
	var next := Words.retyped(part, type)
	part.clear()
	part.merge(next)
	reshaped.emit()


## Adds a part under a name that is free.
func _add_part(parts: Dictionary, word: String) -> void:
	var name_of := word
	var number := 2
	while parts.has(name_of):
		name_of = "%s%d" % [word, number]
		number += 1
	parts[name_of] = {"type": "any"}
	reshaped.emit()


func _define() -> void:
	if not part.has("define"):
		part["define"] = {}
	_add_part(part.define, "part")


func _append_case() -> void:
	var taken: Array = part.cases.map(func(case: Dictionary) -> Variant: return case.value)
	var number: int = part.cases.size() + 1
	while "case%d" % number in taken:
		number += 1
	_append(part.cases, {"value": "case%d" % number, "is": Words.fresh("dict")})


## Renames a part; the names keep their order.
func _rename(to: String, parts: Dictionary, from: String) -> void:
	if from == to or to.is_empty() or parts.has(to) or not parts.has(from):
		return
	var renamed := {}
	for key: String in parts:
		renamed[to if key == from else key] = parts[key]
	parts.clear()
	parts.merge(renamed)
	reshaped.emit()


func _append(parts: Array, fresh: Dictionary) -> void:
	parts.append(fresh)
	reshaped.emit()


func _drop_at(parts: Array, index: int) -> void:
	parts.remove_at(index)
	reshaped.emit()
