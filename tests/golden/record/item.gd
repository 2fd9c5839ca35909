extends RefCounted
## Declares a class without exported variables, so none of them is stored.

var count := 0
var title := ""
var child: RefCounted = null
var _private := 3
static var st := 9
const K := 1
