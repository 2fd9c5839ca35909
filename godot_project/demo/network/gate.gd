extends RefCounted
## Plays the server's side: it decodes packets under limits and a schema, for a limited time each frame, and
## counts. A game's server would do the same; the counts are for the charts.

const Packets := preload("packets.gd")

## Reports the verdict on a packet: 0 or a kind of error, and the move when it was accepted.
signal judged(code: int, move: Variant)

## The microseconds for a frame. Packets beyond it wait in the peer for the next frame.
var budget_usec := 2000
var accepted := 0
var bytes := 0
## The number of refused packets by kind of error.
var rejected := {}
## The microseconds that the last call of serve() took.
var spent_usec := 0
var last_refusal := ""
var _took := PackedInt32Array()
var _codec := VariantCodec.new()


func _init() -> void:
	_codec.schema = Packets.schema()
	_codec.limits = Packets.limits()


## Judges the packets that `link` has until the budget is spent. `link` has waiting() and take().
func serve(link: RefCounted) -> void:
	var started := Time.get_ticks_usec()
	spent_usec = 0
	while link.waiting() > 0 and spent_usec < budget_usec:
		judge(link.take())
		spent_usec = Time.get_ticks_usec() - started


func judge(packet: PackedByteArray) -> void:
	var started := Time.get_ticks_usec()
	var answer: Error = _codec.decode(packet)
	var took := Time.get_ticks_usec() - started
	_took.append(took)
	bytes += packet.size()
	if answer == OK:
		accepted += 1
		judged.emit(0, _codec.data)
		return
	# Kind, path and message are made only when they are asked for: a server that disconnects without a reason
	# does not pay for them.
	var error := _codec.get_error()
	rejected[error.code] = rejected.get(error.code, 0) + 1
	last_refusal = error.message
	judged.emit(error.code, null)


## Returns the microseconds that a packet took since the last call: the mean of nine tenths, without those
## that were slowest because the machine did something else. It is 0 when there was none.
func take_usec() -> float:
	var kept := _took.duplicate()
	_took.clear()
	kept.sort()
	kept.resize(kept.size() - kept.size() / 10)
	var sum := 0
	for time in kept:
		sum += time
	return float(sum) / maxi(1, kept.size())


func rejected_in_all() -> int:
	var sum := 0
	for code: int in rejected:
		sum += rejected[code]
	return sum
