#!/usr/bin/env bash
# All that takes longer than a change can wait: each stage is a target of the Makefile; those that this Makefile does not have
# are passed over, and told. Writes log and RESULTS.md to the output folder, its argument. From the environment:
#   STEPS, COUNT, FUZZ   of the soak, of clouds of points, seconds of random drivers: less than nightly.sh has is told as reduced
#   QUICK                other machines by gcc alone, with few cases
#   ONLY                 names of stages, if not all
set -u
cd "$(dirname "$0")/.."
out=${1:-build/nightly}
mkdir -p "$out"
log=$out/log.txt
: "${STEPS:=1000000}" "${COUNT:=1000000}" "${FUZZ:=3600}" "${QUICK:=}" "${ONLY:=}" "${CC:=cc}"
passed=0 failed=0

has() { grep -q "^$1:" Makefile; }

note() { printf '@ %s | %s\n' "$1" "$2" >>"$log"; } # what results.sh reads

begin_log() {
  : >"$log"
  note date "$(date -u '+%Y-%m-%d %H:%M UTC')"
  note commit "$(git rev-parse --short HEAD 2>/dev/null)$(git diff --quiet HEAD 2>/dev/null || echo ', with changes')"
  note compiler "$("$CC" --version | head -1)"
  note machine "$(sed -n 's/^model name[^:]*: *//p' /proc/cpuinfo 2>/dev/null | head -1), $(nproc 2>/dev/null) cores, $(uname -sm)"
}

note_reduced() { # of a stage that runs
  case $1 in
    soak) [ "$STEPS" -ge 1000000 ] || note reduced "soak: STEPS=$STEPS instead of 1000000" ;;
    clouds) [ "$COUNT" -ge 1000000 ] || note reduced "clouds: COUNT=$COUNT instead of 1000000" ;;
    fuzz*) [ "$FUZZ" -ge 3600 ] || note reduced "$1: for SECONDS=$FUZZ instead of 3600" ;;
    check-machines) [ -z "$QUICK" ] || note reduced "check-machines: QUICK=quick, few cases by one compiler" ;;
  esac
}

stage() { # NAME TARGET ARGUMENTS...
  local name=$1 target=$2 begun status
  shift
  [ -z "$ONLY" ] || [[ " $ONLY " == *" $name "* ]] || { note left "$name"; return; }
  has "$target" || { note missing "$name"; return; }
  echo "=== $name"
  note_reduced "$name"
  note begin "$name | make $*"
  begun=$(date +%s)
  make --no-print-directory "$@" CC="$CC" 2>&1 | tee -a "$log"
  status=${PIPESTATUS[0]}
  echo >>"$log"
  note end "$name | $(($(date +%s) - begun)) | $status"
  if [ "$status" -eq 0 ]; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "=== $name FAILED"; fi
}

with_clang() {
  local CC=clang
  command -v clang >/dev/null && stage test-clang test OUT=build/clang
}

begin_log
stage test test
with_clang
stage check check
stage check-machines check-machines QUICK="$QUICK"
stage sanitize sanitize
stage float float
stage analysis analysis
stage gallery gallery
stage test-page test-page
stage walk walk
stage soak soak STEPS="$STEPS"
stage clouds clouds COUNT="$COUNT"
stage fuzz fuzz SECONDS="$FUZZ"
stage fuzz-libfuzzer fuzz-libfuzzer SECONDS="$((FUZZ / 60 + 1))"
stage experiments experiments
stage bench bench
stage bench-count bench-count
stage bench-lcp bench-lcp
stage bench-peers bench-peers
note total "$passed passed, $failed failed"
bench/results.sh "$log" >"$out/RESULTS.md"
echo "$passed passed, $failed failed: $out/RESULTS.md"
[ "$failed" -eq 0 ]
