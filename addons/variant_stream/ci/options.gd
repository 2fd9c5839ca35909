extends RefCounted
## Reads `--name value` and `--name=value` against a table of defaults, whose types are the options' types. A
## bool option stands alone. It has no defaults of its own and prints nothing.

var values: Dictionary
## The fault of the command line, or empty.
var error := ""


func _init(words: PackedStringArray, defaults: Dictionary) -> void:
	values = defaults.duplicate()
	var i := 0
	while i < words.size() and error.is_empty():
		var parts := words[i].trim_prefix("--").split("=", true, 1)
		var name := parts[0]
		if not words[i].begins_with("--") or not defaults.has(name):
			error = "unknown option %s (known: --%s)" % [words[i], ", --".join(defaults.keys())]
		elif defaults[name] is bool:
			values[name] = true
		elif parts.size() == 2:
			_set_value(name, parts[1])
		elif i + 1 < words.size():
			i += 1
			_set_value(name, words[i])
		else:
			error = "--%s wants a value" % name
		i += 1


func _set_value(name: String, text: String) -> void:
	if text.is_empty():
		error = "--%s wants a value" % name
	elif not values[name] is int:
		values[name] = text
	elif not text.is_valid_int():
		error = "--%s wants a whole number, got %s" % [name, text]
	elif not _fits(text):
		error = "--%s wants a number of 64 bits, got %s" % [name, text]
	else:
		values[name] = text.to_int()


## Tells whether the engine makes this number from the text. For numbers beyond its own it takes the nearest
## one and logs an error.
static func _fits(text: String) -> bool:
	var digits := text.lstrip("+-0")
	var most := "9223372036854775808" if text.begins_with("-") else "9223372036854775807"
	return digits.length() < most.length() or (digits.length() == most.length() and digits <= most)
