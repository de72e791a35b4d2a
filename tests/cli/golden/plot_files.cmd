gpuhisto plot $DATA/scan.png -o scan.svg
grep -c '<svg' scan.svg
gpuhisto plot $DATA/scan.png --to svg | cmp - scan.svg
gpuhisto plot missing.png
