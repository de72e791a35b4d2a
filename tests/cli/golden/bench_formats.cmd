# Times and the machine's name differ; the rest does not.
mask() { sed -E 's/[0-9]+(\.[0-9]+)?(e-?[0-9]+)?/N/g; s/ +/ /g; s/~ //g; s/"full_policy":"[^"]*"/"full_policy":"..."/'; }
gpuhisto bench --device cpu -j 1 --pattern uniform --pixels 1000 --rounds 2 -q | sed 1d | mask
gpuhisto bench --device cpu -j 1 --pattern uniform --pixels 1000 --rounds 2 -q --format csv | cut -d, -f1,3-19,37-39 | mask
gpuhisto bench --device emulated --method per-grid -j 1 --pattern uniform --pixels 1000 --rounds 1 --format json --seed 7 | mask
gpuhisto bench --device emulated --method per-block --pattern uniform --pixels 1000 --rounds 1 -o table.txt --plot chart.svg
cat table.txt | mask
grep -o "Counting methods.*<\|What counting methods[^<]*" chart.svg | head -1
