gpuhisto plot $DATA/scan.png
