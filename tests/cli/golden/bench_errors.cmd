for options in "--method per-blok" "--method per-block,cqu" "--pattern unifrom" "--pattern all,x" "--pattern ,uniform" "--pixels 1.5M" "--pixels 2^99" \
    "--channels cmyk" "--keys u64" "--bins 7" "--keys u32 --bins 0" "--keys u32 --map hash" "--keys u32 --pattern photo" \
    "--rounds 0" "--rounds two" "--min-time soon" "--seed x" "--batch 3x4" "--format xml" "--preset hip" "--preset book --pixels 3" \
    "--device gqu" "--device cpu --method per-block" "--device emulated --method per-block --policy bloc=3" \
    "--device cpu --policy block=64" "--device emulated --method cpu" "--plot chart.jpg" "--input missing.png" "--input $DATA/flower.jpg --pattern ramp" "file.png"; do
  gpuhisto bench $options
  echo "$options: exit $?"
done
GPUHISTO_DEVICE=gqu gpuhisto bench
GPUHISTO_THREADS=many gpuhisto bench
