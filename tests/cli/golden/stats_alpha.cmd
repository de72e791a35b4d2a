gpuhisto stats --format csv --no-header --channels luma,alpha $DATA/cutout.png
gpuhisto stats --format csv --no-header --channels luma,alpha --alpha skip $DATA/cutout.png
