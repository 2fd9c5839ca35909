extends "res://bench/static_jobs.gd"
## Times a list of 100 slots with metadata and pictures against the 10 ms that it may take. Each file has the front of a save
## and says that it holds 50 MB; no list reads the rest, which takes no room on most disks.

const FOLDER := "user://bench_list"
const SLOTS := 100
const SLOT_BYTES := 50_000_000
const ALLOWED_USEC := 10_000


func _init(given: Variant) -> void:
	super(given)
	DirAccess.make_dir_absolute(FOLDER)
	var save := VariantSave.new()
	var picture := PackedByteArray()
	picture.resize(8000)
	for slot in SLOTS:
		var file := FileAccess.open("%s/slot%d.save" % [FOLDER, slot], FileAccess.WRITE)
		file.store_buffer(save.to_bytes(given, {"level": slot, "played": 3600}, picture))
		file.resize(SLOT_BYTES)


func _notification(what: int) -> void:
	if what == NOTIFICATION_PREDELETE:
		for name in DirAccess.get_files_at(FOLDER):
			DirAccess.remove_absolute(FOLDER.path_join(name))
		DirAccess.remove_absolute(FOLDER)


func difference() -> String:
	var list := VariantSave.list(FOLDER)
	var is_whole := func(slot: Dictionary) -> bool:
		return slot.is_readable and slot.bytes == SLOT_BYTES and slot.thumbnail.size() == 8000
	return "" if list.size() == SLOTS and list.all(is_whole) else "%d slots" % list.size()


func engine_decode(times: int) -> int:
	return ALLOWED_USEC * times


func ours_decode(times: int) -> int:
	var start := Time.get_ticks_usec()
	for i in times:
		var _list := VariantSave.list(FOLDER)
	return Time.get_ticks_usec() - start
