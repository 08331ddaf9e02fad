#!/usr/bin/env bash
# Counts instructions of whole steps by callgrind (valgrind): a busy machine does not change them, a compiler does, a little.
# Prints for each scene of counts.txt what a step takes against its bound, then the shares of the stages, which contain what
# they call. A step may take 15 % more than counts.txt says. Arguments: output folder; then "record" to write counts.txt
# anew.
set -u
here=$(cd "$(dirname "$0")" && pwd)
out=${1:-build}
mkdir -p "$out"
command -v valgrind >/dev/null || { echo "this needs valgrind"; exit 2; }
# Stages that are called from one place must stay functions to be counted.
"${CC:-cc}" -std=c99 -O2 -g -fno-inline-functions-called-once -I"$here/../.." -I"$here/../peers" -o "$out/speed_count" \
  "$here/speed.c" "$here/own_scenes.c" "$here/../peers/scenes.c" "$here/../peers/peer_dvc.c" -lm || exit 2

stages="dvci_load dvci_find_contacts_of_step dvci_advance_island dvci_solve_linearised dvci_solve_end_pose dvci_set_up
  dvci_run_method dvci_measure_end dvci_store_links dvci_store_contacts dvci_store_bodies"

# Instructions of a function with all that it calls; 0 if it was not called.
inclusive() {
  callgrind_annotate --inclusive=yes --auto=no --threshold=100 "$out/callgrind.out" 2>/dev/null |
    awk -v name="$1" '$0 ~ ":" name "(\\.[a-z]+\\.[0-9]+)?( |$)" { gsub(",", "", $1); if ($1 + 0 > most) most = $1 + 0 }
                      END { print most + 0 }'
}

passed=0 failed=0 fresh=
while IFS='|' read -r scene kind steps bound; do
  case $scene in '#'* | '') fresh+="$scene"$'\n'; continue ;; esac
  if ! valgrind --tool=callgrind --toggle-collect=dvc_step --callgrind-out-file="$out/callgrind.out" \
    "$out/speed_count" steps "$scene" "$kind" "$steps" >/dev/null 2>&1 </dev/null; then
    echo "FAIL $scene, $kind: did not run"
    failed=$((failed + 1))
    continue
  fi
  all=$(sed -n 's/^summary: //p; s/^totals: //p' "$out/callgrind.out" | head -1)
  each=$((all / steps))
  fresh+="$scene|$kind|$steps|$each"$'\n'
  if [ "$((each * 100))" -le "$((bound * 115))" ]; then verdict=ok passed=$((passed + 1))
  else verdict=FAIL failed=$((failed + 1)); fi
  printf '%-4s %-24s %-4s %10d instructions a step, %10d recorded\n' "$verdict" "$scene" "$kind" "$each" "$bound"
  for stage in $stages; do
    printf '       %5.1f %%  %s\n' "$(echo "$(inclusive "$stage") $all" | awk '{ print 100 * $1 / $2 }')" "$stage"
  done
done <"$here/counts.txt"
[ "${2:-}" = record ] && printf '%s' "$fresh" >"$here/counts.txt"
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
