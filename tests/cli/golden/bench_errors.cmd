for options in "--method per-blok" "--method per-block,cqu" "--pattern unifrom" "--pattern all,x" "--pattern ,uniform" "--pixels 1.5M" "--pixels 2^99" \
    "--channels cmyk" "--keys u64" "--bins 7" "--keys u32 --bins 0" "--keys u32 --map hash" "--keys u32 --pattern photo" \
    "--rounds 0" "--rounds two" "--min-time soon" "--seed x" "--batch 3x4" "--format xml" "--preset hip" "--preset book --pixels 3" \
    "--device gqu" "--device cpu --method per-block" "--device emulated --method per-block --policy bloc=3" \
    "--device cpu --policy block=64" "--device emulated --method cpu" "--plot chart.jpg" "--input missing.png" "--input $DATA/flower.jpg --pattern ramp" "file.png" \
    "--method cpu --pixels 18446744073709551615" "--method cpu --pixels 6148914691236517206 --channels rgb" \
    "--method cpu --keys u32 --pixels 4611686018427387904" "--rounds 2M" "--keys u32 --bins auto --map mod" "-o table.jsonl"; do
  gpuhisto bench $options
  echo "$options: exit $?"
done
GPUHISTO_DEVICE=gqu gpuhisto bench
GPUHISTO_THREADS=many gpuhisto bench
GPUHISTO_DEVICE=gpu gpuhisto bench --method cpu
GPUHISTO_DEVICE=cpu gpuhisto bench --method per-block
GPUHISTO_DEVICE=cpu GPUHISTO_METHOD=cpu gpuhisto bench --policy block=64
