#!/usr/bin/env bash
# Programs other people have written against the header, and the quick starts of manual and README: they must compile
# without a warning and succeed.
set -u
here=$(cd "$(dirname "$0")" && pwd)
root=$(dirname "$here")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0 failed=0

run() { # NAME SOURCE [PATTERN [COMPILER...]]
  local name=$1 source=$2 pattern=${3:-}; shift $(($# < 3 ? $# : 3))
  [ $# -gt 0 ] || set -- "${CC:-cc}" -std=c99
  if ! "$@" -Wall -Wextra -pedantic -Werror -Wno-missing-field-initializers -O2 -I"$root" "$source" -o "$work/program" -lm >"$work/log" 2>&1; then
    echo "FAIL contract / $name does not compile: $(head -3 "$work/log")"; failed=$((failed + 1)); return
  fi
  if "$work/program" >"$work/log" 2>&1 && grep -q -- "$pattern" "$work/log"; then passed=$((passed + 1)); else
    echo "FAIL contract / $name: $(tail -1 "$work/log")"; failed=$((failed + 1)); fi
}

for source in "$here"/contract/*.c; do
  name=$(basename "$source" .c)
  run "$name" "$source"
done
sed -n '/>>quickstart/,/<<quickstart/p' "$root/dvc.h" | sed '1d;$d' >"$work/manual.c"
sed -n '/^```c$/,/^```$/p' "$root/README.md" | sed '/^```/d' >"$work/readme.c"
run "the manual's quick start" "$work/manual.c" '^height 0.5000000'
run "the README's program" "$work/readme.c" 'height 0.500000000, energy excess 0$'
if command -v g++ >/dev/null; then
  run "the README's program in C++" "$work/readme.c" 'height 0.500000000, energy excess 0$' g++ -x c++ -std=c++17 -Wshadow -Wconversion
fi
echo "contract: $passed passed, $failed failed"
[ "$failed" -eq 0 ]
