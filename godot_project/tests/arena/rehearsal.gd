extends SceneTree
## Plays the arena of demo/arena: this process serves, a relay loses and delays packets, two clients are behind
## it, one is not, and a hostile client joins in. MultiplayerSynchronizer sends the same entities meanwhile.
##   godot --headless --path godot_project -s res://tests/arena/rehearsal.gd -- [--seconds 60] [--rejoins 5] [--no-gate] [--stepped]
## The client without a relay leaves and joins again so often.
## --no-gate leaves times and bytes out of the verdict: both grow where the machine is busy. With --stepped all are in this process
## and are stepped in turns, so that no clock is waited for; MultiplayerSynchronizer, which goes by one, is left out. It prints what each side saw, the bytes and the processor's time, then PASS or FAIL, and ends with 0 or 1.

const Messages := preload("res://demo/arena/messages.gd")
const Options := preload("res://addons/variant_stream/ci/options.gd")
const Processes := preload("processes.gd")
const ProcessorTime := preload("res://tests/processor_time.gd")
const Stepped := preload("stepped.gd")
const Synchronized := preload("synchronized.gd")

const CLIENTS := 3
const LOSS := 5
## The share of the states that a client behind the relay has to see: what is lost and what comes late is missing.
const LEAST_SEEN := 0.5
## The goal for the bytes of states, in parts of what the engine's own node sends.
const MOST_SHARE := 0.05
## The goal for the longest time without a state, in milliseconds. A state comes each 50.
const LONGEST_GAP := 1000
## The seconds in which all have to be there.
const PATIENCE := 20.0
## A frame of a stepped play, in seconds, and the number of frames in which it has to end.
const STEP := 1.0 / 60
const PATIENCE_STEPS := 60_000
## How many times as fast as the clock a stepped play may go before the arena's rates stop it.
const FAST := 1000

var _options: Dictionary
var _server: Node
var _rivals: Array[Synchronized] = []
var _rival_bytes: Array[int] = [0, 0]
## A Processes or a Stepped.
var _players: RefCounted
## The time of a stepped play.
var _msec := 0.0
var _began_at := 0
var _ends_at := 0
var _bytes := 0
## The states that were sent, to each peer of them.
var _sent := 0
var _ticks := 0
var _last_tick := 0
var _entities := 0
var _busy_usec := 0.0
var _ousted := []
var _seen := {}
var _is_good := true


func _initialize() -> void:
	Engine.max_fps = 60
	_options = Options.new(OS.get_cmdline_user_args(), {"seconds": 60, "rejoins": 5, "no-gate": false, "stepped": false}).values
	_options.merge({"clients": CLIENTS, "loss": LOSS})


## Starts everything. Nodes are in the tree only from the first frame on.
func _set_up() -> void:
	if _options.stepped:
		Messages.pace = FAST
	_server = load("res://demo/arena/server.tscn").instantiate()
	root.add_child(_server)
	_server.thrown_out.connect(func(peer: int, reasons: Dictionary) -> void: _ousted.append([peer, reasons]))
	if _options.stepped:
		_server.set_process(false)
		_players = Stepped.new(self, _options, _server.port())
		return
	for mode in [SceneReplicationConfig.REPLICATION_MODE_ALWAYS, SceneReplicationConfig.REPLICATION_MODE_ON_CHANGE]:
		_rivals.append(Synchronized.new(self, mode))
	_players = Processes.new(_options, _server.port())


func _process(_delta: float) -> bool:
	if _server == null:
		_set_up()
	if not _options.stepped:
		return _go_on()
	for step in PATIENCE_STEPS:
		# The clock of the connections is the system's: it is waited for while they are made and ended.
		OS.delay_msec(int(_began_at == 0 or not _seen.is_empty()))
		_msec += STEP * 1000.0
		_server.protocol.tick()
		_server._process(STEP)
		_players.step(STEP)
		if _go_on():
			return true
	print("FAIL: no end")
	quit(1)
	return true


## Returns the time of the play, in milliseconds.
func _now() -> int:
	return int(_msec) if _options.stepped else Time.get_ticks_msec()


## Does what is due in a frame, and returns whether all is over.
func _go_on() -> bool:
	for rival in _rivals:
		rival.show(_server.world)
		rival.poll()
	if _began_at == 0:
		if _server.players.size() == CLIENTS and _rivals.all(func(rival: Synchronized) -> bool: return rival.is_up()):
			_begin()
		elif Time.get_ticks_msec() > PATIENCE * 1000:
			print("FAIL: %d of %d clients are there" % [_server.players.size(), CLIENTS])
			quit(1)
			return true
		return false
	if _seen.is_empty() and _server.world.tick != _last_tick:
		_last_tick = _server.world.tick
		_sent += _server.protocol.get_peers().size()
	# The clients end when they hear that the game is over.
	if _now() < _ends_at and (_seen.is_empty() or _players.are_there()):
		return false
	if _seen.is_empty():
		_measure()
		_ends_at += 10_000
		return false
	_conclude()
	return true


## Begins to count. The cost of the handshakes is not part of it.
func _begin() -> void:
	_began_at = _now()
	_ends_at = _began_at + _options.seconds * 1000
	_ticks = _server.world.tick
	_server.bytes_sent()
	_last_tick = _ticks
	_busy_usec = ProcessorTime.exact_usec()
	_rivals.map(func(rival: Synchronized) -> int: return rival.bytes_sent())
	_players.let_hostile_in()


func _measure() -> void:
	_bytes = _server.bytes_sent()
	_entities = _server.world.entities.size()
	_busy_usec = ProcessorTime.exact_usec() - _busy_usec
	for rival in _rivals.size():
		_check(_rivals[rival].is_followed(), "MultiplayerSynchronizer does not follow")
		_rival_bytes[rival] = _rivals[rival].bytes_sent()
	_ticks = _server.world.tick - _ticks
	_seen = _server.confirmed.duplicate()
	_server.protocol.send(&"over", true)


func _conclude() -> void:
	var reports: Array = _players.reports()
	for client in CLIENTS:
		var said: Variant = reports[client]
		if not _check(said is Dictionary, "client %d said nothing" % client):
			continue
		# A client goes on until it hears that the game is over.
		var share := minf(float(said.states) / _ticks, 1.0)
		print("client %d%s: heard %d states, %d were sent while the server counted; longest gap %d ms" % [client,
			"" if client == 0 else " behind the relay", said.states, _ticks, said.longest_gap_msec])
		if client == 0:
			print("it joined again %d times; late states: %d" % [said.rejoined, said.late])
			_check(said.rejoined == _options.rejoins, "it should be %d times" % _options.rejoins)
		var is_late: bool = said.longest_gap_msec >= LONGEST_GAP and not _options["no-gate"]
		_check(share > LEAST_SEEN and not is_late, "client %d has too few states" % client)
	var confirmed := 0
	for peer: int in _seen:
		confirmed += _seen[peer]
	print("digests compared: %d, differences: %d" % [confirmed, _server.desyncs])
	_check(confirmed > _ticks and _server.desyncs == 0, "states differ")
	print("thrown out: %s" % [_ousted])
	_check(_ousted.size() == 1 and not _players.is_hostile_there(), "the hostile client is still there, or others are not")
	_compare(float(_bytes) / _sent)
	_players.close()
	print("PASS" if _is_good else "FAIL")
	_rivals.map(func(rival: Synchronized) -> void: rival.close())
	quit(0 if _is_good else 1)


## Compares the bytes that one client gets for a state.
func _compare(bytes: float) -> void:
	print("a state of %d entities takes %d bytes on the wire" % [_entities, bytes])
	for rival in _rivals.size():
		var theirs := float(_rival_bytes[rival]) / _ticks
		var name: String = ["always", "on change"][rival]
		print("MultiplayerSynchronizer, %s: %d bytes; the arena's are %.1f %% of it" % [name, theirs, 100 * bytes / theirs])
	if _rivals.is_empty():
		return
	_check(bytes < MOST_SHARE * _rival_bytes[0] / _ticks or _options["no-gate"], "the goal is %d %%" % roundi(MOST_SHARE * 100))
	var share: float = _busy_usec / (1e4 * _options.seconds)
	print("the server's thread is busy for %.1f %% of a core, MultiplayerSynchronizer included" % share)


func _check(is_true: bool, words: String) -> bool:
	if not is_true:
		print(words)
		_is_good = false
	return is_true
