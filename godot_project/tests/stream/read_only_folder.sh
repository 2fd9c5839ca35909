#!/bin/sh
# Runs a program while a folder takes no files and gives none up: FOLDER PROGRAM...
# Root may write into any folder, so it runs the program without that right. Ends with 77 where that cannot be had.
folder=$1
shift
keep_out=
[ "$(id -u)" != 0 ] || keep_out='setpriv --bounding-set=-dac_override,-dac_read_search --inh-caps=-all'
$keep_out true || exit 77
trap 'chmod 755 "$folder"' EXIT
chmod 555 "$folder"
! $keep_out touch "$folder/probe" 2>/dev/null || exit 77
$keep_out "$@"
