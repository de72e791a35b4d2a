gpuhisto plot $DATA/scan.png $DATA/bricks.png missing.png $DATA/flower.jpg -o x.svg
echo "exit $?" >&2
grep -o '<title[^>]*>[^<]*<\|[0-9.]* ± [0-9.]*<' x.svg
echo
gpuhisto plot $DATA/cutout.png --layout stacked -o x.svg && grep -o '<svg.* viewBox="[^"]*"' x.svg
gpuhisto plot $DATA/scan.png $DATA/cutout.png --layout stacked --scale 2 -o x.svg && grep -o '<svg.* viewBox="[^"]*"' x.svg
gpuhisto plot $DATA/scan.png --theme dark --to svg | grep '<rect width="100%"'
gpuhisto plot $DATA/cutout.png --layout stacked --size 300x160 -o x.svg
echo "exit $?" >&2
gpuhisto plot missing.png absent.png -o none.svg
echo "exit $?" >&2
ls none.svg 2>/dev/null
LC_ALL=C gpuhisto plot $DATA/scan.png $DATA/bricks.png
mkdir a b && cp $DATA/scan.png a && cp $DATA/bricks.png b/scan.png
gpuhisto plot a/scan.png b/scan.png --to svg | grep -o '<title>[^<]*<'
