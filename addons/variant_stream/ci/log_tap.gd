extends Logger
## Counts and keeps whatever the engine logs: errors, warnings and prints alike, from any thread. It is a file
## of its own, loaded on 4.5 and later only: older engines have no Logger and could not parse it.

const KEPT := 32

## The number of messages since the last take(); warnings and prints count as well.
var count := 0
var _errors := PackedStringArray()
var _messages := PackedStringArray()
var _mutex := Mutex.new()


func _log_error(function: String, file: String, line: int, code: String, rationale: String,
		_editor_notify: bool, error_type: int, _backtraces: Array[ScriptBacktrace]) -> void:
	var text := "%s (%s:%d in %s)" % [rationale if rationale else code, file, line, function]
	_mutex.lock()
	count += 1
	if _errors.size() < KEPT:
		_errors.append("warning: " + text if error_type == ERROR_TYPE_WARNING else text)
	_mutex.unlock()


func _log_message(message: String, _error: bool) -> void:
	_mutex.lock()
	count += 1
	if _messages.size() < KEPT:
		_messages.append(message.strip_edges())
	_mutex.unlock()


## Returns {count, errors, messages} and starts anew.
func take() -> Dictionary:
	_mutex.lock()
	var taken := {"count": count, "errors": _errors, "messages": _messages}
	count = 0
	_errors = PackedStringArray()
	_messages = PackedStringArray()
	_mutex.unlock()
	return taken
