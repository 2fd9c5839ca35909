extends SceneTree
## Tests in a browser that a save is there when the page is opened anew, though the game never ended. `cargo
## xtask foreign --target web…` starts it; the first visit saves and opens the page once more, the second one
## reads.

const PATH := "user://lasting.bin"
const VALUE := {"level": 7, "name": "Zoë"}
## The script that reloads the page later: the engine copies files to lasting storage a frame after it was
## told, and that takes a moment.
const RELOAD := "setTimeout(() => location.reload(), 3000)"
const VISITS := "sessionStorage.visits = Number(sessionStorage.visits ?? 0) + 1"


func _initialize() -> void:
	if str(JavaScriptBridge.eval(VISITS)).to_int() == 1:
		var job: RefCounted = ClassDB.class_call_static(&"VariantStream", &"save_file_async", PATH, VALUE)
		if job.wait() == OK:
			JavaScriptBridge.eval(RELOAD)
			return
		print("FAIL not saved: ", job.get_error_message())
	var file := FileAccess.open(PATH, FileAccess.READ)
	var failed := int(file == null or file.get_var() != VALUE)
	if failed:
		print("FAIL what was saved is gone with the page")
	print("== 1 tests, %d failed" % failed)
	quit(failed)
