extends RefCounted
## Reads the attack corpus, tests/attacks/*.txt, and makes its inputs. The README there describes the lines;
## rust/testkit/src/attack.rs does the same in Rust. It judges nothing.

const FOLDER := "res://../tests/attacks"

## Keeps the bytes of repetitions that are made turn by turn: that takes seconds, and several tests want them.
static var _made_turn_by_turn := {}

## The fault of the files, or empty.
var trouble := ""


## Reads the lines as {name, input, engine: [3 answers], safe: [3 answers], canonical: [3 answers]}.
func rows() -> Array[Dictionary]:
	var found: Array[Dictionary] = []
	var folder := ProjectSettings.globalize_path(FOLDER).simplify_path()
	for name in DirAccess.get_files_at(folder):
		if name.get_extension() == "txt":
			for line in FileAccess.get_file_as_string(folder.path_join(name)).split("\n", false):
				if not line.begins_with("#"):
					found.append(_row(name.get_basename(), line))
	return found


func _row(family: String, line: String) -> Dictionary:
	var columns := line.split("|")
	if columns.size() != 6:
		trouble = "not six columns: " + line
		columns.resize(6)
	return {
		"name": "%s: %s" % [family, columns[0].strip_edges()], "input": columns[1],
		"engine": _answers(columns[2]), "safe": _answers(columns[3]), "canonical": _answers(columns[4]),
	}


func _answers(column: String) -> PackedStringArray:
	var words := column.split(" ", false)
	return PackedStringArray([words[0], words[0], words[0]]) if words.size() == 1 else words


## Makes the bytes that `text` stands for; `turn` is the number of the turn of the repetition around it.
func bytes(text: String, turn := 0) -> PackedByteArray:
	var made := PackedByteArray()
	var at := 0
	while at < text.length():
		var end := at + 1
		if text[at] == "(":
			var close := _closing(text, at)
			end = _end_of_word(text, close + 1)
			var times := text.substr(close + 2, end - close - 2).to_int()
			made.append_array(_repeated(text.substr(at + 1, close - at - 1), times))
		elif text[at] != " ":
			end = _end_of_word(text, at)
			made.append_array(_word(text.substr(at, end - at), turn))
		at = end
	return made


func _word(word: String, turn: int) -> PackedByteArray:
	if word == "#h":
		return ("%08x" % turn).to_ascii_buffer()
	if word == "#p":
		# In base 33, in which the engine hashes text, both pairs are equal.
		var spelled := ""
		for bit in 12:
			spelled += "aB" if turn >> bit & 1 else "b!"
		return spelled.to_ascii_buffer()
	if not word[0] in "=#":
		return word.hex_decode()
	var number := PackedByteArray([0, 0, 0, 0])
	number.encode_u32(0, turn if word == "#" else word.substr(1).to_int())
	return number


func _repeated(inside: String, times: int) -> PackedByteArray:
	var made := PackedByteArray()
	if inside.contains("#"):
		var key := [inside, times]
		if not _made_turn_by_turn.has(key):
			for turn in times:
				made.append_array(bytes(inside, turn))
			_made_turn_by_turn[key] = made
		return _made_turn_by_turn[key]
	# The bytes are doubled, because some repetitions are a million long.
	var once := bytes(inside)
	made = once.duplicate()
	while made.size() * 2 <= once.size() * times:
		made.append_array(made)
	made.append_array(made.slice(0, once.size() * times - made.size()))
	return made


func _end_of_word(text: String, from: int) -> int:
	var at := from
	while at < text.length() and text[at] != " " and text[at] != "(":
		at += 1
	return at


func _closing(text: String, open: int) -> int:
	var depth := 0
	for at in range(open, text.length()):
		depth += int(text[at] == "(") - int(text[at] == ")")
		if depth == 0:
			return at
	trouble = "no closing parenthesis: " + text
	return text.length()
