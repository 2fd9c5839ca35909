extends RefCounted
## Serves as three versions of one class, for the tests of old documents.


class First:
	var amount := 1
	var weight := 2.5
	var label := ""


## `amount` is called `count`, `weight` is no more, and `note` is new.
class Second:
	var count := 1
	var label := ""
	var note := "none"


## `label` is a StringName, and `count` is twice what it was.
class Third:
	var count := 1
	var label := &""
	var note := "none"
