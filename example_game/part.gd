extends RefCounted
## Defines the base class of each part of the example. It names no class of the library, so that main.gd can
## name it where the library is missing.

## Reports a check and whether it held.
signal checked(what: String, held: bool)


## Goes through the part and returns a line about it.
func play() -> String:
	return ""
