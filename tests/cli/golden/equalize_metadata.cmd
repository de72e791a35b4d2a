gpuhisto equalize $DATA/landscape.jpg out.png
gpuhisto equalize $DATA/portrait_turned.jpg out.jpg
gpuhisto equalize $DATA/landscape.jpg out.bmp
gpuhisto equalize $DATA/landscape.jpg out.ppm
gpuhisto equalize -q $DATA/landscape.jpg quiet.ppm
gpuhisto equalize --strip --strict $DATA/landscape.jpg strip.ppm
gpuhisto equalize --strict $DATA/flower.jpg strict.png
gpuhisto equalize --strict $DATA/flower.jpg strict.ppm
ls
