gpuhisto stats -v $DATA/scan.png $DATA/cutout.png 2>/dev/null
LC_ALL=C gpuhisto stats -v --channels red $DATA/cutout.png 2>/dev/null
gpuhisto stats -v --format csv $DATA/scan.png 2>/dev/null | wc -l
gpuhisto stats -v --channels alpha $DATA/scan.png 2>/dev/null
