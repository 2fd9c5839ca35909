#!/bin/sh
# Runs a program with a library that makes some of its calls fail: LIBRARY FAULT PROGRAM...
# From the library's folder, since the loader takes no path with a space.
cd "$(dirname "$1")" || exit 2
LD_PRELOAD=./$(basename "$1")${LD_PRELOAD:+:$LD_PRELOAD} FAULT=$2
export LD_PRELOAD FAULT
shift 2
exec "$@"
