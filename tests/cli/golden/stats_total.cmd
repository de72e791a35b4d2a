# Weighted by pixels: one pixel of 0, three of 200.
printf 'P5 1 1 255\n\000' > black.pgm
printf 'P5 3 1 255\n\310\310\310' > light.pgm
gpuhisto stats --format csv --total-only black.pgm light.pgm
gpuhisto stats --total-only black.pgm light.pgm
