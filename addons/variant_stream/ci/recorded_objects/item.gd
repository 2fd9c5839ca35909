extends RefCounted
## Serves as the script of recorded objects without exported variables: none of its variables is stored.

const K := 1

static var st := 9

var count := 0
var title := ""
var child: RefCounted = null
var _private := 3
