#!/usr/bin/env bash
# Builds and runs the experiments, prints one table of all they measured, and fails if a row failed. Arguments: output
# folder for programs and pictures, then "long" for more of everything. The soak test has a target of its own.
set -u
here=$(cd "$(dirname "$0")" && pwd)
out=${1:-build}
mkdir -p "$out"
table=$out/experiments.txt
printf '%-6s %-72s %12s  %-18s %s\n' name what measured bar verdict | tee "$table"
broken=0
for source in "$here"/*.c; do
  name=$(basename "$source" .c)
  [ "$name" = soak ] && continue
  if "${CC:-cc}" -std=c99 -O2 -I"$here/../.." -o "$out/$name" "$source" -lm; then
    "$out/$name" "$out" "${2:-}" | tee -a "$table"
    [ "${PIPESTATUS[0]}" -le 1 ] || { echo "$name stopped early"; broken=$((broken + 1)); }
  else
    broken=$((broken + 1))
  fi
done
passed=$(grep -c ' pass$' "$table")
failed=$(($(grep -c ' FAIL$' "$table") + broken))
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
