try() { gpuhisto "$@"; echo "exit $?" >&2; }
try stats --percentiles 101 a.png
try stats --percentiles 5,x a.png
try stats --percentiles 5,5 a.png
try stats -j -1 a.png
try stats -j many a.png
try stats --max-memory lots a.png
try stats --max-pixels 0.5 a.png
try stats --strict --tolerate-damage a.png
try stats --format
try stats -j
try stats --channels a.png
try equalize --quality 0 a.png b.jpg
try equalize --quality high a.png b.jpg
try equalize --background plaid a.png b.jpg
try equalize --luma bt709 a.png b.png
try plot --size 10x10 a.png
try plot --size big a.png
try plot --size 16384x16384 a.png -o a.png
try plot a.png -o a.gif
try plot a.png -o x.png --scale 5
try plot a.png -o x.png --scale 1.5
try plot a.png -o x.png --size 8192x8192 --scale 2
try plot a.png -o x.png --theme sepia
try plot a.png -o x.png --layout side
try plot a.png - -
try plot 1.png 2.png 3.png 4.png 5.png 6.png 7.png 8.png 9.png
