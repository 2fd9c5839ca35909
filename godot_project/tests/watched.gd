extends RefCounted
## Defines an object whose one stored property runs `hook` when it is read, as encoding it in full does.

var hook := Callable()

@export var value := 1:
	get:
		if hook.is_valid():
			hook.call()
		return value
