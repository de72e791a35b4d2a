show() { grep -o '<title id[^>]*>[^<]*<\|<desc.*desc>' $1; }
gpuhisto equalize $DATA/scan.png x.png --plot p.svg && show p.svg
gpuhisto stats --format csv --channels luma x.png | cut -d, -f8,11
gpuhisto stretch -q --channels each $DATA/flower.jpg x.png --plot p.svg && show p.svg
gpuhisto equalize --clahe $DATA/scan.png x.png --plot p.svg && show p.svg
gpuhisto match $DATA/scan.png $DATA/bricks.png x.png --plot p.svg && show p.svg
gpuhisto equalize -q $DATA/cutout.png $DATA/bricks.png --output-dir out --plot out/p.svg && show out/p.svg
ls out
try() { gpuhisto "$@"; echo "exit $?" >&2; }
try equalize $DATA/scan.png y.png --plot y.png
try equalize $DATA/scan.png - --plot -
try equalize $DATA/scan.png y.png --plot y.gif
try equalize $DATA/scan.png y.png --plot $DATA/scan.png
try equalize missing.png y.png --plot y.svg
try equalize $DATA/scan.png nowhere/y.png --plot y.svg
ls
