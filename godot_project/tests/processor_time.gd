extends RefCounted
## Reads the processor's time of the thread that runs scripts, so that a busy machine changes no verdict. Only
## Linux tells it, in steps of a few milliseconds unless the thread sleeps first; elsewhere it is the clock's
## time.

const TELLS := "/proc/self/schedstat"


static func usec() -> int:
	return nsec() / 1000 if is_told() else Time.get_ticks_usec()


## Returns it to a few microseconds. The call takes some 70 of the clock's itself, because the kernel counts
## when a thread goes to sleep.
static func exact_usec() -> float:
	OS.delay_usec(1)
	return nsec() / 1e3 if is_told() else float(Time.get_ticks_usec())


## Returns it in nanoseconds; 0 where the system does not tell it.
static func nsec() -> int:
	var file := FileAccess.open(TELLS, FileAccess.READ) if is_told() else null
	return file.get_line().get_slice(" ", 0).to_int() if file != null else 0


static func is_told() -> bool:
	return OS.get_name() == "Linux" and FileAccess.file_exists(TELLS)
