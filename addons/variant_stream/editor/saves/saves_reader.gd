@tool
extends RefCounted
## Finds the saves of a folder with the files beside them, judges each, compares two, and gets out what is whole of a damaged
## one. It writes no file and shows nothing.

const Looks := preload("../looks.gd")

## The largest file that is judged: the editor's memory has other things in it.
const MOST_BYTES := 64 << 20
## The most files and subfolders that are listed.
const MOST_FILES := 500
const MOST_FOLDERS := 50
## Matches the ends of the files beside a save: its backups, and what save() kept.
const BESIDE := "^\\.(bak[0-9]*|(damaged|refused)(-[0-9]+)?|v[0-9]+(-[0-9]+)?)$"
## The state of a file by the error that it is refused with; of others "refused".
const STATES := {
	VariantCodec.SAVE_DAMAGED: "damaged", VariantCodec.SAVE_CUT_SHORT: "damaged", VariantCodec.SAVE_NEWER: "newer",
	VariantCodec.WRONG_KEY: "needs a password", VariantCodec.NOT_A_SAVE: "no save"}
const WHOLE := "whole"
## Sentences on how two saves stand to each other, by VariantSave.Order.
const ORDERS: PackedStringArray = [
	"%s and %s are copies of one save", "%s is the older one: %s goes on from it", "%s is the newer one: it goes on from %s",
	"%s and %s both go on from one save", "%s and %s have no save in common"]

var password := "":
	set(text):
		password = text
		_save = _new_save()

var _save := _new_save()


## Returns the saves of a folder and of the folders in it, by name: what peek() says of each, its name from there, and `beside`,
## the same of its backups and of what was kept.
static func read(folder: String) -> Array[Dictionary]:
	var found: Array[Dictionary] = []
	var inner := Array(DirAccess.get_directories_at(folder)).slice(0, MOST_FOLDERS) if DirAccess.dir_exists_absolute(folder) else []
	var ending := RegEx.create_from_string(BESIDE)
	for below: String in [""] + inner:
		var place := folder.path_join(below) if not below.is_empty() else folder
		var saves := VariantSave.list(place).filter(func(it: Dictionary) -> bool: return not it.is_unversioned)
		var files := DirAccess.get_files_at(place) if not saves.is_empty() else PackedStringArray()
		for save: Dictionary in saves.slice(0, MOST_FILES - found.size()):
			var file := (save.path as String).get_file()
			save.name = below.path_join(file)
			# A save whose own file is lost is listed by its backup.
			save.path = place.path_join(file)
			save.beside = []
			for other in files:
				if other.begins_with(file) and ending.search(other.substr(file.length())) != null:
					save.beside.append(VariantSave.peek(place.path_join(other)).merged({"name": other, "path": place.path_join(other)}, true))
			found.append(save)
	return found


## Returns the state of a file in a word or two, and why.
func judge(path: String) -> Dictionary:
	var file := FileAccess.open(path, FileAccess.READ) if FileAccess.file_exists(path) else null
	if file == null:
		return {"state": "gone", "reason": "there is no file of this name: load() takes a backup"}
	if file.get_length() > MOST_BYTES:
		return {"state": "not checked", "reason": "it has more than %s; gdvar save verify checks it" % Looks.size_of(MOST_BYTES)}
	if not state(path).is_empty():
		return {"state": WHOLE, "reason": ""}
	return {"state": STATES.get(_save.get_error().code, "refused"), "reason": _save.get_error_message()}


## Returns the state of the game in a save as the engine writes it; empty where it does not open.
func state(path: String) -> PackedByteArray:
	return _save.extract(FileAccess.get_file_as_bytes(path))


## Returns why state() was empty.
func trouble() -> String:
	return _save.get_error_message()


## Returns in a sentence how two saves stand to each other.
static func order(first: Dictionary, second: Dictionary) -> String:
	return ORDERS[VariantSave.compare(first, second)] % [first.name, second.name]


## Returns the entries of a damaged save that are whole, as bytes, and what is lost in a sentence.
func recover(save: Dictionary) -> Dictionary:
	var recovering := _new_save()
	# Nothing is migrated: the panel shows what is in the file.
	recovering.version = maxi(save.get("version", 1), 1)
	if recovering.recover(save.path) != OK:
		return {"bytes": PackedByteArray(), "told": recovering.get_error_message()}
	var report := recovering.get_report()
	var lost := "%d are lost" % report.lost_entries if report.lost_entries >= 0 else "nobody can tell how many are lost"
	return {"bytes": VariantStream.encode(recovering.data), "told": "%d entries are whole, %s" % [report.entries, lost]}


func _new_save() -> VariantSave:
	var save := VariantSave.new()
	save.limits = VariantLimits.engine()
	save.accept_unprotected = true
	if not password.is_empty():
		save.password = password
	return save
