printf 'P5 2 1 65535\n\000\200\377\377' > deep.pgm
gpuhisto stats --format csv deep.pgm
gpuhisto stats -q --format csv --no-header deep.pgm
gpuhisto stats deep.pgm
gpuhisto stats --strict deep.pgm
