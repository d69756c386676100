#!/usr/bin/env bash
# Trains for 2,000 updates, about a minute, and fails if the process' memory grows by more than a tenth after the first 200 updates:
# training must reuse the memory that it drops. It reads /proc, so it needs Linux.
#
#   examples/charlm/flat.sh [MODEL]
set -eu
cd "$(dirname "$0")/../.."
[ -r /proc/self/status ] || { echo "skipped: there is no /proc"; exit 0; }
bin=$(mktemp)
trap 'rm -f "$bin"' EXIT
go build -o "$bin" ./examples/charlm
coproc run { exec "$bin" -model "${1:-lstm}" -updates 2000 -every 200 -letters 0; }
pid=$run_PID first=0 last=0
while read -r line; do
  resident=$(awk '/VmRSS/ { print $2 }' "/proc/$pid/status" 2> /dev/null || true)
  echo "$line  resident ${resident:-?} KiB"
  last=${resident:-$last}
  [ "$first" != 0 ] || first=$last
done <&"${run[0]}"
[ $((last * 10)) -le $((first * 11)) ] && echo "ok: $first KiB after 200 updates, $last KiB at the end" || { echo "FAILED: from $first to $last KiB"; exit 1; }
