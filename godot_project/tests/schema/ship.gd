extends RefCounted
## Declares a data class for cruiser.gd to extend: it has enums of its own and of an inner class.

enum Team {RED, BLUE = 4}


class Part:
	enum Grade {GOOD = 2, BAD = 3}
	var grade: Grade = Grade.BAD
	var owner: Team = Team.BLUE


var team: Team = Team.BLUE
