extends "engine_suite.gd"
## Tests the arena of the demo as a game on a poor network: a server, three clients and a hostile one, all of them
## processes of their own. They are in demo/arena and arena/.

## The reason why run.gd skips this suite in a packed game.
const EDITOR_ONLY := "starts scripts of the checkout"
const ONCE := "is about processes and a network"

const EngineProcess := preload("load/engine_process.gd")
const Messages := preload("res://demo/arena/messages.gd")
const World := preload("res://demo/arena/world.gd")


## Plays for four seconds of a stepped clock; --long plays for a minute with processes, and judges times.
func test_a_rehearsal() -> void:
	var words := EngineProcess.command("res://tests/arena/rehearsal.gd", ["--seconds=60"] if long else ["--seconds=4", "--rejoins=1", "--no-gate", "--stepped"])
	var output := []
	var code := OS.execute(words[0], words.slice(1), output, true)
	var text := str(output[0]).strip_edges() if not output.is_empty() else ""
	check(code == 0 and text.ends_with("PASS"), "the rehearsal ended with %d:\n%s" % [code, text])
	check(not text.contains("ERROR"), "something is logged:\n" + text)
	if long:
		print(text)


## Tests that the simulation stays within the schema, which the server would otherwise refuse to send.
func test_every_state_fits_its_schema() -> void:
	var world := World.new()
	var player := world.add_player()
	var schema := Messages.world()
	for step in 400:
		world.steer(player, Vector2.from_angle(step / 20.0))
		world.step(1.0 / Messages.RATE)
		var packed := schema.pack(world.state())
		if not check(not packed.is_empty(), "state %d: %s" % [step, schema.get_error_message()]):
			return
		check(packed.size() <= 1200, "state %d has %d bytes" % [step, packed.size()])
	world.remove(player)
	check_same(world.entities.size(), World.BOTS, "entities without the player")
