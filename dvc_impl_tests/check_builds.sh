#!/usr/bin/env bash
# The header in every configuration: languages, compilers, number types, macros, link units. Needs gcc or cc; uses g++,
# clang and clang++ where they are installed. Prints one line per configuration that fails.
set -u
here=$(cd "$(dirname "$0")" && pwd)
root=$(dirname "$here")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0 failed=0
strict="-Wall -Wextra -pedantic -Wshadow -Wconversion -Werror -I$root"
in_c="-Wstrict-prototypes -Wmissing-prototypes"

ok() { passed=$((passed + 1)); }
bad() { failed=$((failed + 1)); echo "FAIL builds / $1: $(head -c 300 "$work/log" | tr '\n' ' ')"; }
# try NAME COMMAND...: the command must succeed. refuse NAME TEXT COMMAND...: it must fail and say TEXT.
try() { local name=$1; shift; if "$@" >"$work/log" 2>&1; then ok; else bad "$name"; fi; }
refuse() { local name=$1 text=$2; shift 2; if ! "$@" >"$work/log" 2>&1 && grep -q -- "$text" "$work/log"; then ok; else bad "$name"; fi; }
have() { command -v "$1" >/dev/null 2>&1; }

printf '#define DVC_IMPLEMENTATION\n#include "dvc.h"\n' >"$work/unit.c"
printf '#define DVC_IMPLEMENTATION\n#include "dvc.h"\n#include "dvc.h"\n#define DVC_IMPLEMENTATION\n#include "dvc.h"\n' >"$work/twice.c"
printf '#include "dvc.h"\nint uses_it(dvc_world *w);\nint uses_it(dvc_world *w) { return dvc_step(w, (dvc_real)0.01) == DVC_OK; }\n' >"$work/user.c"
printf '#include "dvc.h"\n#ifdef __cplusplus\nextern "C"\n#endif\nint uses_it(dvc_world *w);\nint main() { dvc_world w; for (unsigned i = 0; i < sizeof w; i++) ((char *)&w)[i] = 0; return uses_it(&w) || dvc_step(&w, (dvc_real)0.01) != DVC_ERROR_NULL; }\n' >"$work/main.c"
cp "$work/unit.c" "$work/unit.cpp"; cp "$work/main.c" "$work/main.cpp"
printf '#define DVC_STATIC\n#define DVC_IMPLEMENTATION\n#include "dvc.h"\nint main(void) { dvc_body b = { DVC_STATIC }; dvc_world w = { &b }; return dvc_step(&w, 0.01) == DVC_OK; }\n' >"$work/static.c"

version=$(sed -n 's/^#define DVC_VERSION_TEXT "\(.*\)"/\1/p' "$root/dvc.h")
try "the first line tells version $version" grep -q "^/\* dvc.h $version - " <(head -n 1 "$root/dvc.h")

cc=${CC:-gcc}; have "$cc" || cc=cc
compilers=$cc; have clang && [ "$cc" != clang ] && compilers="$compilers clang"
for c in $compilers; do
  for std in c99 c11 gnu11; do try "$c $std" "$c" -std=$std $strict $in_c -c "$work/unit.c" -o "$work/a.o"; done
  try "$c c99 -O3" "$c" -std=c99 -O3 $strict $in_c -c "$work/unit.c" -o "$work/a.o"
  try "$c float" "$c" -std=c99 -DDVC_REAL=float $strict $in_c -c "$work/unit.c" -o "$work/a.o"
  try "$c included twice" "$c" -std=c99 $strict -c "$work/twice.c" -o "$work/a.o"
  try "$c user only" "$c" -std=c99 $strict $in_c -c "$work/user.c" -o "$work/a.o"
  refuse "$c -ffast-math" "IEEE arithmetic" "$c" -std=c99 -ffast-math -I"$root" -c "$work/unit.c" -o "$work/a.o"
  refuse "$c DVC_OPENMP alone" "add -fopenmp" "$c" -std=c99 -DDVC_OPENMP -I"$root" -c "$work/unit.c" -o "$work/a.o"
  refuse "$c integer type" "float or double" "$c" -std=c99 -DDVC_REAL=int -I"$root" -c "$work/unit.c" -o "$work/a.o"
done
for c in g++ clang++; do
  have $c || continue
  for std in c++11 c++17 c++20; do try "$c $std" $c -std=$std $strict -c "$work/unit.cpp" -o "$work/a.o"; done
  if $c -fopenmp -c "$work/main.cpp" -I"$root" -o "$work/a.o" 2>/dev/null && echo '#include <omp.h>' | $c -fopenmp -xc++ -fsyntax-only - 2>/dev/null; then
    try "$c OpenMP" $c -std=c++17 -fopenmp -DDVC_OPENMP $strict -c "$work/unit.cpp" -o "$work/a.o"
  fi
  try "$c float" $c -std=c++17 -DDVC_REAL=float $strict -c "$work/unit.cpp" -o "$work/a.o"
done

# Other machines: enumerations without a sign, char with none, float evaluated as double.
if have arm-none-eabi-gcc; then
  m7="arm-none-eabi-gcc -std=c99 -Os -mcpu=cortex-m7 -mfpu=fpv5-d16 -mfloat-abi=hard"
  try "Cortex-M7" $m7 $strict $in_c -Wtype-limits -c "$work/unit.c" -o "$work/a.o"
  try "Cortex-M7 float" $m7 -DDVC_REAL=float $strict $in_c -Wtype-limits -c "$work/unit.c" -o "$work/a.o"
fi
if have arm-none-eabi-gcc && have python3; then # how deep the stack goes
  for real in double float; do
    step=dvc_step; [ $real = float ] && step=dvc_step_f32
    (cd "$work" && $m7 -DDVC_REAL=$real -fcallgraph-info=su -I"$root" -c unit.c -o a.o) && try "stack of a step, $real" python3 "$here/stack.py" "$work/a.ci" $step 8192
  done
fi
if have s390x-linux-gnu-gcc; then
  try "s390x -std=c99" s390x-linux-gnu-gcc -std=c99 -O1 $strict $in_c -Wtype-limits -c "$work/unit.c" -o "$work/a.o"
  refuse "s390x -std=c99 float" "with -std=gnu99" s390x-linux-gnu-gcc -std=c99 -DDVC_REAL=float -I"$root" -c "$work/unit.c" -o "$work/a.o"
fi
if have clang && have aarch64-linux-gnu-gcc; then
  try "clang for aarch64" clang --target=aarch64-linux-gnu -std=c99 $strict $in_c -c "$work/unit.c" -o "$work/a.o"
fi
have gcc && refuse "gcc -freciprocal-math" "IEEE arithmetic" gcc -std=c99 -freciprocal-math -I"$root" -c "$work/unit.c" -o "$work/a.o"

# Two translation units, without any library; a C++ user of a C implementation; a mix of number types does not link.
"$cc" -std=c99 -O1 -I"$root" -c "$work/unit.c" -o "$work/unit.o"
"$cc" -std=c99 -O0 -I"$root" -c "$work/unit.c" -o "$work/unit0.o"
"$cc" -std=c99 -DDVC_REAL=float -I"$root" -c "$work/unit.c" -o "$work/unit_float.o"
"$cc" -std=c99 -I"$root" -c "$work/user.c" -o "$work/user.o"
"$cc" -std=c99 -I"$root" -c "$work/main.c" -o "$work/main.o"
try "two units link without libm" "$cc" "$work/unit.o" "$work/user.o" "$work/main.o" -o "$work/a"
try "two units run" "$work/a"
try "links without libm at -O0" "$cc" "$work/unit0.o" "$work/user.o" "$work/main.o" -o "$work/a"
refuse "double user, float implementation" "dvc_step" "$cc" "$work/unit_float.o" "$work/user.o" "$work/main.o" -o "$work/a"
if have g++; then
  g++ -std=c++17 -I"$root" -c "$work/main.cpp" -o "$work/main_cpp.o"
  try "C++ user, C implementation" g++ "$work/unit.o" "$work/user.o" "$work/main_cpp.o" -o "$work/a"
  try "C++ user runs" "$work/a"
fi
try "DVC_STATIC" "$cc" -std=c99 $strict -Wno-missing-field-initializers "$work/static.c" -o "$work/a"

# Symbols: what is exported is what is declared; nothing is needed but the memcpy family.
if have nm; then
  nm "$work/unit.o" | awk '$2 == "T" { print $3 }' | sort >"$work/exported"
  grep -o 'DVCI_NAME(dvc_[a-z_0-9]*)(' "$root/dvc.h" | sed 's/DVCI_NAME(\(.*\))(/\1/' | sort -u >"$work/declared"
  if diff "$work/exported" "$work/declared" >"$work/log"; then ok; else bad "exported symbols"; fi
  nm "$work/unit0.o" | awk '$1 == "U" { print $2 }' | grep -vE '^(memcpy|memset|memmove|memcmp|strlen|__stack_chk_fail|_GLOBAL_OFFSET_TABLE_)$' >"$work/log"
  if [ -s "$work/log" ]; then bad "needs symbols"; else ok; fi
  nm "$work/unit.o" | awk '$2 ~ /^[DdBbC]$/ { print $3 }' >"$work/log"
  if [ -s "$work/log" ]; then bad "mutable globals"; else ok; fi
  nm "$work/unit_float.o" | awk '$2 == "T" { print $3 }' | grep -v '_f32$' >"$work/log"
  if [ -s "$work/log" ]; then bad "float names"; else ok; fi
fi

# Every tag of the contents has its section.
for tag in $(sed -n '/CONTENTS/,/CONVENTIONS/p' "$root/dvc.h" | grep -o '>>[a-z]*'); do
  if [ "$(grep -c "^ \* $tag\b" "$root/dvc.h")" -ge 1 ]; then ok; else echo "$tag" >"$work/log"; bad "contents name a section that is not there"; fi
done
for tag in $(grep -o '^ \* >>[a-z]*' "$root/dvc.h" | sed 's/.*>>/>>/' | sort -u); do
  if sed -n '/CONTENTS/,/CONVENTIONS/p' "$root/dvc.h" | grep -q -- "$tag\b"; then ok; else echo "$tag" >"$work/log"; bad "a section that the contents do not name"; fi
done

# No function of more than 120 lines.
awk '/^[A-Za-z].*\)[ \t]*$/ { name = $0 } /^\{/ { start = FNR; inside = 1 } /^\}/ { if (inside && FNR - start > 120) print FNR - start, name; inside = 0 }' "$root/dvc.h" >"$work/log"
if [ -s "$work/log" ]; then bad "a function too long"; else ok; fi

echo "builds: $passed passed, $failed failed"
[ "$failed" -eq 0 ]
