gpuhisto stats --format csv --percentiles 2.5,97.5 --channels luma $DATA/bricks.png
gpuhisto stats --format csv --no-header --channels red,alpha $DATA/cutout.png $DATA/scan.png
gpuhisto stats --percentiles 50 --channels blue $DATA/bricks.png
