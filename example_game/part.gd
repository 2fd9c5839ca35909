extends RefCounted
## One part of the example. Names no class of the library, so that main.gd can name this one without it.

## What was looked at, and whether it was so.
signal checked(what: String, held: bool)


## Goes through the part and returns a line about it.
func play() -> String:
	return ""
