gpuhisto stats $DATA/flower.jpg $DATA/scan.png $DATA/cutout.png
