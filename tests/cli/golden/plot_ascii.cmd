LC_ALL=C gpuhisto plot --channels luma,red $DATA/bricks.png
