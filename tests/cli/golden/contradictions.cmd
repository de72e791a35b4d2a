try() { gpuhisto stats "$@" a.png; echo "exit $?" >&2; }
try --method cpu --device gpu
try --method per-block --device cpu
try --policy replicas=4 --device cpu
try --policy replicas=4 --method cpu
GPUHISTO_DEVICE=cpu try --method per-block
GPUHISTO_METHOD=cpu try --device emulated
GPUHISTO_METHOD=cpu GPUHISTO_DEVICE=gpu:1 try
GPUHISTO_METHOD=cpu try --policy replicas=4
