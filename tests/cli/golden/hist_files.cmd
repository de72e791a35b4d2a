printf 'P5 2 2 255\n\001\002\002\375' > gray.pgm
gpuhisto hist gray.pgm -o gray.csv --plot gray.svg
ls
tail -n 2 gray.csv
head -c 5 gray.svg; echo
gpuhisto hist gray.pgm --plot gray.gif
