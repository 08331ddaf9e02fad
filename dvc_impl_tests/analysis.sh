#!/usr/bin/env bash
# Static analysers over dvc.h, as far as they are installed: gcc -fanalyzer, clang --analyze, clang-tidy (bugprone, cert),
# cppcheck. What they say must stand in analysis.txt with a reason. Then programs under valgrind and ThreadSanitizer, and how
# deep calls go. Each tool that is missing is told.
set -u
here=$(cd "$(dirname "$0")" && pwd)
root=$(dirname "$here")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0 failed=0
have() { command -v "$1" >/dev/null 2>&1 || { echo "skipped  $1 is not installed"; return 1; }; }
ok() { passed=$((passed + 1)); }
bad() { failed=$((failed + 1)); echo "FAIL analysis / $1"; }

# ---- what is said: tool, line, check ----
printf '#define DVC_IMPLEMENTATION\n#include "dvc.h"\n' >"$work/unit.c"
: >"$work/said"; : >"$work/tools"
said() { echo "$1" >>"$work/tools"; sed -nE "s/^.*dvc\.h:([0-9]+):[0-9]+: (warning|error): .*\[([^]]*)\]\$/$1 \1 \3/p" | sort -u >>"$work/said"; }
if have gcc; then gcc -std=c99 -O1 -fanalyzer -I"$root" -c "$work/unit.c" -o "$work/a.o" 2>&1 | said gcc; fi
if have clang; then clang --analyze -Xclang -analyzer-output=text -std=c99 -I"$root" -c "$work/unit.c" -o "$work/a" 2>&1 | said clang; fi
if have clang-tidy; then clang-tidy --quiet -checks='-*,bugprone-*,cert-*' -header-filter=dvc.h "$work/unit.c" -- -std=c99 -I"$root" 2>/dev/null | said clang-tidy; fi
if have cppcheck; then
  cppcheck -q --std=c99 --language=c --enable=warning,portability,performance --inconclusive --suppress=missingIncludeSystem \
    -DDVC_IMPLEMENTATION -D__GNUC__=12 -D__SSE2__=1 --template='{file}:{line}:1: warning: x [{id}]' "$root/dvc.h" 2>&1 | said cppcheck
fi
awk -v header="$root/dvc.h" '
  function trim(s) { gsub(/^[ \t]+|[ \t]+$/, "", s); return s }
  BEGIN { while ((getline row < header) > 0) source[++lines] = trim(row) }
  FILENAME ~ /tools$/ { tools++; next }
  FILENAME ~ /analysis.txt$/ {
    if ($0 ~ /^#/ || NF == 0) next
    check[++rules] = trim(substr($0, 1, index($0, " | "))); rest = substr($0, index($0, " | ") + 3)
    text[rules] = trim(substr(rest, 1, index(rest, " | "))); next
  }
  {
    found = 0
    for (r = 1; r <= rules; r++) if ($3 == check[r] && (text[r] == "*" || index(source[$2], text[r]))) { used[r]++; found = 1 }
    if (found) excepted++; else { fresh++; print "FAIL analysis / " $1 ": dvc.h:" $2 ": " $3 ": " source[$2] }
  }
  END {
    if (tools == 4) for (r = 1; r <= rules; r++) if (!used[r]) { fresh++; print "FAIL analysis / no longer said: " check[r] " | " text[r] }
    printf "said by %d analysers: %d findings, %d of them without a reason\n", tools, excepted + fresh, fresh
    exit fresh > 0
  }' "$work/tools" "$here/analysis.txt" "$work/said" && ok || failed=$((failed + 1))

# ---- what is done: memory read before it is written, threads ----
if have valgrind; then
  "${CC:-cc}" -std=c99 -O1 -g -w "$here/hash.c" -o "$work/hash" -lm
  if valgrind -q --error-exitcode=9 "$work/hash" 10 >"$work/log" 2>&1; then ok; else bad "valgrind: $(grep -m4 '==' "$work/log" | tr '\n' ' ')"; fi
fi
compiler=clang; have clang || compiler=${CC:-cc}
if $compiler -std=gnu99 -O1 -g -w -fsanitize=thread "$here/threads.c" -o "$work/threads" -lm -lpthread 2>"$work/log"; then
  if TSAN_OPTIONS=halt_on_error=1 "$work/threads" 300 >"$work/log" 2>&1; then ok; cat "$work/log"; else bad "ThreadSanitizer: $(head -c 600 "$work/log")"; fi
else echo "skipped  $compiler cannot build with -fsanitize=thread"; fi

# ---- how deep calls go ----
if have python3 && have gcc; then
  (cd "$work" && gcc -std=c99 -O2 -w -fcallgraph-info=su -I"$root" -c unit.c -o unit.o) && python3 "$here/stack.py" "$work/unit.ci" && ok || bad "calls"
fi
echo "analysis: $passed passed, $failed failed"
[ "$failed" -eq 0 ]
