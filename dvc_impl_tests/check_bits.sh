#!/usr/bin/env bash
# The same bits from every compiler, optimisation level and instruction set, without any flag about contraction.
set -u
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0 failed=0 first=

try() {
  local name=$1 hash; shift
  if ! "$@" -o "$work/bits" "$here/bits.c" >"$work/log" 2>&1; then
    case "$name" in *native*|*avx*) return ;; esac # an instruction set this machine does not have
    failed=$((failed + 1)); echo "FAIL bits / $name does not compile: $(head -3 "$work/log")"; return
  fi
  hash=$("$work/bits")
  [ -n "$first" ] || { first=$hash; echo "bits: $hash"; }
  if [ "$hash" = "$first" ]; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "FAIL bits / $name: $hash"; fi
}

for flags in "-std=c99 -O2" "-std=c99 -O0" "-std=gnu11 -O3" "-std=gnu11 -O3 -march=native" "-std=gnu11 -O2 -mavx2 -mfma" "-std=gnu11 -O3 -funroll-loops"; do
  try "gcc $flags" ${CC:-cc} $flags
done
try "stages told" ${CC:-cc} -std=c99 -O2 -DBITS_STAGES -Wall -Wextra -pedantic -Wshadow -Wconversion -Werror
if command -v g++ >/dev/null; then
  try "g++ -O2" g++ -x c++ -std=c++17 -O2
  try "g++ -O3 -march=native" g++ -x c++ -std=gnu++17 -O3 -march=native
fi
if command -v clang >/dev/null; then
  try "clang -O2" clang -std=c99 -O2
  try "clang -O3 -march=native" clang -std=gnu11 -O3 -march=native
  try "clang -O0" clang -std=gnu11 -O0
fi
# Threads, where there is OpenMP: any number of them.
for compiler in ${CC:-cc} clang; do
  printf 'int main(void) { return 0; }\n' >"$work/empty.c"
  $compiler -fopenmp "$work/empty.c" -o "$work/empty" 2>/dev/null || continue
  for threads in 1 2 4; do
    OMP_NUM_THREADS=$threads try "$compiler, $threads threads" $compiler -std=c99 -O2 -fopenmp -DDVC_OPENMP -Wall -Wextra -pedantic -Werror
  done
done
# Flags that change arithmetic: refused by the compiler, or by the first step, or without an effect.
honest() {
  local name=$1; shift
  if ! "$@" -w -o "$work/hash" "$here/hash.c" -lm >"$work/log" 2>&1; then
    if grep -q "dvc.h needs" "$work/log"; then passed=$((passed + 1)); else echo "skipped bits / $name: $(head -c 200 "$work/log" | tr '\n' ' ')"; fi
    return
  fi
  "$work/hash" 5 >"$work/told"
  if cmp -s "$work/told" "$work/honest" || grep -q "arithmetic is not IEEE" "$work/told"; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "FAIL bits / $name: other bits, and nobody tells"; fi
}
for compiler in ${CC:-cc} clang; do
  command -v $compiler >/dev/null || continue
  $compiler -std=gnu11 -O1 -march=native "$here/hash.c" -o "$work/hash" -lm && "$work/hash" 5 >"$work/honest"
  for flags in -ffp-contract=fast -freciprocal-math "-fassociative-math -fno-signed-zeros -fno-trapping-math" -fno-signed-zeros \
               -funsafe-math-optimizations -ffinite-math-only -fsingle-precision-constant -Ofast; do
    honest "$compiler $flags" $compiler -std=gnu11 -O1 -march=native $flags
  done
done
honest "x87 that says it is not" ${CC:-cc} -std=gnu11 -O1 -m32 -mno-sse2 -U__FLT_EVAL_METHOD__ -D__FLT_EVAL_METHOD__=0
# Not one fused multiply-add in the header's own code, where the compiler would have one.
printf '#define DVC_IMPLEMENTATION\n#include "%s/../dvc.h"\n' "$here" >"$work/unit.c"
for compiler in ${CC:-cc} clang; do
  command -v $compiler >/dev/null && command -v objdump >/dev/null || continue
  for level in -O2 -O3; do
    $compiler -std=gnu11 $level -mavx2 -mfma -c "$work/unit.c" -o "$work/unit.o" 2>/dev/null || continue
    if objdump -d "$work/unit.o" | grep -qE 'vfn?m(add|sub)'; then failed=$((failed + 1)); echo "FAIL bits / $compiler $level fuses"; else passed=$((passed + 1)); fi
  done
done
echo "bits: $passed passed, $failed failed"
[ "$failed" -eq 0 ]
