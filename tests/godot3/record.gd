extends SceneTree
# Records golden values anew from the running Godot 3. It reads the cases of a golden file (name, expression, how to encode),
# evaluates each, and writes the same file with this engine's bytes. It judges nothing. `cargo xtask golden --godot3` runs it.
#   VARIANT_FROM=FILE VARIANT_TO=FILE godot3 --path tests/godot3 -s record.gd

const TYPES = ["Nil", "bool", "int", "float", "String", "Vector2", "Rect2", "Vector3", "Transform2D", "Plane", "Quat", "AABB",
	"Basis", "Transform", "Color", "NodePath", "RID", "Object", "Dictionary", "Array", "PoolByteArray", "PoolIntArray",
	"PoolRealArray", "PoolStringArray", "PoolVector2Array", "PoolVector3Array", "PoolColorArray"]


func _init():
	var from = File.new()
	from.open(OS.get_environment("VARIANT_FROM"), File.READ)
	var old = parse_json(from.get_as_text())
	var values = _compiled(old.cases)
	var bodies = PoolStringArray()
	if values != null:
		for i in old.cases.size():
			bodies.append("{\n" + _fields(_sorted(_recorded(old.cases[i], values.call("case_%d" % i)))) + "\n}")
		values.let_go()
	var to = File.new()
	if bodies.size() == old.cases.size() and to.open(OS.get_environment("VARIANT_TO"), File.WRITE) == OK:
		var head = {"engine": _engine(), "api": old.api, "note": old.note, "count": bodies.size()}
		to.store_string("{\n%s,\n\"cases\": [\n%s\n]\n}" % [_fields(head), bodies.join(",\n")])
		to.close()
	quit()


# Compiles the expressions into a script with a function for each case, so that they mean what they mean in any script.
func _compiled(cases):
	var source = PoolStringArray(["extends \"res://values.gd\""])
	for i in cases.size():
		source.append("func case_%d(): return %s" % [i, cases[i].expr])
	var script = GDScript.new()
	script.source_code = source.join("\n") + "\n"
	if script.reload() != OK:
		printerr("an expression does not parse")
		return null
	return script.new()


func _recorded(case, value):
	var objects = case.get("with_objects", false)
	var bytes = var2bytes(value, objects)
	var record = {"name": case.name, "expr": case.expr, "type": TYPES[typeof(value)], "type_id": typeof(value),
			"hex": bytes.hex_encode()}
	if objects:
		record.with_objects = true
	if case.get("volatile", false):
		record.volatile = true
		record.volatile_why = case.volatile_why
		if case.has("hex_zero_padded"):
			record.hex_zero_padded = case.hex_zero_padded
		return record
	var again = var2bytes(bytes2var(bytes, objects), objects)
	record.roundtrip = again.hex_encode() == bytes.hex_encode()
	if not record.roundtrip:
		record.reencoded_hex = again.hex_encode()
	return record


func _engine():
	var build = "release template" if not OS.is_debug_build() else "debug build"
	return "Godot %s (%s), %s" % [Engine.get_version_info().string, build, "x86-64"]


func _sorted(record):
	var keys = record.keys()
	keys.sort()
	var sorted = {}
	for key in keys:
		sorted[key] = record[key]
	return sorted


func _fields(record):
	var lines = PoolStringArray()
	for key in record:
		var value = record[key]
		lines.append("\"%s\": %s" % [key, to_json(value)])
	return lines.join(",\n")
