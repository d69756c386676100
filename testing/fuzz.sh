#!/usr/bin/env bash
# Fuzzes all fuzz targets of the repository, in turns, for a given time in total:
#
#   testing/fuzz.sh [TIME [TURN [REGEXP]]]
#
# TIME and TURN, such as 90s, 20m or 8h, are the time in total and of one turn of a target; the defaults are 1h and 2m.
# REGEXP selects targets by PACKAGE:NAME, such as 'device/cpu:' or ':FuzzParse$'. What the go command has found of new
# paths stays in its cache, so that the next turn, or the next call, continues. A target that finds a fault is not
# fuzzed further: the go command writes the input to testdata/fuzz of its package, where every test run tries it.
# The exit status is the number of such targets. The go command also ends a target that takes 10 seconds for one input,
# which a busy machine can make of any input: if the input passes alone, the target continues.
set -u
cd "$(dirname "$0")/.."

# seconds TIME prints a time in seconds.
seconds() {
  case $1 in
    *h) echo $((${1%h} * 3600)) ;;
    *m) echo $((${1%m} * 60)) ;;
    *) echo $((${1%s})) ;;
  esac
}

total=$(seconds "${1:-1h}") turn=$(seconds "${2:-2m}") only=${3:-.}
folder=$(mktemp -d)

# stalled PACKAGE NAME reports whether the go command ended the target without a finding: for an input that passes alone, which it
# removes, or without an input.
stalled() {
  local input
  grep -q 'communicating with fuzzing process: EOF' "$folder/out" && return # a worker that takes a second to end
  grep -q 'fuzzing process hung or terminated unexpectedly' "$folder/out" || return 1
  input=$(sed -n 's/.*Failing input written to //p' "$folder/out")
  [ -n "$input" ] && go test -run "^$2\$/^${input##*/}\$" "$1" > "$folder/again" 2>&1 && rm "$1/$input"
}
trap 'rm -rf "$folder"' EXIT

# The targets that this machine can build: cudaops needs a GPU, or its emulator.
targets() {
  local package name
  go list -f '{{.Dir}} {{join .TestGoFiles " "}} {{join .XTestGoFiles " "}}' ./... | while read -r package files; do
    for file in $files; do
      sed -n 's/^func \(Fuzz[A-Za-z0-9_]*\)(f \*testing\.F).*/\1/p' "$package/$file"
    done | while read -r name; do echo ".${package#"$PWD"}:$name"; done
  done | grep -v '^\./cudaops:' | grep -E "$only"
}

mapfile -t left < <(targets)
if [ ${#left[@]} = 0 ]; then
  echo "no fuzz target matches $only" >&2
  exit 1
fi
echo "${#left[@]} targets, ${total}s in turns of ${turn}s"
failed=()
end=$((SECONDS + total))
while [ ${#left[@]} -gt 0 ] && [ $SECONDS -lt $end ]; do
  next=()
  for target in "${left[@]}"; do
    time=$((end - SECONDS < turn ? end - SECONDS : turn))
    if [ "$time" -le 0 ]; then
      next+=("$target")
      continue
    fi
    # Minimising an input can take a minute, and tells little about launches of kernels.
    if go test -run '^$' -fuzz "^${target##*:}\$" -fuzztime "${time}s" -fuzzminimizetime 1x "${target%:*}" > "$folder/out" 2>&1; then
      next+=("$target")
      printf '%-45s %s\n' "$target" "$(grep '^fuzz: elapsed' "$folder/out" | tail -1 | sed 's/^fuzz: //')"
    elif stalled "${target%:*}" "${target##*:}"; then
      next+=("$target")
      printf '%-45s the machine stalled: %s\n' "$target" "$(grep '^fuzz: elapsed' "$folder/out" | tail -1 | sed 's/^fuzz: //')"
    else
      failed+=("$target")
      printf '%-45s FAILED\n' "$target"
      sed 's/^/    /' "$folder/out"
    fi
  done
  left=("${next[@]}")
done
printf '\n%d targets found a fault %s\n' "${#failed[@]}" "${failed[*]}"
exit "${#failed[@]}"
