try() { gpuhisto stats "$@" a.png; echo "exit $?" >&2; }
try --method cpu --device gpu
try --method per-block --device cpu
