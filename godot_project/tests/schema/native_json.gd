extends RefCounted
## Writes values as the engine's own JSON of any type, for schema_coerce_test.gd. It is apart because engines before 4.4 have
## no such function and would not parse this file.


static func text(value: Variant) -> String:
	return JSON.stringify(JSON.from_native(value), "", true, true)
