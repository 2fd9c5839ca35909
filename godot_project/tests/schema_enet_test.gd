extends "engine_suite.gd"
## A server that decodes under a schema, and a hostile client over ENet. What both are, stands in enet/.

## See run.gd.
const EDITOR_ONLY := "starts scripts of the checkout"

const EngineProcess := preload("load/engine_process.gd")


## 4 000 packets, and every answer; --long: 20 000, and the time of a frame.
func test_a_server_under_a_hostile_client() -> void:
	var options := ["--packets=20000"] if long else ["--packets=4000", "--rate=4000", "--no-gate"]
	var words := EngineProcess.command("res://tests/enet/server.gd", options)
	var output := []
	var code := OS.execute(words[0], words.slice(1), output, true)
	var text := str(output[0]).strip_edges() if not output.is_empty() else ""
	check(code == 0 and text.ends_with("PASS"), "the server ended with %d:\n%s" % [code, text])
