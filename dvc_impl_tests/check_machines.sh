#!/usr/bin/env bash
# The same bits from every machine, compiler, level and language that is here: builds hash.c for each and compares what it
# prints with what gcc -O2 does on this one. Other machines are emulated: by qemu, node (WebAssembly) and wine (Windows).
#
#     check_machines.sh [quick] [LEAST]     quick: one or two levels for each machine. LEAST: fail if fewer other machines ran.
#                                           JOBS: builds at a time (1). PERCENT: of the steps (100).
set -u
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
stop() { if [ -d "$work/wine" ]; then WINEPREFIX="$work/wine" wineserver -k; fi; rm -rf "$work"; } 2>/dev/null
trap stop EXIT
quick=; [ "${1:-}" = quick ] && { quick=yes; shift; }
least=${1:-0} percent=${PERCENT:-100} jobs=${JOBS:-1}
export WINEPREFIX="$work/wine" WINEDEBUG=-all
builds=0 float="-DDVC_REAL=float"
have() { command -v "$1" >/dev/null 2>&1; }

# build NAME RUNNER COMMAND...: compiles and runs, into files of its own; a compiler that cannot do an empty program is none.
build() {
  local name=$1 runner=$2 at="$work/$builds"; shift 2
  builds=$((builds + 1))
  printf '%s\n' "$name" >"$at.name"
  printf '%s\n' "$*" | sed "s|$here/||g; s| -I[^ ]*||" >"$at.command"
  while [ "$(jobs -rp | wc -l)" -ge "$jobs" ]; do wait -n; done
  one "$at" "$runner" "$@" &
}
one() {
  local at=$1 runner=$2; shift 2
  printf 'int main(void) { return 0; }\n' >"$at.c"
  if ! "$@" -w "$at.c" -o "$at.exe" >"$at.log" 2>&1 || ! $runner "$at.exe" >>"$at.log" 2>&1; then echo skipped >"$at.state"; return; fi
  if ! "$@" -w "$here/hash.c" -o "$at.exe" -lm >"$at.log" 2>&1; then echo refused >"$at.state"; return; fi
  timeout 900 $runner "$at.exe" "$percent" 2>"$at.log" | tr -d '\r' >"$at.told"
  [ "${PIPESTATUS[0]}" -eq 0 ] && echo ran >"$at.state" || echo failed >"$at.state"
}

# both: double and float. levels NAME RUNNER "LEVEL|LEVEL..." COMPILER...: each level in double, in float those of two words less.
levels() {
  local name=$1 runner=$2 list=$3 level; shift 3
  local old=$IFS; IFS='|'; set -f; local each=($list); set +f; IFS=$old
  for level in "${each[@]}"; do build "$name" "$runner" "$@" $level; done
}

emulator() { for e in "qemu-$1-static" "qemu-$1"; do have "$e" && { echo "$e"; return; }; done; }
missing=
# machine NAME QEMU TRIPLE QUICK-LEVELS LEVELS [FLAGS]: by gcc and, not if quick, by clang
machine() {
  local name=$1 qemu list=$4; qemu=$(emulator "$2")
  [ -n "$qemu" ] || { missing="$missing$name: no qemu-$2-static"$'\n'; return; }
  [ -n "$quick" ] || list=$5
  if have "$3-gcc"; then levels "$name" "$qemu ${6:-}" "$list" "$3-gcc" -static; else missing="$missing$name: no $3-gcc"$'\n'; fi
  if [ -z "$quick" ] && have clang && have "$3-gcc"; then levels "$name" "$qemu ${6:-}" "-O0|-O2|-std=gnu11 -O3|-O1 $float" clang --target="$3" -static; fi
}

here_levels="-std=c99 -O0|-std=c99 -O1|-std=gnu11 -O3|-std=gnu11 -O3 -march=native|-std=c99 -Os|-std=c99 -O0 $float|-std=gnu11 -O3 -march=native $float"
build here "" "${CC:-cc}" -std=c99 -O2
build here "" "${CC:-cc}" -std=c99 -O2 $float
if [ -z "$quick" ]; then
  levels here "" "$here_levels" gcc
  have clang && levels here "" "-std=c99 -O2|$here_levels" clang
  have g++ && levels here "" "-std=c++11 -O1|-std=gnu++17 -O3 -march=native|-std=c++17 -O2 $float" g++ -x c++
  have clang++ && levels here "" "-std=c++17 -O2" clang++ -x c++
fi
emulated_levels="-std=c99 -O0|-std=c99 -O1|-std=c99 -O2|-std=gnu11 -O3|-std=gnu99 -O0 $float|-std=gnu11 -O3 $float"
machine aarch64 aarch64 aarch64-linux-gnu "-std=gnu11 -O2|-std=gnu11 -O1 $float" "$emulated_levels|-std=gnu11 -O3 -march=armv8.3-a+fp16" "-cpu max"
machine armhf arm arm-linux-gnueabihf "-std=gnu11 -O1 -mfpu=neon-vfpv4" "$emulated_levels|-std=gnu11 -O3 -marm -mfpu=neon-vfpv4" "-cpu max"
machine s390x s390x s390x-linux-gnu "-std=c99 -O1|-std=gnu99 -O1 $float" "$emulated_levels|-std=gnu11 -O3 -march=z14"
[ -n "$quick" ] || machine riscv64 riscv64 riscv64-linux-gnu "" "$emulated_levels"
for c in gcc clang; do
  [ $c = clang ] && [ -n "$quick" ] && continue
  have $c && levels i686 "" "$([ -n "$quick" ] && echo "-std=gnu11 -O1" || echo "$emulated_levels")" $c -m32 -msse2 -mfpmath=sse
done
if ! have node || ! have clang; then missing="${missing}wasm32: no clang and node"$'\n'; else
  levels wasm32 "node $here/run_wasm.mjs" "$([ -n "$quick" ] && echo "-std=c99 -O1" || echo "$emulated_levels")" clang --target=wasm32-wasi -Wl,-z,stack-size=1048576
fi
if ! have wine || ! have x86_64-w64-mingw32-gcc; then missing="${missing}windows: no wine and x86_64-w64-mingw32-gcc"$'\n'; else
  wait
  wine wineboot -i >/dev/null 2>&1
  levels windows wine "$([ -n "$quick" ] && echo "-std=gnu11 -O1" || echo "$emulated_levels")" x86_64-w64-mingw32-gcc -static
fi
wait

failed=0 compared=0 ran=
printf '%-8s  %-6s  %-16s  %s\n' machine reals "hash of all" "made by"
for ((i = 0; i < builds; i++)); do
  at="$work/$i" name=$(cat "$work/$i.name") command=$(cat "$work/$i.command") reference="$work/0"
  reals=double; case " $command " in *" $float "*) reals=float reference="$work/1" ;; esac
  command=${command/ $float/}; state=$(cat "$at.state")
  if [ "$state" = skipped ]; then printf '%-8s  %-6s  %-16s  %s: skipped, no such compiler or no way to run it\n' "$name" $reals "" "$command"; continue; fi
  printf '%-8s  %-6s  %-16s  %s\n' "$name" $reals "$(awk '$1 == "all" { print $2 }' "$at.told" 2>/dev/null)" "$command"
  compared=$((compared + 1))
  if [ "$state" != ran ]; then failed=$((failed + 1)); echo "FAIL machines / $state: $(head -c 300 "$at.log" | tr '\n' ' ')"; continue; fi
  case " $ran " in *" $name "*) ;; *) [ "$name" = here ] || ran="$ran $name" ;; esac
  if ! cmp -s "$at.told" "$reference.told"; then
    failed=$((failed + 1)); echo "FAIL machines / other bits: $(diff "$reference.told" "$at.told" | awk '/^>/ { print $2 }' | tr '\n' ' ')"
  fi
done
[ -z "$missing" ] || printf '%s' "$missing" | sed 's/^/skipped  /'
others=$(echo $ran | wc -w)
[ "$others" -ge "$least" ] || { failed=$((failed + 1)); echo "FAIL machines / only $others other machines ran, at least $least must:$ran"; }
sed 's/^/         /' "$work/0.told"
echo "machines: $((compared - failed)) of $compared builds give these bits, on this machine and $others others:$ran"
[ "$failed" -eq 0 ]
