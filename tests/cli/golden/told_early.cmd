# What cannot be done or would mean nothing is said, and before the work.
try() { gpuhisto "$@"; echo "exit $?" >&2; }
try plot --channels alpha $DATA/flower.jpg
try plot --theme dark $DATA/flower.jpg
try plot --layout stacked $DATA/flower.jpg
try hist $DATA/flower.jpg --plot nowhere/p.svg
try equalize $DATA/flower.jpg x.png --plot nowhere/p.svg
try equalize $DATA/flower.jpg --output-dir out --plot nowhere/p.svg
try equalize $DATA/flower.jpg x.pgm
try equalize -q $DATA/flower.jpg x.pgm --to pnm
try equalize -q --gray $DATA/flower.jpg x.PGM
try match $DATA $DATA/flower.jpg x.png
try stretch --auto-gamma=half $DATA/flower.jpg x.png
ls
# Tables that went through a spreadsheet.
gpuhisto hist $DATA/flower.jpg >table.csv
{ printf '\357\273\277'; sed 's/$/\r/' table.csv; } >marked.csv
tr , ';' <table.csv >semicolons.csv
gpuhisto compare --no-header table.csv marked.csv
try plot semicolons.csv
