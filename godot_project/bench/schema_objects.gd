extends RefCounted
## Implements a validator in GDScript in today's usual style: an object for each part, a result object for
## each check. It was written for the bench, to have something to compare with.


class Outcome:
	var value: Variant
	var error := ""

	func _init(checked: Variant, trouble := "") -> void:
		value = checked
		error = trouble


class Part:
	var _is_optional := false

	func optional() -> Part:
		_is_optional = true
		return self

	func parse(value: Variant) -> Outcome:
		if value == null:
			return Outcome.new(null, "" if _is_optional else "is missing")
		return _parse(value)

	func _parse(value: Variant) -> Outcome:
		return Outcome.new(value)


class Whole extends Part:
	var _least: int
	var _most: int

	func _init(least: int, most: int) -> void:
		_least = least
		_most = most

	func _parse(value: Variant) -> Outcome:
		if not value is int:
			return Outcome.new(null, "expected int, got " + type_string(typeof(value)))
		if value < _least or value > _most:
			return Outcome.new(null, "expected int %d..%d" % [_least, _most])
		return Outcome.new(value)


class Real extends Part:
	var _least: float
	var _most: float

	func _init(least: float, most: float) -> void:
		_least = least
		_most = most

	func _parse(value: Variant) -> Outcome:
		if not value is float:
			return Outcome.new(null, "expected float, got " + type_string(typeof(value)))
		if not is_finite(value) or value < _least or value > _most:
			return Outcome.new(null, "expected float %f..%f" % [_least, _most])
		return Outcome.new(value)


class Direction extends Part:
	var _most: float

	func _init(most: float) -> void:
		_most = most

	func _parse(value: Variant) -> Outcome:
		if not value is Vector2:
			return Outcome.new(null, "expected Vector2, got " + type_string(typeof(value)))
		if not value.is_finite() or value.length() > _most:
			return Outcome.new(null, "expected a length up to %f" % _most)
		return Outcome.new(value)


class Text extends Part:
	var _most: int
	var _known: PackedStringArray

	func _init(most: int, known := PackedStringArray()) -> void:
		_most = most
		_known = known

	func _parse(value: Variant) -> Outcome:
		if not value is String:
			return Outcome.new(null, "expected String, got " + type_string(typeof(value)))
		if value.length() > _most or not (_known.is_empty() or value in _known):
			return Outcome.new(null, "expected another text")
		return Outcome.new(value)


class List extends Part:
	var _item: Part
	var _most: int

	func _init(item: Part, most: int) -> void:
		_item = item
		_most = most

	func _parse(value: Variant) -> Outcome:
		if not value is Array:
			return Outcome.new(null, "expected Array, got " + type_string(typeof(value)))
		if value.size() > _most:
			return Outcome.new(null, "expected up to %d elements" % _most)
		var parsed := []
		for i: int in value.size():
			var outcome := _item.parse(value[i])
			if outcome.error:
				return Outcome.new(null, "[%d]: %s" % [i, outcome.error])
			parsed.append(outcome.value)
		return Outcome.new(parsed)


class Record extends Part:
	var _parts: Dictionary

	func _init(parts: Dictionary) -> void:
		_parts = parts

	func _parse(value: Variant) -> Outcome:
		if not value is Dictionary:
			return Outcome.new(null, "expected Dictionary, got " + type_string(typeof(value)))
		var parsed := {}
		for key: Variant in value:
			if not _parts.has(key):
				return Outcome.new(null, "%s is unknown" % key)
		for key: String in _parts:
			var outcome: Outcome = _parts[key].parse(value.get(key))
			if outcome.error:
				return Outcome.new(null, "%s: %s" % [key, outcome.error])
			parsed[key] = outcome.value
		return Outcome.new(parsed)


static func packet() -> Part:
	return Record.new({
		"seq": Whole.new(0, 0xFFFF_FFFF),
		"dir": Direction.new(1.01),
		"aim": Real.new(-PI, PI),
		"act": Text.new(8, ["none", "jump", "fire"]),
		"items": List.new(Record.new({"id": Whole.new(1, 4096), "count": Whole.new(1, 99)}), 16),
		"note": Text.new(64).optional(),
	})
