printf 'P5 1 1 255\n\007' > one.pgm
printf 'P5 2 1 255\n\007\010' > two.pgm
printf 'P5 1 1 255\n' > cut.pgm
gpuhisto stats --channels luma one.pgm two.pgm
gpuhisto stats --channels luma --total-only one.pgm
gpuhisto stats --tolerate-damage --format csv --no-header cut.pgm
gpuhisto plot one.pgm | head -n 1
