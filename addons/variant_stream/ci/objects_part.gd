extends "part.gd"
## Compares objects written in full: our bytes are those of var_to_bytes_with_objects, and we refuse what it
## cannot write. Full objects are refused when read, whatever the switch says: building them comes later.

const ObjectGenerator := preload("object_generator.gd")
const Oracle := preload("oracle.gd")

## The number of random trees for each object value: objects are slower, and each shows less.
const SHARE := 20


func _init() -> void:
	title = "objects"


func run() -> bool:
	var generator := ObjectGenerator.new()
	for row in generator.unwritable():
		came_through(row.name, _refused(row))
	for case in maxi(1, cases / SHARE):
		Engine.print_error_messages = false  # a property may log an error about the value it is given
		var value: Variant = generator.make(seed_number, case)
		Engine.print_error_messages = true
		came_through("case %d" % case, written("case %d" % case, value))
		value = null
		generator.free_made()
	generator.free_live()
	return true


func verdict() -> String:
	return "%d differences   written in full" % differences


## Gives one value to both sides, written with objects and with ids, and compares the bytes.
func written(case: String, value: Variant) -> bool:
	checks += 3
	var expected := Oracle.encode_with_objects(value)
	var bytes: PackedByteArray = subject.encode_with_objects(value)
	if bytes != expected and not Oracle.same_bytes(bytes, expected):
		differ(case, "bytes with objects differ: " + parting(bytes, expected), value)
	var plain := Oracle.encode(value)
	var ours_plain: PackedByteArray = subject.encode(value)
	if ours_plain != plain and not Oracle.same_bytes(ours_plain, plain):
		differ(case, "bytes with ids differ: " + parting(ours_plain, plain), value)
	if not expected.is_empty() and subject.decode_with_objects(expected) == OK:
		differ(case, "decodes full objects, which is to be refused for now: " + window(expected), value)
	return true


func _refused(row: Dictionary) -> bool:
	checks += 2
	var engine := Oracle.encode_with_objects(row.value)
	var bytes: PackedByteArray = subject.encode_with_objects(row.value)
	if not engine.is_empty() or not bytes.is_empty():
		differ(row.name, "not refused by both: ours %d bytes, engine %d" % [bytes.size(), engine.size()])
	engine = Oracle.encode(row.value)
	bytes = subject.encode(row.value)
	if engine.is_empty() != row.plain or bytes != engine:
		differ(row.name, "without objects: " + parting(bytes, engine))
	if row.has("untie"):
		row.untie.call()
	return true
