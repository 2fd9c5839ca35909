extends RefCounted
## What a data class may extend: enums of its own and of a class within, and a class without a name of its own.

enum Team {RED, BLUE = 4}


class Part:
	enum Grade {GOOD = 2, BAD = 3}
	var grade: Grade = Grade.BAD
	var owner: Team = Team.BLUE


var team: Team = Team.BLUE
