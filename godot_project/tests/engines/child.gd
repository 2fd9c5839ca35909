extends SceneTree
## Puts some hundred values both ways to the library and to the engine, and prints what came of it for engines_test.gd, which
## starts this with an environment that stands for another engine.
##   -- [untyped]: the engine is taken as one without typed dictionaries, so that no value has any.

const CASES := 700
const SEED := 38


func _initialize() -> void:
	var typing: GDScript = load("res://addons/variant_stream/ci/typing.gd")
	if OS.get_cmdline_user_args().has("untyped"):
		typing.dictionaries = null
	var part: RefCounted = load("res://addons/variant_stream/ci/round_trip_part.gd").new()
	part.subject = load("res://addons/variant_stream/ci/subject.gd").new()
	part.seed_number = SEED
	part.cases = CASES
	var finished: bool = part.run()
	var vectors := PackedVector4Array([Vector4(1, 2, 3, 4), Vector4.ONE])
	var target := {"position": Vector4(), "path": PackedVector4Array(), "list": [1, {"a": 2}]}
	var wanted := {"position": Vector4.ONE, "path": vectors, "list": [3, {"a": "b"}]}
	var error := VariantCodec.new().decode_into(target, VariantStream.encode(wanted))
	var report := {
		"finished": finished, "checks": part.checks, "differences": Array(part.reports),
		"updated": error == OK and target == wanted, "fallbacks": VariantStream.get_fallbacks(),
	}
	if typing.dictionaries == null:
		var codec := VariantCodec.new()
		codec.strictness = VariantCodec.CANONICAL
		var verdict := codec.decode("1b000500020000000200000000000000".hex_decode())
		report.canonical = [verdict, VariantStream.encode(codec.data).hex_encode()]
	print("report ", Marshalls.variant_to_base64(report))
	quit()
