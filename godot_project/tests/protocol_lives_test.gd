extends "suite.gd"
## Tests the life of a peer over ENet and over WebSocket: protocol/lives.gd, in processes of their own.

## The reason why run.gd skips this suite in a packed game.
const EDITOR_ONLY := "starts scripts of the checkout"

const EngineProcess := preload("load/engine_process.gd")


func test_over_enet() -> void:
	_play("enet")


func test_over_websocket() -> void:
	_play("websocket")


func _play(transport: String) -> void:
	var words := EngineProcess.command("res://tests/protocol/lives.gd", ["--transport=" + transport, "--hostile=%d" % (1000 if long else 30)])
	var output := []
	var code := OS.execute(words[0], words.slice(1), output, true)
	var text := str(output[0]).strip_edges() if not output.is_empty() else ""
	check(code == 0 and text.ends_with("PASS"), "%s ended with %d:\n%s" % [transport, code, text])
	check(not text.contains("ERROR") and not text.contains("leaked"), "something is logged:\n" + text)
