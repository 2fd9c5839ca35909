extends VBoxContainer
## Shows a hero as a form, and returns the hero as edited. It neither saves nor loads.

const HeroSave := preload("hero_save.gd")

signal changed

var _is_shown := false


func _ready() -> void:
	%At.world = HeroSave.WORLD
	%Name.max_length = 16
	%Name.text_changed.connect(_on_changed)
	%Hp.value_changed.connect(_on_changed)
	%Gold.value_changed.connect(_on_changed)
	%At.moved.connect(_on_changed)
	%Add.pressed.connect(_on_add_pressed)


func show_hero(hero: Dictionary) -> void:
	_is_shown = false
	%Name.text = hero.name
	%Hp.value = hero.hp
	%Gold.value = hero.gold
	%At.at = hero.at
	# Rows are kept where they fit: making a button with a menu takes longer than loading the save.
	while %Inventory.get_child_count() > hero.inventory.size():
		_remove_row(%Inventory.get_child(-1))
	for i: int in hero.inventory.size():
		if i == %Inventory.get_child_count():
			_add_row()
		var row: Node = %Inventory.get_child(i)
		row.get_child(0).select(HeroSave.ITEMS.find(hero.inventory[i].item))
		row.get_child(1).value = hero.inventory[i].count
	_is_shown = true
	_on_changed()


func hero() -> Dictionary:
	var inventory := []
	for row in %Inventory.get_children():
		var item := HeroSave.ITEMS[row.get_child(0).selected]
		inventory.append({"item": item, "count": int(row.get_child(1).value)})
	return {"name": %Name.text, "hp": int(%Hp.value), "gold": int(%Gold.value),
			"at": %At.at, "inventory": inventory}


func _add_row() -> void:
	var row := HBoxContainer.new()
	var items := OptionButton.new()
	items.size_flags_horizontal = Control.SIZE_EXPAND_FILL
	for name in HeroSave.ITEMS:
		items.add_item(name)
	items.item_selected.connect(_on_changed)
	var counter := SpinBox.new()
	counter.min_value = 1
	counter.max_value = 99
	counter.value_changed.connect(_on_changed)
	var remove := Button.new()
	remove.text = "×"
	remove.tooltip_text = "Throw away"
	remove.theme_type_variation = &"QuietButton"
	remove.pressed.connect(func() -> void:
		_remove_row(row)
		_on_changed())
	for part: Control in [items, counter, remove]:
		row.add_child(part)
	%Inventory.add_child(row)


func _remove_row(row: Node) -> void:
	%Inventory.remove_child(row)
	row.queue_free()


func _on_add_pressed() -> void:
	_add_row()
	var count: int = %Inventory.get_child_count()
	%Inventory.get_child(-1).get_child(0).select((count - 1) % HeroSave.ITEMS.size())
	_on_changed()


func _on_changed(_what: Variant = null) -> void:
	%HpText.text = "%d" % %Hp.value
	%Add.disabled = %Inventory.get_child_count() >= HeroSave.MOST_ITEMS
	if _is_shown:
		changed.emit()
