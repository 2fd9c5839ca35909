extends RefCounted
## A plain class: none of its variables is stored.

var count := 0
var title := ""
var child: RefCounted = null
var _private := 3
static var st := 9
const K := 1
