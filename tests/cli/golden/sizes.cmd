# --max-memory and --max-pixels in every spelling; the refusals tell what was understood.
for size in 1K 0.9K 1.5M 1.5MiB 2MB 1572864 1e-3G; do gpuhisto stats --max-memory $size $DATA/landscape.jpg >/dev/null; done
for size in 1.5M 172800 172799 0.1728M; do gpuhisto stats -q --max-pixels $size $DATA/flower.jpg >/dev/null; echo "$size: $?"; done
for size in 0 0.0001K -1 1MM 1.M.5 KiB iB B 1KB 9e99T 99999999999T inf 0x10; do
  gpuhisto stats --max-pixels $size $DATA/flower.jpg 2>&1 | head -n 1
done
# The name of the output chooses the format where no option does.
gpuhisto stats --channels luma $DATA/flower.jpg -o s.csv && cut -d, -f1-7 s.csv
cp $DATA/flower.jpg $DATA/scan.png .
gpuhisto stats --channels luma flower.jpg -o s.jsonl && cut -c -60 s.jsonl
gpuhisto hist --bins 2 flower.jpg -o h.json && cut -c -60 h.json
gpuhisto stats --format text --channels luma $DATA/flower.jpg -o t.csv && cat t.csv
gpuhisto compare flower.jpg scan.png -o c.csv && cut -c -60 c.csv
gpuhisto bench --device emulated --method per-block --pixels 64 --rounds 1 --pattern ramp -o b.csv && head -n 1 b.csv | cut -c -60
