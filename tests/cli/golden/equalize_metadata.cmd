gpuhisto equalize $DATA/landscape.jpg out.png
gpuhisto equalize -q $DATA/portrait_turned.jpg out.png
gpuhisto equalize $DATA/portrait_turned.jpg out.jpg
gpuhisto equalize --strict $DATA/flower.jpg strict.png
ls
