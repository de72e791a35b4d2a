printf 'P5 2 2 255\n\012\024\036\050' > gray.pgm
printf 'P5 2 2 255\n\012' > cut.pgm
gpuhisto stats --format json --device cpu gray.pgm cut.pgm
