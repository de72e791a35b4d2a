# What auto rests on, with -v; figures are masked, as rates may change.
printf 'P5 2 1 255\n\001\002' > gray.pgm
printf 'file,value,luma,red,green,blue,alpha\n' > table.csv
for value in $(seq 0 255); do echo "a.png,$value,1,,,,"; done >> table.csv
try() { "$@" 2>&1 > /dev/null | sed -E 's/(under )?[0-9]+\.[0-9]+ s/N s/g'; }
try gpuhisto stats -v -j 2 $DATA/flower.jpg gray.pgm
try gpuhisto hist -v -j 1 $DATA/scan.png
try gpuhisto equalize -v -j 2 gray.pgm out.pgm
try gpuhisto equalize -v -j 2 --output-dir out gray.pgm $DATA/rose.ppm
try gpuhisto plot -v -j 2 gray.pgm
echo 'of unknown size'
try gpuhisto plot -v -j 2 table.csv
try gpuhisto stats -v -j 2 - < gray.pgm
try gpuhisto stats -v -j 2 -r .
echo gray.pgm | try gpuhisto stats -v -j 2 --files-from -
echo 'not chosen by auto'
try gpuhisto stats -v -j 2 --device cpu gray.pgm
try gpuhisto stats -v -j 2 --method cpu gray.pgm
GPUHISTO_DEVICE=cpu try gpuhisto stats -v -j 2 gray.pgm
GPUHISTO_DEVICE=auto GPUHISTO_METHOD=auto try gpuhisto stats -v -j 2 gray.pgm
