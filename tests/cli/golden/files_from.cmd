printf 'P5 1 1 255\n\007' > 'a b.pgm'
printf 'a b.pgm\n\nmissing.pgm\n' > list
gpuhisto stats --files-from list --format csv --channels luma --percentiles 50
printf 'a b.pgm\000' | gpuhisto stats --files-from - -0 --format csv --no-header --channels luma --percentiles 50
