try() { gpuhisto "$@"; echo "exit $?" >&2; }
try equalize $DATA/cutout.png out.jpg
try equalize $DATA/scan.png out.xyz
try equalize $DATA/scan.png out.tiff
try equalize $DATA/scan.png $DATA/bricks.png out.png
try equalize --output-dir out $DATA/scan.png $DATA/./scan.png
try equalize $DATA/scan.png nowhere/out.png
try equalize missing.png out.png
mkdir folder.png
try equalize $DATA/scan.png folder.png
echo old > old.png
try equalize -n $DATA/scan.png old.png
cat old.png
ls
