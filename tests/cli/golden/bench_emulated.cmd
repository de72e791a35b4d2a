# Counters depend on how kernels are tuned: their columns are masked.
mask() { sed -E 's/ +/ /g; s/ [0-9]+\.[0-9]+/ N/g; s/ 0/ N/g'; }
gpuhisto bench --device emulated --method per-grid,wave-aggregated,per-block,per-thread --pixels 5001 --pattern all --rounds 2 | mask
gpuhisto bench --device emulated --method per-block --channels rgb+luma --pixels 1,1K --pattern gauss --rounds 1 | mask
gpuhisto bench --device emulated --method per-block --batch 33x17x50 --pattern uniform --rounds 1 | mask
gpuhisto bench --device emulated --method per-block,unsafe-nonatomic --keys u32 --bins auto --pattern zipf,uniform --pixels 2^12 --rounds 1 | mask
gpuhisto bench --device emulated --method per-block --policy block=128,replicas=1 --keys u32 --map range --bins 1000 --key-range 2000 --pattern uniform --pixels 10K --rounds 1 | mask
