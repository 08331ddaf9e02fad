#!/usr/bin/env bash
# Builds and runs the solvers' problem suite; beside Siconos and ODE's Dantzig if their packages (libsiconos-numerics-dev,
# libode-dev) are installed. Arguments: output folder, then those of lcp_suite (class, milliseconds per solver and problem).
set -eu
here=$(cd "$(dirname "$0")" && pwd)
out=${1:-build}; [ $# -gt 0 ] && shift
mkdir -p "$out"
siconos=$(dirname "$(find /usr/include /usr/local/include -name SiconosConfig.h 2>/dev/null | head -1)" 2>/dev/null || true)
if [ -n "$siconos" ] && [ "$siconos" != . ] && [ -f /usr/include/ode/ode.h ] && command -v "${CXX:-c++}" >/dev/null; then
  "${CXX:-c++}" -O2 -isystem "$siconos" -c -o "$out/lcp_peers.o" "$here/lcp_peers.cpp"
  "${CC:-cc}" -std=c99 -O2 -DWITH_PEERS -I"$here/.." -c -o "$out/lcp_suite.o" "$here/lcp_suite.c"
  "${CXX:-c++}" -o "$out/lcp_suite" "$out/lcp_suite.o" "$out/lcp_peers.o" -lode -lsiconos_numerics -lm
else
  echo "(Siconos and ODE are not installed: ours alone)"
  "${CC:-cc}" -std=c99 -O2 -I"$here/.." -o "$out/lcp_suite" "$here/lcp_suite.c" -lm
fi
OPENBLAS_NUM_THREADS=1 OMP_NUM_THREADS=1 "$out/lcp_suite" "$@" 2>/dev/null
