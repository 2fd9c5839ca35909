extends "res://bench/codec_jobs.gd"
## Times decoding under a schema, against the engine's decoding alone, which checks nothing.

const Packet := preload("res://bench/schema_values.gd")


func _init(given: Variant) -> void:
	super(given)
	codec.schema = Packet.schema()


func difference() -> String:
	if codec.decode(bytes) != OK or var_to_bytes(codec.data) != bytes:
		return "value: " + codec.get_error_message()
	var wrong := Packet.packet()
	wrong.items[0].count = 100
	return "" if codec.decode(var_to_bytes(wrong)) == ERR_INVALID_DATA else "verdict"
