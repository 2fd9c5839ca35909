extends RefCounted
## Reads the most memory that this process has held since the last reset(), Rust's and the engine's alike.
## Only Linux tells it; elsewhere it is always 0, and so it is under AddressSanitizer, which keeps freed
## memory.

const STATUS := "/proc/self/status"
const CLEAR := "/proc/self/clear_refs"


func reset() -> void:
	if OS.get_name() == "Linux":
		var file := FileAccess.open(CLEAR, FileAccess.WRITE)
		if file != null:
			file.store_string("5")


func peak() -> int:
	return _figure("VmHWM:")


## Returns what the process holds now.
func now() -> int:
	return _figure("VmRSS:")


func _figure(name: String) -> int:
	var tells := OS.get_name() == "Linux" and not OS.has_environment("ASAN_OPTIONS")
	var file := FileAccess.open(STATUS, FileAccess.READ) if tells else null
	while file != null and not file.eof_reached():
		var line := file.get_line()
		if line.begins_with(name):
			return line.to_int() * 1024
	return 0
