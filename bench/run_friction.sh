#!/usr/bin/env bash
# Builds and runs the friction problems; beside Siconos if its package (libsiconos-numerics-dev) is installed, or unpacked below
# SICONOS_ROOT. Arguments: output folder, then those of friction_suite (thousands of problems, family, number).
set -eu
here=$(cd "$(dirname "$0")" && pwd)
out=${1:-build}; [ $# -gt 0 ] && shift
mkdir -p "$out"
root=${SICONOS_ROOT:-}
header=$(find "$root/usr/include" "$root/usr/local/include" -name SiconosConfig.h 2>/dev/null | head -1 || true)
if [ -n "$header" ]; then
  include=$(dirname "$header")
  libraries=$(dirname "$(find "$root/usr/lib" "$root/usr/local/lib" -name libsiconos_numerics.so 2>/dev/null | head -1)")
  "${CC:-cc}" -O2 -w -isystem "$include" -isystem "$include/numerics" -isystem "$include/externals" \
    -isystem "$root/usr/include/suitesparse" -c -o "$out/friction_siconos.o" "$here/friction_siconos.c"
  "${CC:-cc}" -std=c99 -O2 -DWITH_SICONOS -I"$here/.." -c -o "$out/friction_suite.o" "$here/friction_suite.c"
  "${CC:-cc}" -o "$out/friction_suite" "$out/friction_suite.o" "$out/friction_siconos.o" -L"$libraries" \
    -Wl,--allow-shlib-undefined -lsiconos_numerics -lm
  export LD_LIBRARY_PATH="$libraries:$libraries/blas:$libraries/lapack:$libraries/openblas-serial:${LD_LIBRARY_PATH:-}"
else
  echo "(Siconos is not installed: ours alone)"
  "${CC:-cc}" -std=c99 -O2 -I"$here/.." -o "$out/friction_suite" "$here/friction_suite.c" -lm
fi
OPENBLAS_NUM_THREADS=1 OMP_NUM_THREADS=1 "$out/friction_suite" "$@" 2>/dev/null
