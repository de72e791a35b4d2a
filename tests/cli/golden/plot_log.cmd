gpuhisto plot --log --channels luma $DATA/flower.jpg
