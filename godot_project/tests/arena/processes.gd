extends RefCounted
## Has the players of the arena in processes of their own: a client that leaves and joins again, clients behind a
## relay that loses and delays packets, and a hostile one.

const EngineProcess := preload("res://tests/load/engine_process.gd")

var _port: int
var _pipes: Array[Dictionary] = []
var _relay_id := -1
var _hostile_id := -1


## `options` are those of rehearsal.gd, with the number of `clients` and the `loss` of the relay.
func _init(options: Dictionary, port: int) -> void:
	_port = port
	var relayed := _free_port()
	_relay_id = _start("res://tests/arena/relay.gd", ["--listen=%d" % relayed, "--to=%d" % port, "--loss=%d" % options.loss,
		"--seconds=%d" % (options.seconds + 30)])
	for client: int in options.clients:
		var words := EngineProcess.scene_command("res://demo/arena/client.tscn",
				["--port=%d" % port, "--rejoins=%d" % options.rejoins, "--seconds=%d" % options.seconds] if client == 0 else ["--port=%d" % relayed])
		_pipes.append(OS.execute_with_pipe(words[0], words.slice(1), false))


func let_hostile_in() -> void:
	_hostile_id = _start("res://tests/arena/hostile.gd", ["--port=%d" % _port])


func step(_delta: float) -> void:
	pass


func are_there() -> bool:
	return _pipes.any(func(pipe: Dictionary) -> bool: return OS.is_process_running(pipe.pid))


func is_hostile_there() -> bool:
	return OS.is_process_running(_hostile_id)


## Returns what each client has seen, or null for one that has said nothing.
func reports() -> Array:
	return _pipes.map(func(pipe: Dictionary) -> Variant: return JSON.parse_string(pipe.stdio.get_as_text()))


func close() -> void:
	OS.kill(_relay_id)


## Asks the system for a port that nobody uses.
func _free_port() -> int:
	var server := UDPServer.new()
	server.listen(0, "127.0.0.1")
	return server.get_local_port()


func _start(script: String, options: PackedStringArray) -> int:
	var words := EngineProcess.command(script, options)
	return OS.create_process(words[0], words.slice(1))
