# The others are still done.
gpuhisto stats --format csv --channels luma $DATA/bricks.png missing.png $DATA/scan.png
