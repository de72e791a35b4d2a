try() { gpuhisto stats --format csv --no-header --channels luma --percentiles 50 $DATA/scan.png; echo "exit $?" >&2; }
GPUHISTO_THREADS=2 GPUHISTO_METHOD=cpu GPUHISTO_DEVICE=cpu try
GPUHISTO_THREADS=some try
GPUHISTO_METHOD=fast try
GPUHISTO_DEVICE=tpu try
GPUHISTO_METHOD=per-block GPUHISTO_DEVICE=cpu try
GPUHISTO_DEVICE= GPUHISTO_METHOD= GPUHISTO_THREADS= try
